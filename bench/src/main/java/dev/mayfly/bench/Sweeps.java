package dev.mayfly.bench;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/**
 * Benchmark of expiry: Mayfly sweeps documents and frees their space; raw RocksDB deletes all their
 * entries by keys that are known in advance, and compacts.
 *
 * <p>CPU time is that of the whole process, because compaction runs in threads of RocksDB.
 */
final class Sweeps {
  private static final int PER_BATCH = 100;
  private static final int PER_RANGE = 50_000;
  private static final double NANOS = 1e9;

  private final Path directory;
  private final ManualClock clock;
  private final long cacheBytes;
  private final String only;
  private int runs;

  /**
   * @param only text in the labels of the runs to do; others are left out
   */
  Sweeps(Path directory, ManualClock clock, long cacheBytes, String only) {
    this.directory = directory;
    this.clock = clock;
    this.cacheBytes = cacheBytes;
    this.only = only;
  }

  /** Elapsed time and CPU time, in seconds, and bytes of WAL. */
  private record Spent(double elapsed, double processor, long log) {
    static final Spent NOTHING = new Spent(0, 0, 0);

    Spent plus(Spent other) {
      return new Spent(elapsed + other.elapsed, processor + other.processor, log + other.log);
    }
  }

  /** Work to measure. */
  private interface Work {
    void run() throws Exception;
  }

  /** Warm-up, not measured. */
  void warmUp(long documents) throws Exception {
    ours("", documents, documents, Workload::scattered);
  }

  /** Expires the oldest documents and prints the cost. */
  void run(String what, long documents, long expired, LongFunction<String> ids) throws Exception {
    if (!what.contains(only)) {
      return;
    }
    System.out.println("expired: " + what);
    Spent ours = ours("  swept, ", documents, expired, ids);
    try (RawDatabase raw = new RawDatabase(next(), cacheBytes)) {
      inRanges(ids, documents, batches -> write(raw, batches));
      long before = raw.bytes();
      Spent deletes = deletes(raw, ids, expired);
      Spent compaction = measured(raw::compact);
      System.out.printf(Locale.ROOT, "  raw, %,d KB -> %,d KB%n", before >> 10, raw.bytes() >> 10);
      print("raw point deletes", expired, ours, deletes);
      print("raw point deletes and compaction", expired, ours, deletes.plus(compaction));
      System.out.printf(
          Locale.ROOT,
          "  log, bytes per document: %.1f / %.1f, ratio %.3f%n",
          (double) ours.log() / expired,
          (double) deletes.log() / expired,
          (double) ours.log() / deletes.log());
    }
  }

  private Path next() {
    return directory.resolve("sweep-" + runs++);
  }

  private static EngineSettings settings() {
    return EngineSettings.standard(System::nanoTime).withBackground(false);
  }

  private Spent ours(String label, long documents, long expired, LongFunction<String> ids)
      throws Exception {
    RocksSettings rocks = RocksSettings.defaults().withCacheBytes(cacheBytes);
    try (Store store = RocksStore.open(next(), rocks);
        Engine engine = LocalEngine.open(store, clock, settings())) {
      Collection orders = Workload.orders(engine);
      Workload.load(orders, 0, expired, ids);
      clock.advance(Duration.ofSeconds(Workload.LIFE_SECONDS / 2));
      Workload.load(orders, expired, documents, ids);
      clock.advance(Duration.ofSeconds(Workload.LIFE_SECONDS / 2 + 1));
      long log = store.stats().walBytesWritten();
      long disk = store.bytesOnDisk(1);
      Spent spent = measured(engine::workUntilIdle);
      if (engine.sweepStats().documents() != expired) {
        throw new IllegalStateException("some expired documents were not swept");
      }
      if (!label.isEmpty()) {
        System.out.printf(
            Locale.ROOT,
            "%s%,d KB -> %,d KB; %.2f s, of which sweeping %.2f s%n",
            label,
            disk >> 10,
            store.bytesOnDisk(1) >> 10,
            spent.elapsed(),
            engine.sweepStats().sweepNanos() / NANOS);
      }
      return spent.plus(new Spent(0, 0, store.stats().walBytesWritten() - log));
    }
  }

  private Spent deletes(RawDatabase raw, LongFunction<String> ids, long expired) throws Exception {
    Spent[] spent = {Spent.NOTHING};
    long log = raw.walBytes();
    inRanges(
        ids,
        expired,
        batches -> {
          List<List<Recording.Operation>> together = new ArrayList<>();
          for (int i = 0; i < batches.size(); i += PER_BATCH) {
            List<Recording.Operation> keys = new ArrayList<>();
            batches
                .subList(i, Math.min(i + PER_BATCH, batches.size()))
                .forEach(batch -> addKeys(batch, keys));
            together.add(keys);
          }
          spent[0] =
              spent[0].plus(
                  measured(
                      () -> {
                        for (List<Recording.Operation> keys : together) {
                          raw.delete(keys);
                        }
                      }));
        });
    return spent[0].plus(new Spent(0, 0, raw.walBytes() - log));
  }

  private static Spent measured(Work work) throws Exception {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long processor = system.getProcessCpuTime();
    long start = System.nanoTime();
    work.run();
    return new Spent(
        (System.nanoTime() - start) / NANOS, (system.getProcessCpuTime() - processor) / NANOS, 0);
  }

  private static void print(String against, long documents, Spent ours, Spent raw) {
    System.out.printf(
        Locale.ROOT,
        "  / %s, documents/s: %,.0f / %,.0f, ratio %.2f, by processor time %.2f%n",
        against,
        documents / ours.elapsed(),
        documents / raw.elapsed(),
        raw.elapsed() / ours.elapsed(),
        raw.processor() / ours.processor());
  }

  /** Consumer of the batches of a range of documents. */
  private interface RangeConsumer {
    void take(List<List<Recording.Operation>> batches) throws Exception;
  }

  /** Passes on the batch of every document, in the order of their numbers. */
  private void inRanges(LongFunction<String> ids, long documents, RangeConsumer consumer)
      throws Exception {
    try (Recording recording = Recording.catalogOnly();
        Engine recorder = LocalEngine.open(recording, clock, settings())) {
      Collection recorded = Workload.orders(recorder);
      recording.take();
      for (long i = 0; i < documents; i++) {
        recorded
            .write(
                List.of(new Write.Insert(Workload.order(ids, i))),
                Grouping.ATOMIC,
                Durability.LOGGED)
            .only();
        if ((i + 1) % PER_RANGE == 0 || i == documents - 1) {
          consumer.take(recording.take());
        }
      }
    }
  }

  private static void write(RawDatabase raw, List<List<Recording.Operation>> batches)
      throws Exception {
    for (List<Recording.Operation> batch : batches) {
      raw.write(batch);
    }
  }

  /** Keys of all entries of a document, except its change in the feed. */
  private static void addKeys(List<Recording.Operation> batch, List<Recording.Operation> keys) {
    for (Recording.Operation operation : batch) {
      boolean feed = operation.space == Space.QUEUES && operation.key[0] == 'F';
      if (!feed && operation.space != Space.META) {
        keys.add(new Recording.Operation(operation.space, operation.key, null));
      }
    }
  }
}
