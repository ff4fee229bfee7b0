package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.mongo.access.IndexUsage;
import dev.mayfly.mongo.access.VisibleCollections;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Failures;
import dev.mayfly.mongo.command.Operation;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mongo.session.Sessions;
import dev.mayfly.mongo.session.Snapshots;
import dev.mayfly.mongo.session.Transactions;
import dev.mayfly.mql.CommandException;
import dev.mayfly.query.Filter;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Fixture: schema commands on a real engine in memory, with a clock that the test advances. */
final class SchemaFixture implements AutoCloseable {
  static final long START = 1_700_000_000_000L;

  private static final Client CLIENT = new Client(1, "127.0.0.1:50000", "127.0.0.1:27017");

  final ManualClock clock = new ManualClock(START);
  final Engine engine =
      LocalEngine.open(
          MemoryStore.withFilters(),
          clock,
          EngineSettings.standard(clock::now).withBackground(false));
  final Namespaces namespaces = new Namespaces(engine);
  private final Cursors cursors = new Cursors(10, 1, Long.MAX_VALUE, () -> 0);
  private final IndexUsage indexUsage = new IndexUsage();
  private final VisibleCollections visible =
      new VisibleCollections(
          namespaces,
          new Transactions(engine, new Sessions(() -> 0), (_, _) -> {}),
          new Snapshots(engine));
  private final Map<String, Command> commands =
      Map.ofEntries(
          Map.entry("cloneCollectionAsCapped", new CloneCollectionAsCappedCommand(namespaces)),
          Map.entry("convertToCapped", new ConvertToCappedCommand(namespaces)),
          Map.entry("compact", new CompactCommand(namespaces)),
          Map.entry("reIndex", new ReIndexCommand()),
          Map.entry("create", new CreateCommand(visible)),
          Map.entry("drop", new DropCommand(namespaces)),
          Map.entry("dropDatabase", new DropDatabaseCommand(namespaces)),
          Map.entry(
              "listCollections", new ListCollectionsCommand(namespaces, cursors, (_, _) -> true)),
          Map.entry("listDatabases", new ListDatabasesCommand(namespaces, (_, _) -> true)),
          Map.entry("renameCollection", new RenameCollectionCommand(namespaces)),
          Map.entry("createIndexes", new CreateIndexesCommand(visible)),
          Map.entry("listIndexes", new ListIndexesCommand(namespaces, cursors)),
          Map.entry("dropIndexes", new DropIndexesCommand(namespaces, indexUsage)),
          Map.entry("collMod", new CollModCommand(namespaces, indexUsage)),
          Map.entry("collStats", new CollStatsCommand(namespaces)),
          Map.entry("dbStats", new DbStatsCommand(namespaces, Optional.of(Path.of(".")))),
          Map.entry("dataSize", new DataSizeCommand(namespaces)),
          Map.entry("validate", new ValidateCommand(namespaces)),
          Map.entry("mayflyExplainExpiry", new ExplainExpiryCommand(namespaces)),
          Map.entry("mayflyForecast", new ForecastExpiryCommand(namespaces)),
          Map.entry("mayflyWhatIf", new WhatIfCommand(namespaces)),
          Map.entry("mayflyTouch", new TouchCommand(namespaces)),
          Map.entry("mayflyWarnings", new WarningsCommand(namespaces)),
          Map.entry("mayflyUndoExpiry", new UndoExpiryCommand(namespaces)));

  /** Returns the reply to a command in database {@code d}. Single quotes replace double quotes. */
  Document run(String command) {
    return run("d", command, Operation.unlimited(clock.now()));
  }

  /** As {@link #run(String)}, as part of an operation that can be interrupted. */
  Document run(String command, Operation operation) {
    return run("d", command, operation);
  }

  Document admin(String command) {
    return run("admin", command, Operation.unlimited(clock.now()));
  }

  private Document run(String database, String command, Operation operation) {
    Document body = json(command.substring(0, command.length() - 1) + ",'$db':'" + database + "'}");
    Request request = new Request(CLIENT, operation, body, Map.of());
    DocumentWriter reply = Document.writer();
    try {
      Command found = commands.get(request.name());
      if (found == null) {
        throw new AssertionError("no such command: " + request.name());
      }
      found.run(request, reply);
    } catch (RuntimeException failure) {
      throw Failures.translate(failure);
    }
    return reply.build();
  }

  /** Returns the error of a command: code and message. */
  String error(String command) {
    return errorOf(() -> run(command));
  }

  String errorIn(String database, String command) {
    return errorOf(() -> run(database, command, Operation.unlimited(clock.now())));
  }

  String adminError(String command) {
    return errorOf(() -> admin(command));
  }

  private static String errorOf(Runnable command) {
    try {
      command.run();
    } catch (CommandException failure) {
      return failure.code().number() + " " + failure.message();
    }
    throw new AssertionError("no error");
  }

  CommandException failure(String command) {
    try {
      run(command);
    } catch (CommandException failure) {
      return failure;
    }
    throw new AssertionError("no error");
  }

  /** Creates one index in {@code d.c}; {@code options} are the fields after the key. */
  Document index(String key, String options) {
    return run("{'createIndexes':'c','indexes':[" + spec(key, options) + "]}");
  }

  String indexError(String key, String options) {
    return error("{'createIndexes':'c','indexes':[" + spec(key, options) + "]}");
  }

  private static String spec(String key, String options) {
    boolean named = options.contains("'name'");
    String name = key.replaceAll("[{}' ]", "").replaceAll("[:,]", "_");
    return "{'key':"
        + key
        + (named ? "" : ",'name':'" + name + "'")
        + (options.isEmpty() ? "" : "," + options)
        + "}";
  }

  /** Returns the indexes of {@code d.c} as {@code listIndexes} reports them. */
  List<String> indexes() {
    List<String> listed = new ArrayList<>();
    var items =
        run("{'listIndexes':'c'}")
            .field("cursor")
            .asDocument()
            .field("firstBatch")
            .asDocument()
            .fields();
    while (items.next()) {
      listed.add(items.value().toString().replace('"', '\''));
    }
    return listed;
  }

  Collection collection() {
    return engine.collection(new Namespace("d", "c"));
  }

  void insert(String... documents) {
    for (String document : documents) {
      Namespace name = new Namespace("d", "c");
      engine
          .find(name)
          .orElseGet(() -> engine.create(name, Namespaces.PLAIN))
          .insert(json(document));
    }
  }

  long count() {
    return collection().count(Filter.all());
  }

  static Document json(String text) {
    return ExtendedJson.parse(text.replace('\'', '"'), Limits.MONGO);
  }

  /** Returns a date, in seconds before the start. */
  static String ago(long seconds) {
    return "{'$date':{'$numberLong':'" + (START - seconds * 1000) + "'}}";
  }

  @Override
  public void close() {
    engine.close();
  }
}
