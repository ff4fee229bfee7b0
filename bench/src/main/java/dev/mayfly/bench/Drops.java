package dev.mayfly.bench;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.store.Store;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.Document;

/**
 * Benchmark of collections that are created and dropped in a row: through the engine on RocksDB,
 * without and with many documents in another collection, and through the MongoDB door.
 *
 * <p>Each collection gets one document, so that there are changes to keep. A thread reads documents
 * of the other collection by key all the time. Space is freed in the background, as in a server.
 *
 * <p>Arguments: {@code drops=N} (default 1,000), {@code documents=N} of the other collection
 * (default 1,000,000).
 */
final class Drops {
  private static final int FEW = 10_000;
  private static final int READS = 100_000;
  private static final double NANOS_PER_MILLI = 1e6;

  private final int drops;
  private final long documents;

  private Drops(Arguments arguments) {
    this.drops = (int) arguments.number("drops", 1000);
    this.documents = arguments.number("documents", 1_000_000);
  }

  static void run(Arguments arguments) throws Exception {
    Drops bench = new Drops(arguments);
    System.out.printf(
        Locale.ROOT,
        "%-34s %30s %30s%n",
        "ms, " + bench.drops + " collections of 1 document",
        "create p50 / p99 / max",
        "drop p50 / p99 / max");
    bench.embedded(FEW);
    bench.embedded(bench.documents);
    bench.throughDoor();
  }

  /** Creates or drops the collection with a number. */
  private interface Step {
    void run(int number) throws Exception;
  }

  private void embedded(long others) throws Exception {
    Path directory = Files.createTempDirectory("mayfly-bench");
    try (Store store = RocksStore.open(directory.resolve("data"), RocksSettings.defaults());
        Engine engine =
            LocalEngine.open(
                store, System::currentTimeMillis, EngineSettings.standard(System::nanoTime))) {
      Collection orders = Workload.orders(engine);
      Workload.load(orders, 0, others, Workload::id);
      double before = reads(orders, others, READS, new AtomicBoolean());
      AtomicBoolean over = new AtomicBoolean();
      try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
        Future<Double> during = thread.submit(() -> reads(orders, others, Integer.MAX_VALUE, over));
        try {
          String label = String.format(Locale.ROOT, "engine, %,d other documents", others);
          measure(label, number -> create(engine, number), number -> drop(engine, number));
        } finally {
          over.set(true);
        }
        System.out.printf(
            Locale.ROOT,
            "  point read of another collection, us: %.2f before, %.2f during, %.2f after%n",
            before,
            during.get(),
            reads(orders, others, READS, new AtomicBoolean()));
      }
    } finally {
      Scratch.delete(directory);
    }
  }

  private static Namespace name(int number) {
    return new Namespace("bench", "dropped-" + number);
  }

  private static void create(Engine engine, int number) {
    Collection created = engine.create(name(number), Workload.spec());
    created.write(
        List.of(new Write.Insert(Workload.order(number, number))),
        Grouping.ATOMIC,
        Durability.LOGGED);
  }

  private static void drop(Engine engine, int number) {
    engine.drop(name(number));
  }

  /** Returns the mean time of a read in microseconds. */
  private static double reads(Collection orders, long count, int most, AtomicBoolean over) {
    Random random = new Random(count);
    long start = System.nanoTime();
    int done = 0;
    while (done < most && !over.get()) {
      if (orders.read(Workload.key(random.nextLong(count))).isEmpty()) {
        throw new IllegalStateException("an order is lost");
      }
      done++;
    }
    return (System.nanoTime() - start) / 1000.0 / Math.max(done, 1);
  }

  private void throughDoor() throws Exception {
    try (ServerProcess process = ServerProcess.mayfly();
        MongoClient client = MongoClients.create(process.connectionString())) {
      MongoDatabase database = client.getDatabase("bench");
      measure(
          "MongoDB door",
          number -> {
            String name = "dropped-" + number;
            database.createCollection(name);
            database.getCollection(name).insertOne(new Document("_id", number));
          },
          number -> database.getCollection("dropped-" + number).drop());
    }
  }

  private void measure(String label, Step create, Step drop) throws Exception {
    int warmUp = drops / 10;
    double[] creates = new double[drops];
    double[] ends = new double[drops];
    for (int i = -warmUp; i < drops; i++) {
      long start = System.nanoTime();
      create.run(i + warmUp);
      long created = System.nanoTime();
      drop.run(i + warmUp);
      long dropped = System.nanoTime();
      if (i >= 0) {
        creates[i] = (created - start) / NANOS_PER_MILLI;
        ends[i] = (dropped - created) / NANOS_PER_MILLI;
      }
    }
    System.out.printf(Locale.ROOT, "%-34s %30s %30s%n", label, figures(creates), figures(ends));
  }

  private static String figures(double[] millis) {
    Arrays.sort(millis);
    return String.format(
        Locale.ROOT,
        "%.2f / %.2f / %.2f",
        millis[millis.length / 2],
        millis[millis.length * 99 / 100],
        millis[millis.length - 1]);
  }
}
