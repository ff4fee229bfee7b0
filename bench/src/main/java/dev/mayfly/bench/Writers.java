package dev.mayfly.bench;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.shard.HeldTime;
import dev.mayfly.store.Store;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Benchmark of concurrent writers of one collection in one process: 1, 2, 4, 8 and 64 threads
 * insert, update and insert in bulk. Shows the throughput, the CPU time of the whole process per
 * operation, also relative to one thread, and the time per operation for which a writer holds what
 * all writers of the collection share.
 *
 * <p>One second divided by that time is the limit of a collection, however many cores there are.
 *
 * <p>Arguments: {@code seconds=N} per row (default 3), {@code documents=N} to update (default
 * 100,000), {@code only} with names of operations, {@code unmeasured} to leave out the time under
 * locks.
 */
final class Writers {
  private static final List<Integer> THREADS = List.of(1, 2, 4, 8, 64);
  private static final int BULK = 100;
  private static final double WARM_UP_SHARE = 2;

  private final Arguments arguments;
  private final int documents;
  private final double seconds;
  private final AtomicLong next = new AtomicLong();

  private Writers(Arguments arguments) {
    this.arguments = arguments;
    this.documents = (int) arguments.number("documents", 100_000);
    this.seconds = arguments.number("seconds", 3);
  }

  static void run(Arguments arguments) throws Exception {
    // before the class is initialized
    System.setProperty("mayfly.measureLocks", Boolean.toString(!arguments.has("unmeasured")));
    HeldTime.useTicker(System::nanoTime);
    new Writers(arguments).run();
  }

  /**
   * One operation of a writer.
   *
   * @param documents that it writes
   */
  private record Operation(String name, int documents, Load.Work work) {}

  private void run() throws Exception {
    Path directory = Files.createTempDirectory("mayfly-bench");
    try (Store store = RocksStore.open(directory.resolve("data"), RocksSettings.defaults());
        Engine engine =
            LocalEngine.open(
                store, System::currentTimeMillis, EngineSettings.standard(System::nanoTime))) {
      Collection orders = Workload.orders(engine);
      Workload.load(orders, 0, documents, Workload::id);
      next.set(documents);
      System.out.printf(
          Locale.ROOT,
          "%-26s %7s %12s %10s %10s %10s%n",
          "1 KB, 2 indexes, 1 lane",
          "threads",
          "documents/s",
          "cpu us",
          "of 1",
          "held ns");
      for (Operation operation : operations(orders)) {
        if (!arguments.has("only") || arguments.has(operation.name())) {
          rows(operation);
        }
      }
    } finally {
      Scratch.delete(directory);
    }
  }

  private List<Operation> operations(Collection orders) {
    return List.of(
        new Operation("insert", 1, _ -> write(orders, List.of(insert(next.getAndIncrement())))),
        new Operation("update", 1, random -> write(orders, List.of(update(random)))),
        new Operation("bulk", BULK, _ -> write(orders, bulk())));
  }

  private static void write(Collection orders, List<Write> writes) {
    if (!orders.write(writes, Grouping.UNORDERED, Durability.LOGGED).complete()) {
      throw new IllegalStateException("a write failed");
    }
  }

  private static Write insert(long number) {
    return new Write.Insert(
        Workload.order(Workload.scattered(number), number, number * 7919 % 1_000_003));
  }

  private Write update(Random random) {
    int number = random.nextInt(documents);
    Document after = Workload.order(number, random.nextInt(1_000_003));
    return new Write.Update(Workload.key(number), _ -> after);
  }

  private List<Write> bulk() {
    long from = next.getAndAdd(BULK);
    List<Write> writes = new ArrayList<>(BULK);
    for (int i = 0; i < BULK; i++) {
      writes.add(insert(from + i));
    }
    return writes;
  }

  private void rows(Operation operation) throws Exception {
    Load.seconds(THREADS.getLast(), seconds * WARM_UP_SHARE, operation.work());
    double alone = Double.NaN;
    for (int threads : THREADS) {
      long held = HeldTime.nanos();
      long processor = processorNanos();
      Load.Done done = Load.seconds(threads, seconds, operation.work());
      double written = (double) done.operations() * operation.documents();
      double micros = (processorNanos() - processor) / 1000.0 / written;
      alone = threads == 1 ? micros : alone;
      System.out.printf(
          Locale.ROOT,
          "%-26s %7d %,12.0f %10.2f %10.2f %10s%n",
          operation.name(),
          threads,
          done.perSecond() * operation.documents(),
          micros,
          micros / alone,
          HeldTime.isOn()
              ? String.format(Locale.ROOT, "%,.0f", (HeldTime.nanos() - held) / written)
              : "-");
    }
  }

  private static long processorNanos() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime();
  }
}
