package dev.mayfly.mongo;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TransactionLimits;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Runs commands of the door on a real engine, without a socket and with a manual clock.
 *
 * <p>Commands and results are Extended JSON with single quotes instead of double quotes.
 */
public final class Shell implements AutoCloseable {
  public static final long START = 1_700_000_000_000L;

  /** The {@code lsid} field of a session. */
  public static final String LSID = lsid(1);

  /** Writes outside transactions wait only 1 ms for locks of open transactions. */
  private static final TransactionLimits IMPATIENT = new TransactionLimits(60_000, 1 << 20, 1);

  /** Fields of every reply, which {@link #run} removes. */
  private static final Set<String> COMMON = Set.of("ok", "$clusterTime", "operationTime");

  public final ManualClock clock = new ManualClock(START);
  public final AtomicLong nanos = new AtomicLong();
  private final Client client = new Client(1, "127.0.0.1:50000", "127.0.0.1:27017");
  private final Client another = new Client(2, "127.0.0.1:50001", "127.0.0.1:27017");
  private final TransactionLimits transactions;
  private final LongSupplier ticker;
  private MemoryStore store = MemoryStore.withFilters();
  private Engine engine;
  private MongoFrontend frontend;
  private MongoBackend backend;
  private Dispatcher dispatcher;

  public Shell() {
    this(IMPATIENT);
  }

  public Shell(TransactionLimits transactions) {
    this(transactions, Optional.empty());
  }

  /** A shell whose ticker advances without {@link #nanos}. */
  Shell(LongSupplier ticker) {
    this(IMPATIENT, Optional.of(ticker));
  }

  private Shell(TransactionLimits transactions, Optional<LongSupplier> ticker) {
    this.transactions = transactions;
    this.ticker = ticker.orElse(nanos::get);
    engine = opened();
    frontend = MongoFrontend.of(engine, MongoSettings.standard(this.ticker));
    backend = new MongoBackend(frontend, engine);
    dispatcher = new Dispatcher(frontend, MongoBackends.single(backend));
  }

  private Engine opened() {
    return LocalEngine.open(
        store,
        clock,
        EngineSettings.standard(nanos::get).withBackground(false).withTransactions(transactions));
  }

  /** Stops the engine and opens its store again. */
  public void restart() {
    engine.close();
    begin(store.reopen());
  }

  /** Opens the store with only the synced data, as after a power loss. */
  public void powerLoss() {
    begin(store.powerLoss());
  }

  private void begin(MemoryStore left) {
    store = left;
    engine = opened();
    frontend = MongoFrontend.of(engine, MongoSettings.standard(ticker));
    backend = new MongoBackend(frontend, engine);
    dispatcher = new Dispatcher(frontend, MongoBackends.single(backend));
  }

  public Engine engine() {
    return engine;
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  /** The open cursors of the backend. */
  public Cursors cursors() {
    return backend.cursors();
  }

  public Collection collection() {
    return engine.collection(new Namespace("d", "c"));
  }

  /** Advances the clock, without a sweep. */
  public void advance(Duration by) {
    clock.advance(by);
  }

  public void sweep() {
    engine.clockMoved();
    engine.workUntilIdle();
  }

  /** The reply to a command in database {@code d}, successful or not. */
  public Document reply(String command) {
    return reply("d", command);
  }

  private Document reply(String database, String command) {
    return reply(json(command.substring(0, command.length() - 1) + ",'$db':'" + database + "'}"));
  }

  /** The reply to a command that contains {@code $db}. */
  public Document reply(Document body) {
    return reply(client, body);
  }

  /** The reply to a command in database {@code d} on a second connection. */
  public Document replyOnSecondConnection(String command) {
    frontend.monitoring().clients().add(another);
    return reply(another, json(command.substring(0, command.length() - 1) + ",'$db':'d'}"));
  }

  private Document reply(Client of, Document body) {
    Message.Call call = new Message.Call(1, Compressor.NOOP, false, false, body, Map.of());
    DocumentWriter reply = Document.writer();
    dispatcher.answer(of, call, reply);
    return reply.build();
  }

  /** Runs a command in database {@code d}; fails unless it succeeds. */
  public Document run(String command) {
    return run("d", command);
  }

  /** As {@link #run(String)} in database {@code admin}. */
  public Document admin(String command) {
    return run("admin", command);
  }

  private Document run(String database, String command) {
    Document reply = reply(database, command);
    if (reply.field("ok").asDouble() != 1) {
      throw new AssertionError(command + " failed: " + reply);
    }
    return plain(reply);
  }

  private static Document plain(Document reply) {
    DocumentWriter rest = Document.writer();
    Fields fields = reply.fields();
    while (fields.next()) {
      if (!COMMON.contains(fields.name())) {
        rest.put(fields);
      }
    }
    return rest.build();
  }

  /** As {@link #run(String)}, as text. */
  public String replyText(String command) {
    return text(Value.of(run(command)));
  }

  /** The code and message of the error of a command; fails if it succeeds. */
  public String error(String command) {
    return error("d", command);
  }

  /** As {@link #error(String)} in database {@code admin}. */
  public String adminError(String command) {
    return error("admin", command);
  }

  private String error(String database, String command) {
    Document reply = reply(database, command);
    if (reply.field("ok").asDouble() == 1) {
      throw new AssertionError(command + " did not fail: " + reply);
    }
    return reply.field("code").asInt() + " " + reply.field("errmsg").asString();
  }

  /** Inserts documents into {@code d.c}. */
  public void insert(String... documents) {
    Document reply = run("{'insert':'c','documents':[" + String.join(",", documents) + "]}");
    if (!reply.field("writeErrors").isMissing()) {
      throw new AssertionError("not inserted: " + reply);
    }
  }

  /** All documents of the cursor of a command, by getMore. */
  public List<String> all(String command) {
    List<String> documents = new ArrayList<>();
    Document cursor = run(command).field("cursor").asDocument();
    addAll(cursor.field("firstBatch"), documents);
    while (cursor.field("id").asLong() != 0) {
      cursor = more(cursor, "");
      addAll(cursor.field("nextBatch"), documents);
    }
    return documents;
  }

  /** All documents of {@code d.c} that match a filter, sorted by id. */
  public List<String> found(String filter) {
    return all("{'find':'c','filter':" + filter + ",'sort':{'_id':1}}");
  }

  /** The results of a pipeline on {@code d.c}. */
  public List<String> aggregate(String... stages) {
    return all("{'aggregate':'c','pipeline':[" + String.join(",", stages) + "],'cursor':{}}");
  }

  /** The {@code cursor} in the reply to a command. */
  public Document cursor(String command) {
    return run(command).field("cursor").asDocument();
  }

  /** The cursor's next batch; {@code options} are further fields of getMore. */
  public Document more(Document cursor, String options) {
    return run(getMore(cursor, options)).field("cursor").asDocument();
  }

  /** The getMore command of a cursor. */
  public static String getMore(Document cursor, String options) {
    String namespace = cursor.field("ns").asString();
    return "{'getMore':{'$numberLong':'"
        + cursor.field("id").asLong()
        + "'},'collection':'"
        + namespace.substring(namespace.indexOf('.') + 1)
        + "'"
        + options
        + "}";
  }

  /** The documents of a batch. */
  public static List<String> batch(Document cursor) {
    List<String> documents = new ArrayList<>();
    Value first = cursor.field("firstBatch");
    addAll(first.isMissing() ? cursor.field("nextBatch") : first, documents);
    return documents;
  }

  private static void addAll(Value batch, List<String> documents) {
    Fields items = batch.asDocument().fields();
    while (items.next()) {
      documents.add(text(items.value()));
    }
  }

  /** The value at a dotted path of a document. */
  public static Value at(Document document, String path) {
    Value value = Value.of(document);
    for (String step : path.split("\\.", -1)) {
      value =
          value.isDocument() || value.isArray() ? value.asDocument().field(step) : Value.MISSING;
    }
    return value;
  }

  public static String text(Value value) {
    return value.toString().replace('"', '\'');
  }

  public static Document json(String text) {
    return ExtendedJson.parse(text.replace('\'', '"'), Limits.MONGO);
  }

  /** A date this many seconds before {@link #START}. */
  public static String ago(long seconds) {
    return "{'$date':{'$numberLong':'" + (START - seconds * 1000) + "'}}";
  }

  /** The {@code lsid} field of a session. */
  public static String lsid(int number) {
    return "'lsid':{'id':{'$uuid':'00000000-0000-4000-8000-00000000000" + number + "'}}";
  }

  /** The fields of a retryable write. */
  public static String retryable(long number) {
    return LSID + ",'txnNumber':{'$numberLong':'" + number + "'}";
  }

  @Override
  public void close() {
    engine.close();
    store.close();
  }
}
