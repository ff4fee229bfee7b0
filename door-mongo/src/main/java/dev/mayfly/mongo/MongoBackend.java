package dev.mayfly.mongo;

import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.access.IndexUsage;
import dev.mayfly.mongo.access.VisibleCollections;
import dev.mayfly.mongo.admin.EngineMonitoring;
import dev.mayfly.mongo.admin.EngineStatus;
import dev.mayfly.mongo.admin.IndexCensus;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mongo.session.Sessions;
import dev.mayfly.mongo.session.Snapshots;
import dev.mayfly.mongo.session.Transactions;
import dev.mayfly.value.DocumentWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * State of the door that belongs to one engine (cursors, sessions, transactions, namespaces,
 * profiler, write lock), and the commands that run against this engine.
 *
 * <p>Closing a backend leaves its engine open. Thread-safe.
 */
final class MongoBackend implements CommandScope, AutoCloseable {
  private static final long CURSOR_IDLE_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Engine engine;
  private final Namespaces namespaces;
  private final Sessions sessions;
  private final Cursors cursors;
  private final Transactions transactions;
  private final Snapshots snapshots;
  private final IndexUsage indexUsage;
  private final EngineMonitoring monitoring;
  private final CommandTable commands;

  /**
   * A backend without cursors and sessions. Drops temporary collections that a stopped server has
   * left.
   */
  MongoBackend(MongoFrontend frontend, Engine engine) {
    this(frontend, engine, Cursors::randomId);
  }

  /**
   * @param cursorIds returns candidates for the ids of new cursors
   */
  MongoBackend(MongoFrontend frontend, Engine engine, LongSupplier cursorIds) {
    MongoSettings settings = frontend.settings();
    this.engine = engine;
    this.namespaces = new Namespaces(engine);
    namespaces.dropLeftovers();
    this.sessions = new Sessions(settings.ticker());
    this.cursors =
        new Cursors(
            settings.work().maxCursors(),
            CURSOR_IDLE_NANOS,
            settings.connections().memory().shareBytes(),
            settings.ticker(),
            cursorIds);
    sessions.onEnd(session -> cursors.killSession(session.lsid()));
    this.transactions = new Transactions(engine, sessions, cursors::killTransaction);
    this.snapshots = new Snapshots(engine);
    this.indexUsage = new IndexUsage();
    this.monitoring =
        EngineMonitoring.of(
            engine,
            frontend.monitoring(),
            settings.ticker(),
            settings.work().slowMillis(),
            cursors,
            settings.work().testCommands());
    this.commands = new CommandTable(frontend, this);
  }

  Engine engine() {
    return engine;
  }

  Namespaces namespaces() {
    return namespaces;
  }

  Sessions sessions() {
    return sessions;
  }

  Cursors cursors() {
    return cursors;
  }

  Transactions transactions() {
    return transactions;
  }

  Snapshots snapshots() {
    return snapshots;
  }

  IndexUsage indexUsage() {
    return indexUsage;
  }

  EngineMonitoring monitoring() {
    return monitoring;
  }

  @Override
  public boolean profiles(String database) {
    return monitoring.profiler().profiles(database);
  }

  @Override
  public void begin(Request request) {
    sessions.of(request);
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    commands.run(request, reply);
  }

  @Override
  public void answered(Request request, boolean done) {
    monitoring.profiler().answered(request, done);
  }

  @Override
  public boolean hasCursor(long id) {
    return cursors.isOpen(id);
  }

  /** Returns the names of the commands that run against an engine. */
  Set<String> commandNames() {
    return commands.names();
  }

  /** The sources of {@code serverStatus} in this engine. */
  EngineStatus status() {
    return new EngineStatus(monitoring, new IndexCensus(namespaces, indexUsage), cursors);
  }

  /** The collections as requests see them: inside a transaction, a snapshot or neither. */
  VisibleCollections visible() {
    return new VisibleCollections(namespaces, transactions, snapshots);
  }

  /**
   * Returns the tasks to run about twice a second: end idle sessions and cursors, start a due TTL
   * pass.
   */
  List<Runnable> periodicTasks() {
    return List.of(sessions::expire, cursors::closeIdle, monitoring.ttl()::tick);
  }

  @Override
  public void close() {
    sessions.close();
    cursors.close();
  }
}
