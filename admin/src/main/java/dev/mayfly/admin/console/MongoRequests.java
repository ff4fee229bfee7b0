package dev.mayfly.admin.console;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.InProcessSession.Answer;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Commands of MongoDB in this process, as the user that is logged in. Reads are limited in time and
 * number.
 */
final class MongoRequests {
  private static final int MAX_MILLIS = 10_000;
  private static final int MAX_BATCH = 200;
  private static final long MILLI = 1_000_000;
  private static final int UNAUTHORIZED = 13;

  /** Commands that get a time limit. */
  private static final Set<String> LIMITED =
      Set.of("find", "aggregate", "count", "distinct", "explain", "dbStats", "collStats");

  /** Other commands that change nothing. */
  private static final Set<String> READING =
      Set.of(
          "getMore",
          "killCursors",
          "listCollections",
          "listDatabases",
          "listIndexes",
          "listCommands",
          "dataSize",
          "dbHash",
          "serverStatus",
          "currentOp",
          "top",
          "buildInfo",
          "hostInfo",
          "hello",
          "ping",
          "connectionStatus",
          "getParameter",
          "getCmdLineOpts",
          "getLog",
          "usersInfo",
          "rolesInfo",
          "mayflyExplainExpiry",
          "mayflyForecast",
          "mayflyWarnings",
          "mayflyWhatIf",
          "endSessions");

  /** Commands of connections and of tests, and one that would end the console, too. */
  private static final Set<String> REFUSED =
      Set.of(
          "saslstart", "saslcontinue", "authenticate", "logout", "shutdown", "configurefailpoint");

  /** Fields of every reply, for drivers. */
  private static final Set<String> GOSSIP = Set.of("$clusterTime", "operationTime");

  private static final Set<String> WRITING_STAGES = Set.of("$out", "$merge");

  private final Function<String, Optional<Engine>> engines;
  private final LongSupplier ticker;
  private final boolean readOnly;

  /**
   * Creates the requests of a server.
   *
   * @param engines returns the engine of a database, unless another server has it
   * @param ticker monotonic nanoseconds
   */
  MongoRequests(Function<String, Optional<Engine>> engines, LongSupplier ticker, boolean readOnly) {
    this.engines = engines;
    this.ticker = ticker;
    this.readOnly = readOnly;
  }

  /** Runs one command and returns its reply, with documents as texts. */
  Document run(Call call) {
    Document command = Texts.document(call.text("command"));
    Fields fields = command.fields();
    String name = fields.next() ? fields.name() : "";
    check(name, command);
    OptionalLong through = through(call.text("database"), command.field(name));
    long start = ticker.getAsLong();
    Answer answer =
        call.caller().session().run(call.text("database"), limited(name, command), call.stopped());
    long millis = (ticker.getAsLong() - start) / MILLI;
    if (!answer.done()) {
      throw refusal(answer.reply());
    }
    return reply(answer, millis, through);
  }

  /**
   * Returns the position of the newest change of the collection that a command names, before it
   * runs: a document with a later version may have changed after the command has read it.
   */
  private OptionalLong through(String database, Value target) {
    if (database.isEmpty() || target.type() != Type.STRING || target.asString().isEmpty()) {
      return OptionalLong.empty();
    }
    return engines.apply(database).stream()
        .flatMap(engine -> engine.find(new Namespace(database, target.asString())).stream())
        .flatMap(collection -> collection.feeds().stream())
        .mapToLong(FeedReader::end)
        .max();
  }

  private void check(String name, Document command) {
    Value lock = command.field("lock");
    boolean locks = name.equals("fsync") && !lock.isMissing() && !lock.equals(Value.FALSE);
    if (locks || REFUSED.contains(name.toLowerCase(Locale.ROOT))) {
      throw Refusal.wrong("The console does not run the command " + name + ".");
    }
    if (readOnly && !reads(name, command)) {
      throw Refusal.readOnly();
    }
  }

  private static boolean reads(String name, Document command) {
    return switch (name) {
      case "aggregate" -> !writes(command.field("pipeline"));
      case "explain" ->
          command.field(name).isDocument() && isReading(command.field(name).asDocument());
      default -> LIMITED.contains(name) || READING.contains(name);
    };
  }

  private static boolean isReading(Document explained) {
    Fields fields = explained.fields();
    return fields.next() && reads(fields.name(), explained);
  }

  private static boolean writes(Value pipeline) {
    if (!pipeline.isArray()) {
      return false;
    }
    Fields stages = pipeline.asDocument().fields();
    while (stages.next()) {
      Fields stage =
          stages.type() == Type.OBJECT
              ? stages.value().asDocument().fields()
              : Document.EMPTY.fields();
      if (stage.next() && WRITING_STAGES.contains(stage.name())) {
        return true;
      }
    }
    return false;
  }

  /** Returns the command with a limit of time and of the size of batches. */
  private static Document limited(String name, Document command) {
    DocumentWriter limited = Document.writer();
    Fields fields = command.fields();
    while (fields.next()) {
      if (fields.name().equals("batchSize")) {
        limited.put("batchSize", batch(fields.value()));
      } else if (fields.name().equals("cursor") && name.equals("aggregate")) {
        limited.put("cursor", cursor(fields));
      } else {
        limited.put(fields);
      }
    }
    if (name.equals("getMore") && command.field("batchSize").isMissing()) {
      limited.put("batchSize", Value.of(MAX_BATCH));
    }
    if (LIMITED.contains(name) && command.field("maxTimeMS").isMissing()) {
      limited.put("maxTimeMS", MAX_MILLIS);
    }
    return limited.build();
  }

  private static Value batch(Value wanted) {
    boolean tooMany = wanted.isNumber() && wanted.asDouble() > MAX_BATCH;
    return tooMany ? Value.of(MAX_BATCH) : wanted;
  }

  private static Value cursor(Fields cursor) {
    Value value = cursor.value();
    if (value.type() != Type.OBJECT) {
      return value;
    }
    Value size = value.asDocument().field("batchSize");
    return size.isMissing()
        ? value
        : Value.of(Document.writer().put("batchSize", batch(size)).build());
  }

  private static Document reply(Answer answer, long millis, OptionalLong through) {
    DocumentWriter reply = Document.writer().put("millis", millis);
    through.ifPresent(position -> reply.put("through", Long.toString(position)));
    Value cursor = answer.reply().field("cursor");
    DocumentWriter rest = Document.writer();
    Fields fields = answer.reply().fields();
    while (fields.next()) {
      boolean batch = fields.name().equals("cursor") && cursor.type() == Type.OBJECT;
      if (!batch && !GOSSIP.contains(fields.name())) {
        rest.put(fields);
      }
    }
    if (cursor.type() == Type.OBJECT) {
      write(cursor.asDocument(), reply);
    }
    answer.plan().ifPresent(plan -> reply.put("plan", plan));
    answer
        .search()
        .ifPresent(
            search ->
                reply
                    .put("keysExamined", search.keysExamined())
                    .put("documentsExamined", search.documentsExamined()));
    return reply.put("reply", Texts.of(rest.build())).build();
  }

  private static void write(Document cursor, DocumentWriter reply) {
    Value first = cursor.field("firstBatch");
    Value batch = first.isMissing() ? cursor.field("nextBatch") : first;
    if (cursor.field("id").isNumber()) {
      // a number of 64 bits, which JavaScript would round
      reply.put("cursor", Long.toString(cursor.field("id").asLong()));
    }
    reply.put("namespace", cursor.field("ns")).startArray("documents");
    Fields documents = batch.isArray() ? batch.asDocument().fields() : Document.EMPTY.fields();
    while (documents.next()) {
      reply.add(Value.of(Texts.of(documents.value().asDocument())));
    }
    reply.end();
  }

  /** Returns the refusal for the reply of a command that has failed. */
  static Refusal refusal(Document reply) {
    String message = reply.field("errmsg").asString();
    if (reply.field("code").asInt() == UNAUTHORIZED) {
      return Refusal.forbidden(message);
    }
    return Refusal.of(Refusal.WRONG, reply.field("codeName").asString(), message)
        .with(
            Document.writer()
                .put("number", reply.field("code"))
                .put("reply", Texts.of(withoutGossip(reply)))
                .build());
  }

  private static Document withoutGossip(Document reply) {
    DocumentWriter rest = Document.writer();
    Fields fields = reply.fields();
    while (fields.next()) {
      if (!GOSSIP.contains(fields.name())) {
        rest.put(fields);
      }
    }
    return rest.build();
  }
}
