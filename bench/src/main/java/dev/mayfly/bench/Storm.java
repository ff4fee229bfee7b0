package dev.mayfly.bench;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Updates;
import com.mongodb.client.result.UpdateResult;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Benchmark of mass expiry: very many sessions expire at the same instant, once while clients read
 * and write orders on the same server, once on an idle server.
 *
 * <p>First it measures queries around the expiry, in the engine ({@link QueryStorm}) and through
 * the server.
 *
 * <p>The server's clock is stopped until all of them are stored. Arguments: {@code queries} for the
 * queries only, {@code engine} for those in the engine only, {@code door} for all but these; {@code
 * documents=N} that expire (default 1,000,000), {@code clients=N} (default 8), {@code seconds=N} to
 * measure the clients before the expiry (default 10).
 */
final class Storm implements AutoCloseable {
  private static final Duration LIFE = Duration.ofHours(1);
  private static final int ORDERS = 20_000;
  private static final int LOAD_BATCH = 1000;
  private static final long POLL_MILLIS = 20;
  private static final double TIMEOUT_SECONDS = 600;

  /**
   * Space counts as freed when at most this fraction is left: the feed, which keeps a copy of every
   * insert for a day, and the newest files of the lanes.
   */
  private static final int LEFT_SHARE = 2;

  private final long documents;
  private final int clients;
  private final double seconds;
  private final ServerProcess process;
  private final MongoClient client;
  private final MongoDatabase database;

  private Storm(Arguments arguments) throws IOException {
    this.documents = arguments.number("documents", 1_000_000);
    this.clients = (int) arguments.number("clients", 8);
    this.seconds = arguments.number("seconds", 10);
    this.process = ServerProcess.mayfly("--test-clock");
    this.client = MongoClients.create(process.connectionString());
    this.database = client.getDatabase("bench");
  }

  static void run(Arguments arguments) throws Exception {
    if (!arguments.has("door")) {
      QueryStorm.run(arguments);
    }
    if (arguments.has("engine")) {
      return;
    }
    try (Storm storm = new Storm(arguments)) {
      storm.queries();
      if (!arguments.has("queries")) {
        storm.prepare();
        storm.busy();
        storm.idle();
      }
    }
  }

  private MongoCollection<Document> orders() {
    return database.getCollection("orders");
  }

  private void prepare() {
    orders().createIndex(Indexes.ascending("amount"));
    load(
        orders(),
        ORDERS,
        number ->
            new Document("_id", Workload.id(number))
                .append("amount", number)
                .append("visits", 0)
                .append("note", Workload.note()));
  }

  /** Creates a collection of sessions that all expire after the TTL. */
  private MongoCollection<Document> sessions(String name) {
    MongoCollection<Document> sessions = database.getCollection(name);
    sessions.createIndex(
        Indexes.ascending("expireAt"), new IndexOptions().expireAfter(0L, TimeUnit.SECONDS));
    sessions.createIndex(Indexes.ascending("user"));
    Instant end = now().plus(LIFE);
    load(
        sessions,
        documents,
        number ->
            new Document("_id", Workload.scattered(number))
                .append("user", "user-" + number % 10_000)
                .append("expireAt", end)
                .append("note", Workload.note()));
    return sessions;
  }

  private static void load(
      MongoCollection<Document> collection, long count, LongFunction<Document> documents) {
    for (long from = 0; from < count; from += LOAD_BATCH) {
      long to = Math.min(from + LOAD_BATCH, count);
      collection.insertMany(LongStream.range(from, to).mapToObj(documents).toList());
    }
  }

  private Instant now() {
    return database.runCommand(new Document("mayflyClock", 1)).getDate("now").toInstant();
  }

  /** Queries of a collection of which most expires at one instant. */
  private void queries() throws Exception {
    MongoCollection<Document> sessions = sessions("queries");
    MongoCollection<Document> few = database.getCollection("few");
    few.createIndex(
        Indexes.ascending("expireAt"), new IndexOptions().expireAfter(0L, TimeUnit.SECONDS));
    few.createIndex(Indexes.ascending("user"));
    long survivors = documents / 10;
    Instant later = now().plus(LIFE.multipliedBy(10));
    for (MongoCollection<Document> collection : List.of(sessions, few)) {
      load(
          collection,
          survivors,
          number ->
              new Document("_id", Workload.scattered(documents + number))
                  .append("user", "user-" + number % 10_000)
                  .append("expireAt", later)
                  .append("note", Workload.note()));
    }
    QueryTimes times = new QueryTimes(operations(sessions, later));
    times.measure("before");
    times.measureOnce("first without", operations(few, later));
    times.measure("without", operations(few, later));
    long swept = swept();
    database.runCommand(new Document("mayflyClock", 1).append("advanceMillis", LIFE.toMillis()));
    times.measureOnce("first after");
    times.measureWhile("in the sweep", () -> swept() - swept < documents);
    times.measure("after it");
    expect(sessions.countDocuments() == survivors, "a survivor is lost");
    times.print("server, scattered ids");
    sessions.drop();
    few.drop();
  }

  private static Map<String, LongSupplier> operations(
      MongoCollection<Document> sessions, Instant later) {
    Bson soon = Filters.lt("expireAt", later.plus(LIFE));
    Map<String, LongSupplier> operations = new LinkedHashMap<>();
    operations.put("count", sessions::countDocuments);
    operations.put(
        "range on the TTL field, first 100",
        () -> size(sessions.find(soon).sort(Indexes.ascending("expireAt")).limit(100)));
    operations.put(
        "find by an index, one of 10,000 values",
        () -> size(sessions.find(Filters.eq("user", "user-7"))));
    operations.put("scan, first 100", () -> size(sessions.find().limit(100)));
    operations.put(
        "scan of all, ids only",
        () -> size(sessions.find().projection(Projections.include("_id"))));
    return operations;
  }

  private static long size(FindIterable<Document> found) {
    long size = 0;
    for (Document _ : found) {
      size++;
    }
    return size;
  }

  private void busy() throws Exception {
    MongoCollection<Document> sessions = sessions("busy");
    Load.seconds(clients, seconds, this::readOrWrite);
    Load.Done before = Load.seconds(clients, seconds, this::readOrWrite);
    AtomicBoolean over = new AtomicBoolean();
    Callable<Load.Done> foreground = () -> Load.until(clients, over::get, this::readOrWrite);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Load.Done> running = thread.submit(foreground);
      try {
        expire("with " + clients + " clients", sessions);
      } finally {
        over.set(true);
      }
      compare(before, running.get());
    }
  }

  private void readOrWrite(Random random) {
    Bson one = Filters.eq("_id", Workload.id(random.nextInt(ORDERS)));
    if (random.nextBoolean()) {
      UpdateResult done = orders().updateOne(one, Updates.inc("visits", 1));
      expect(done.getMatchedCount() == 1, "an order is lost");
    } else {
      expect(found(orders(), one), "an order is lost");
    }
  }

  private static boolean found(MongoCollection<Document> collection, Bson filter) {
    return !collection.find(filter).limit(1).into(new ArrayList<>()).isEmpty();
  }

  private static void compare(Load.Done before, Load.Done during) {
    System.out.printf(
        Locale.ROOT,
        "the clients: %,.0f/s before, %,.0f/s during; p50 %,.0f / %,.0f us, p99 %,.0f / %,.0f us,"
            + " p99.9 %,.0f / %,.0f us, p99 ratio %.2f%n",
        before.perSecond(),
        during.perSecond(),
        before.percentile(50),
        during.percentile(50),
        before.percentile(99),
        during.percentile(99),
        before.percentile(99.9),
        during.percentile(99.9),
        during.percentile(99) / before.percentile(99));
  }

  private void idle() throws Exception {
    expire("without clients", sessions("idle"));
  }

  /** Advances the clock to the deadline and measures how long it takes until no session is left. */
  private void expire(String when, MongoCollection<Document> sessions) throws Exception {
    long sweptBefore = swept();
    long space = space(sessions);
    long processor = process.processorTime().toMillis();
    expect(sessions.countDocuments() == documents, "not all sessions are there");
    database.runCommand(new Document("mayflyClock", 1).append("advanceMillis", LIFE.toMillis()));
    long start = System.nanoTime();
    boolean visible = found(sessions, Filters.empty()) || sessions.countDocuments() != 0;
    expect(!visible, "an expired session is visible");
    double counted = since(start);
    while (swept() - sweptBefore < documents) {
      pause(start);
    }
    double retired = since(start);
    while (space(sessions) > space / LEFT_SHARE) {
      pause(start);
    }
    double reclaimed = since(start);
    System.out.printf(
        Locale.ROOT,
        "%s: %,d sessions expired at one instant, none visible (count 0 after %.0f ms), retired"
            + " after %.2f s, reclaimed after %.2f s: %,.0f documents/s, %,d KB -> %,d KB,"
            + " server processor time %.1f s%n",
        when,
        documents,
        counted * 1000,
        retired,
        reclaimed,
        documents / reclaimed,
        space >> 10,
        space(sessions) >> 10,
        (process.processorTime().toMillis() - processor) / 1000.0);
  }

  private long swept() {
    Document status = database.runCommand(new Document("serverStatus", 1));
    return status
        .get("mayfly", Document.class)
        .get("ttl", Document.class)
        .getLong("sweptDocuments");
  }

  private long space(MongoCollection<Document> collection) {
    String name = collection.getNamespace().getCollectionName();
    Document stats = database.runCommand(new Document("collStats", name));
    return stats.get("totalSize", Number.class).longValue();
  }

  private static double since(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private static void pause(long start) throws InterruptedException {
    expect(since(start) < TIMEOUT_SECONDS, "the sweep does not end");
    Thread.sleep(POLL_MILLIS);
  }

  private static void expect(boolean holds, String problem) {
    if (!holds) {
      throw new IllegalStateException(problem);
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
    process.close();
  }
}
