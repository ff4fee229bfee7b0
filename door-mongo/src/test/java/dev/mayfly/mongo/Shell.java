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
 * Every command of the door, without a socket: against a real engine, with clocks moved by hand.
 *
 * <p>Commands are Extended JSON in which single quotes stand for double ones, as in what it gives.
 */
public final class Shell implements AutoCloseable {
  public static final long START = 1_700_000_000_000L;

  /** A session for those who need one. */
  public static final String LSID = lsid(1);

  /** Writes outside of transactions hardly wait for those that are open. */
  private static final TransactionLimits IMPATIENT = new TransactionLimits(60_000, 1 << 20, 1);

  /** What every reply says; tests look at the rest. */
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

  /** One whose requests are limited by a ticker that goes on by itself. */
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

  /** Stops the server and starts another one on what it has stored. */
  public void restart() {
    engine.close();
    begin(store.reopen());
  }

  /** Has the power fail, and starts another server on what was on disk. */
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

  /** Moves the clock, and has what is due then swept when it is told to. */
  public void advance(Duration by) {
    clock.advance(by);
  }

  public void sweep() {
    engine.clockMoved();
    engine.workUntilIdle();
  }

  /** The reply to a command in database {@code d}, whatever it says. */
  public Document reply(String command) {
    return reply("d", command);
  }

  private Document reply(String database, String command) {
    return reply(json(command.substring(0, command.length() - 1) + ",'$db':'" + database + "'}"));
  }

  /** The reply to a command that says itself in which database it is to run. */
  public Document reply(Document body) {
    return reply(client, body);
  }

  /** The reply to a command in database {@code d} over a second connection, whatever it says. */
  public Document elsewhere(String command) {
    frontend.monitoring().clients().add(another);
    return reply(another, json(command.substring(0, command.length() - 1) + ",'$db':'d'}"));
  }

  private Document reply(Client of, Document body) {
    Message.Call call = new Message.Call(1, Compressor.NOOP, false, false, body, Map.of());
    DocumentWriter reply = Document.writer();
    dispatcher.answer(of, call, reply);
    return reply.build();
  }

  /** The reply to a command that succeeds, without what all replies have. */
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
      throw new AssertionError(command + " was refused: " + reply);
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

  /** The reply to a command that succeeds, as text. */
  public String told(String command) {
    return text(Value.of(run(command)));
  }

  /** How a command is refused: number and message. */
  public String refused(String command) {
    return refused("d", command);
  }

  /** As {@link #refused(String)} in database {@code admin}. */
  public String refusedByAdmin(String command) {
    return refused("admin", command);
  }

  private String refused(String database, String command) {
    Document reply = reply(database, command);
    if (reply.field("ok").asDouble() == 1) {
      throw new AssertionError(command + " was not refused: " + reply);
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

  /** All documents that a command which gives a cursor finds, batch after batch. */
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

  /** All documents of {@code d.c} that a filter finds, by id. */
  public List<String> found(String filter) {
    return all("{'find':'c','filter':" + filter + ",'sort':{'_id':1}}");
  }

  /** What a pipeline makes of {@code d.c}. */
  public List<String> piped(String... stages) {
    return all("{'aggregate':'c','pipeline':[" + String.join(",", stages) + "],'cursor':{}}");
  }

  /** A cursor as the reply to a command describes it. */
  public Document cursor(String command) {
    return run(command).field("cursor").asDocument();
  }

  /** The cursor's next batch; {@code options} are further fields of getMore. */
  public Document more(Document cursor, String options) {
    return run(getMore(cursor, options)).field("cursor").asDocument();
  }

  /** The command that asks for a cursor's next batch. */
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

  /** What stands at a path in a document, steps separated by dots. */
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

  /** A date so many seconds before the start. */
  public static String ago(long seconds) {
    return "{'$date':{'$numberLong':'" + (START - seconds * 1000) + "'}}";
  }

  /** The fields that say which session a command belongs to. */
  public static String lsid(int number) {
    return "'lsid':{'id':{'$uuid':'00000000-0000-4000-8000-00000000000" + number + "'}}";
  }

  /** The fields of a write that may be sent again. */
  public static String retryable(long number) {
    return LSID + ",'txnNumber':{'$numberLong':'" + number + "'}";
  }

  @Override
  public void close() {
    engine.close();
    store.close();
  }
}
