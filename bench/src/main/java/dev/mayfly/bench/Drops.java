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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.bson.Document;

/**
 * Benchmark of collections that are created and dropped in a row: through the engine on RocksDB,
 * without and with many documents in another collection, and through the MongoDB door with both
 * kinds of durability.
 *
 * <p>Each collection gets one document, so that there are changes to keep. A thread reads and
 * updates documents of the other collection all the time: first alone, then while the collections
 * are created and dropped. Space is freed in the background, as in a server.
 *
 * <p>Arguments: {@code drops=N} (default 1,000), {@code documents=N} of the other collection
 * (default 1,000,000).
 */
final class Drops {
  private static final int FEW = 10_000;
  private static final long ALONE_NANOS = 3_000_000_000L;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;

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
        "%-34s %26s %26s %26s%n",
        "ms, " + bench.drops + " collections of 1 document",
        "create mean / p99 / max",
        "insert mean / p99 / max",
        "drop mean / p99 / max");
    bench.embedded(FEW);
    bench.embedded(bench.documents);
    bench.throughDoor("logged");
    bench.throughDoor("synced");
  }

  /** Does something with the collection with a number. */
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
      Foreground foreground = new Foreground(orders, others);
      long end = System.nanoTime() + ALONE_NANOS;
      foreground.run(() -> System.nanoTime() >= end);
      String alone = foreground.figures();
      AtomicBoolean over = new AtomicBoolean();
      try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
        Future<?> during = thread.submit(() -> foreground.run(over::get));
        try {
          String label = String.format(Locale.ROOT, "engine, %,d other documents", others);
          measure(
              label,
              number -> engine.create(name(number), Workload.spec()),
              number -> insert(engine, number),
              number -> engine.drop(name(number)));
        } finally {
          over.set(true);
        }
        during.get();
      }
      System.out.printf(
          Locale.ROOT,
          "  another collection, us, p50 / p99: alone %s; during %s%n",
          alone,
          foreground.figures());
    } finally {
      Scratch.delete(directory);
    }
  }

  /** Reads and updates random orders. */
  private static final class Foreground {
    private final Collection orders;
    private final long count;
    private final Random random = new Random(7);
    private final List<Double> reads = new ArrayList<>();
    private final List<Double> updates = new ArrayList<>();

    Foreground(Collection orders, long count) {
      this.orders = orders;
      this.count = count;
    }

    void run(BooleanSupplier over) {
      reads.clear();
      updates.clear();
      while (!over.getAsBoolean()) {
        long number = random.nextLong(count);
        long start = System.nanoTime();
        if (orders.read(Workload.key(number)).isEmpty()) {
          throw new IllegalStateException("an order is lost");
        }
        long read = System.nanoTime();
        orders.write(
            List.of(new Write.Replace(Workload.order(number, number))),
            Grouping.ATOMIC,
            Durability.LOGGED);
        reads.add((read - start) / NANOS_PER_MICRO);
        updates.add((System.nanoTime() - read) / NANOS_PER_MICRO);
      }
    }

    String figures() {
      return String.format(Locale.ROOT, "read %s, update %s", figures(reads), figures(updates));
    }

    private static String figures(List<Double> micros) {
      double[] sorted = micros.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      return String.format(
          Locale.ROOT, "%.1f / %.1f", sorted[sorted.length / 2], percentile99(sorted));
    }
  }

  private static double percentile99(double[] sorted) {
    return sorted[(int) (sorted.length * 99L / 100)];
  }

  private static Namespace name(int number) {
    return new Namespace("bench", "dropped-" + number);
  }

  private static void insert(Engine engine, int number) {
    engine
        .collection(name(number))
        .write(
            List.of(new Write.Insert(Workload.order(number, number))),
            Grouping.ATOMIC,
            Durability.LOGGED);
  }

  private void throughDoor(String durability) throws Exception {
    try (ServerProcess process = ServerProcess.mayfly("--durability", durability);
        MongoClient client = MongoClients.create(process.connectionString())) {
      MongoDatabase database = client.getDatabase("bench");
      measure(
          "MongoDB door, " + durability,
          number -> database.createCollection("dropped-" + number),
          number ->
              database.getCollection("dropped-" + number).insertOne(new Document("_id", number)),
          number -> database.getCollection("dropped-" + number).drop());
    }
  }

  private void measure(String label, Step create, Step insert, Step drop) throws Exception {
    int warmUp = drops / 5;
    double[][] millis = new double[3][drops];
    Step[] steps = {create, insert, drop};
    for (int i = -warmUp; i < drops; i++) {
      for (int step = 0; step < steps.length; step++) {
        long start = System.nanoTime();
        steps[step].run(i + warmUp);
        if (i >= 0) {
          millis[step][i] = (System.nanoTime() - start) / NANOS_PER_MILLI;
        }
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%-34s %26s %26s %26s%n",
        label,
        figures(millis[0]),
        figures(millis[1]),
        figures(millis[2]));
  }

  private static String figures(double[] millis) {
    Arrays.sort(millis);
    return String.format(
        Locale.ROOT,
        "%.2f / %.2f / %.2f",
        Arrays.stream(millis).average().orElse(0),
        percentile99(millis),
        millis[millis.length - 1]);
  }
}
