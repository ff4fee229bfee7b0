package dev.mayfly.bench;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Benchmark of the MongoDB door with the official driver, on RocksDB. Compares it with the
 * in-memory mongo-java-server and with a server that does nothing, in alternating rounds. With
 * {@code build=FILE} it compares this build with another one instead, given by its {@code
 * mayfly.jar}.
 *
 * <p>Arguments: {@code rounds=N} measured (default 3), {@code seconds=N} per round (default 2),
 * {@code warm=N} seconds of warm-up per operation (default 5), {@code documents=N} to read from
 * (default 100,000), {@code threads=N} for this number of clients instead of 1, 8 and 32; {@code
 * only} with names of operations.
 */
final class MongoBench implements AutoCloseable {
  private static final List<Integer> CLIENTS = List.of(1, 8, 32);
  private static final int WARMING_CLIENTS = 8;
  private static final int RANGE = 100;
  private static final int STATUSES = 100;
  private static final int LOAD_BATCH = 1000;
  private static final int BULK = 100;
  private static final int TEN = 10;

  /** Servers in the order of the table. */
  private enum Kind {
    MAYFLY,
    BUILD,
    MEMORY,
    ECHO;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Measured operations. The echo server has one reply to a query, so it cannot do all of them. */
  private enum Operation {
    INSERT("insert", true),
    /** Ids in random order: each insert has to look for an existing document. */
    SCATTERED("scattered", true),
    /** {@code insertMany} of 100 documents with random ids. */
    BULK("bulk", false),
    FIND("find", true),
    /** Ten documents through an index. */
    TEN("ten", false),
    UPDATE("update", true),
    RANGE("range", false),
    GROUP("group", false),
    /** The same, on documents that were updated. */
    REGROUP("regroup", false);

    private final String label;
    private final boolean echoed;

    Operation(String label, boolean echoed) {
      this.label = label;
      this.echoed = echoed;
    }
  }

  /** A server and its client. */
  private record Target(ServerProcess process, MongoClient client) implements AutoCloseable {
    static Target of(ServerProcess process) {
      MongoClientSettings settings =
          MongoClientSettings.builder()
              .applyConnectionString(new ConnectionString(process.connectionString()))
              .build();
      return new Target(process, MongoClients.create(settings));
    }

    MongoCollection<Document> orders() {
      return client.getDatabase("bench").getCollection("orders");
    }

    /** The same documents, for operations that change them. */
    MongoCollection<Document> updated() {
      return client.getDatabase("bench").getCollection("updated");
    }

    MongoCollection<Document> inserted() {
      return client.getDatabase("bench").getCollection("inserted");
    }

    @Override
    public void close() throws IOException {
      client.close();
      process.close();
    }
  }

  private final Map<Kind, Target> targets = new EnumMap<>(Kind.class);
  private final List<Kind> kinds;
  private final Optional<String> build;
  private final int documents;
  private final int rounds;
  private final double seconds;

  private MongoBench(Arguments arguments) {
    this.documents = (int) arguments.number("documents", 100_000);
    this.rounds = (int) arguments.number("rounds", 3);
    this.seconds = arguments.number("seconds", 2);
    this.build = arguments.text("build");
    this.kinds =
        build.isPresent()
            ? List.of(Kind.MAYFLY, Kind.BUILD)
            : List.of(Kind.MAYFLY, Kind.MEMORY, Kind.ECHO);
  }

  static void run(Arguments arguments) throws Exception {
    try (MongoBench bench = new MongoBench(arguments)) {
      bench.start();
      bench.warmUp(arguments);
      bench.table(arguments);
    }
  }

  private void start() throws IOException {
    for (Kind kind : kinds) {
      Target target = Target.of(process(kind));
      targets.put(kind, target);
      if (kind != Kind.ECHO) {
        load(target.orders());
        load(target.updated());
      }
    }
  }

  private ServerProcess process(Kind kind) throws IOException {
    return switch (kind) {
      case MAYFLY -> ServerProcess.mayfly();
      case BUILD -> ServerProcess.build(build.orElseThrow());
      case MEMORY -> ServerProcess.of(MemoryServer.class);
      case ECHO -> ServerProcess.of(EchoServer.class);
    };
  }

  private void load(MongoCollection<Document> orders) {
    orders.createIndex(Indexes.ascending("amount"));
    for (int from = 0; from < documents; from += LOAD_BATCH) {
      int to = Math.min(from + LOAD_BATCH, documents);
      orders.insertMany(IntStream.range(from, to).mapToObj(this::stored).toList());
    }
  }

  /** Amounts are a permutation of the numbers from 0. */
  private Document stored(int number) {
    long amount = number * 7919L % documents;
    return order(number, amount).append("_id", Workload.id(number));
  }

  private static Document order(long number, long amount) {
    return new Document("status", "status-" + number % STATUSES)
        .append("amount", amount)
        .append("visits", 0)
        .append("customer", "customer-" + number % 10_000)
        .append("at", Instant.ofEpochMilli(1_700_000_000_000L + number))
        .append("note", Workload.note());
  }

  private void table(Arguments arguments) throws Exception {
    Contest contest = new Contest(kinds.stream().map(Kind::label).toList(), rounds);
    contest.head("1 KB");
    long single = arguments.number("threads", 0);
    for (Operation operation : wanted(arguments)) {
      for (int clients : single == 0 ? CLIENTS : List.of((int) single)) {
        contest.line(
            operation.label,
            clients,
            server -> round(operation, clients, seconds, kinds.get(server)));
      }
    }
  }

  private static List<Operation> wanted(Arguments arguments) {
    return Stream.of(Operation.values())
        .filter(operation -> !arguments.has("only") || arguments.has(operation.label))
        .toList();
  }

  /** Warms up the JIT compilers of all processes. */
  private void warmUp(Arguments arguments) throws Exception {
    double warming = arguments.number("warm", 5);
    for (Operation operation : wanted(arguments)) {
      for (Kind kind : kinds) {
        round(operation, WARMING_CLIENTS, warming, kind);
      }
    }
  }

  private Contest.Round round(Operation operation, int clients, double length, Kind kind)
      throws Exception {
    Target target = Objects.requireNonNull(targets.get(kind));
    if (kind == Kind.ECHO && !operation.echoed) {
      return Contest.Round.NONE;
    }
    Load.Work work = work(operation, target);
    Duration before = target.process().processorTime();
    Load.Done done = Load.seconds(clients, length, work);
    Duration used = target.process().processorTime().minus(before);
    target.inserted().drop();
    return new Contest.Round(done.perSecond(), used.toNanos() / 1000.0 / done.operations());
  }

  private Load.Work work(Operation operation, Target target) {
    MongoCollection<Document> orders = target.orders();
    MongoCollection<Document> updated = target.updated();
    MongoCollection<Document> inserted = target.inserted();
    return switch (operation) {
      case INSERT ->
          random -> inserted.insertOne(order(random.nextInt(documents), random.nextInt()));
      case SCATTERED -> random -> inserted.insertOne(scattered(random));
      case BULK -> random -> inserted.insertMany(bulk(random));
      case FIND -> random -> expect(1, orders.find(any(random)).into(new ArrayList<>()).size());
      case UPDATE ->
          random -> expect(1, updated.updateOne(any(random), visit(random)).getMatchedCount());
      case RANGE ->
          random -> expect(RANGE, orders.find(range(random, RANGE)).into(new ArrayList<>()).size());
      case TEN ->
          random -> expect(TEN, orders.find(range(random, TEN)).into(new ArrayList<>()).size());
      case GROUP -> _ -> group(orders);
      case REGROUP -> _ -> group(updated);
    };
  }

  private void group(MongoCollection<Document> collection) {
    expect(
        Math.min(STATUSES, documents),
        collection.aggregate(grouping()).into(new ArrayList<>()).size());
  }

  private Bson any(Random random) {
    return Filters.eq("_id", Workload.id(random.nextInt(documents)));
  }

  private static Bson visit(Random random) {
    return Updates.combine(
        Updates.inc("visits", 1), Updates.set("customer", "customer-" + random.nextInt(10_000)));
  }

  private Document scattered(Random random) {
    return order(random.nextInt(documents), random.nextInt())
        .append("_id", Workload.scattered(random.nextLong()));
  }

  private List<Document> bulk(Random random) {
    return Stream.generate(() -> scattered(random)).limit(BULK).toList();
  }

  private Bson range(Random random, int length) {
    long from = random.nextInt(documents - length);
    return Filters.and(Filters.gte("amount", from), Filters.lt("amount", from + length));
  }

  private static List<Bson> grouping() {
    return List.of(
        Aggregates.group(
            "$status", Accumulators.sum("count", 1), Accumulators.sum("amount", "$amount")));
  }

  private static void expect(long wanted, long found) {
    if (wanted != found) {
      throw new IllegalStateException("expected " + wanted + ", found " + found);
    }
  }

  @Override
  public void close() throws IOException {
    for (Target target : targets.values()) {
      target.close();
    }
  }
}
