package dev.mayfly.mongo;

import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.access.IndexUsage;
import dev.mayfly.mongo.access.VisibleCollections;
import dev.mayfly.mongo.admin.FailPoints;
import dev.mayfly.mongo.admin.Monitoring;
import dev.mayfly.mongo.auth.Guard;
import dev.mayfly.mongo.auth.Logins;
import dev.mayfly.mongo.auth.Users;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.DefaultConcerns;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mongo.session.Sessions;
import dev.mayfly.mongo.session.Snapshots;
import dev.mayfly.mongo.session.Transactions;
import dev.mayfly.mongo.topology.Topology;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;

/** What the commands of one door share. */
record MongoServices(
    Engine engine,
    MongoSettings settings,
    Topology topology,
    Users users,
    Logins logins,
    Guard guard,
    Sessions sessions,
    Transactions transactions,
    Snapshots snapshots,
    Monitoring monitoring,
    FailPoints failPoints,
    Namespaces namespaces,
    IndexUsage indexUsage,
    Cursors cursors,
    DefaultConcerns defaults) {
  private static final int PROCESS_ID_BYTES = 12;
  private static final long CURSOR_IDLE_NANOS = TimeUnit.MINUTES.toNanos(10);

  static MongoServices of(Engine engine, MongoSettings settings) {
    byte[] processId = new byte[PROCESS_ID_BYTES];
    new SecureRandom().nextBytes(processId);
    Namespaces namespaces = new Namespaces(engine);
    namespaces.dropLeftovers();
    Users users = new Users(engine);
    Sessions sessions = new Sessions(settings.ticker());
    Cursors cursors =
        new Cursors(
            settings.work().maxCursors(),
            CURSOR_IDLE_NANOS,
            settings.connections().memory().shareBytes(),
            settings.ticker());
    sessions.onEnd(session -> cursors.killSession(session.lsid()));
    return new MongoServices(
        engine,
        settings,
        new Topology(settings.address().setName(), settings.address().advertised(), processId),
        users,
        new Logins(users),
        new Guard(settings.security().login(), users),
        sessions,
        new Transactions(engine, sessions, cursors::killTransaction),
        new Snapshots(engine),
        Monitoring.of(
            engine,
            settings.about(),
            settings.connections().most(),
            settings.ticker(),
            settings.work().slowMillis(),
            cursors,
            settings.work().testCommands()),
        new FailPoints(),
        namespaces,
        new IndexUsage(engine::now),
        cursors,
        new DefaultConcerns(engine, settings.work().durability()));
  }

  /** The collections as requests see them. */
  VisibleCollections visible() {
    return new VisibleCollections(namespaces, transactions, snapshots);
  }
}
