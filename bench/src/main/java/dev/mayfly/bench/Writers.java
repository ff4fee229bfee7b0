package dev.mayfly.bench;

import com.sun.management.ThreadMXBean;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.shard.HeldTime;
import dev.mayfly.engine.shard.HeldTime.Section;
import dev.mayfly.value.Document;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Benchmark of concurrent writers of one collection in one process: 1, 2, 4, 8 and 64 threads
 * insert, update and insert in bulk; of two writers of two stores, which share only the machine;
 * and of one reader beside a writer.
 *
 * <ul>
 *   <li><i>cpu us</i> is the CPU time of the writing threads per document, <i>of 1</i> the same
 *       relative to one thread. <i>all us</i> is the CPU time of the process, with flushes,
 *       compactions and garbage collections, which may be due to earlier rows.
 *   <li><i>held ns</i> is the time per document for which a writer holds what all writers of the
 *       collection share. One second divided by it is the limit of a collection, however many cores
 *       there are.
 *   <li><i>off ns</i> is the time per document for which a writer that holds it does not run,
 *       because of the scheduler or a garbage collection: with more threads than cores that
 *       happens.
 *   <li><i>drain ns</i> is the time per document for which background work waits for the writes in
 *       progress and keeps others out.
 *   <li><i>bytes</i> is what is allocated on the heap per document, without the document itself.
 * </ul>
 *
 * <p>Arguments: {@code seconds=N} per row (default 3), {@code documents=N} to update (default
 * 100,000), {@code only} with names of operations, {@code images} to store documents in the change
 * feed, too, as servers do; {@code sections} for the time under each lock, {@code unmeasured} to
 * leave it out.
 */
final class Writers {
  private static final int MOST_THREADS = 64;

  /** The last row shows how much more a write of one thread costs after all the others. */
  private static final List<Integer> THREADS = List.of(1, 2, 4, 8, MOST_THREADS, 1);

  private static final int BULK = 100;
  private static final double WARM_UP_SHARE = 2;
  private static final int PREPARED = 20_000;

  private final Arguments arguments;
  private final int documents;
  private final double seconds;
  private final AtomicLong next = new AtomicLong();
  private final ThreadMXBean threadCounters = (ThreadMXBean) ManagementFactory.getThreadMXBean();

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
  private record Operation(String name, int documents, Function<Random, List<Write>> writes) {}

  private void run() throws Exception {
    Scratch.engine(this::measure);
  }

  private void measure(Engine engine) throws Exception {
    ChangeImageMode images =
        arguments.has("images") ? ChangeImageMode.DIFFERENCES : ChangeImageMode.NONE;
    Collection orders = Workload.orders(engine, images);
    Workload.load(orders, 0, documents, Workload::id);
    next.set(documents);
    System.out.printf(
        Locale.ROOT,
        "%-24s %7s %11s %8s %6s %8s %8s %8s %8s %8s%n",
        "1 KB, 2 indexes, 1 lane",
        "threads",
        "documents/s",
        "cpu us",
        "of 1",
        "all us",
        "held ns",
        "off ns",
        "drain ns",
        "bytes");
    for (Operation operation : operations()) {
      if (isWanted(operation.name())) {
        rows(orders, operation);
      }
    }
    if (isWanted("apart") || isWanted("read")) {
      besideAnotherStore(orders);
    }
  }

  private boolean isWanted(String name) {
    return !arguments.has("only") || arguments.has(name);
  }

  private List<Operation> operations() {
    return List.of(
        new Operation("insert", 1, _ -> List.of(insert(next.getAndIncrement()))),
        new Operation("ascending", 1, _ -> List.of(ascending(next.getAndIncrement()))),
        new Operation("update", 1, random -> List.of(update(random.nextInt(documents), random))),
        new Operation("hot", 1, random -> List.of(update(0, random))),
        new Operation("bulk", BULK, _ -> bulk()));
  }

  private static void write(Collection orders, List<Write> writes) {
    if (!orders.write(writes, Grouping.UNORDERED, Durability.LOGGED).complete()) {
      throw new IllegalStateException("a write failed");
    }
  }

  /** An id in random order. */
  private static Write insert(long number) {
    return new Write.Insert(
        Workload.order(Workload.scattered(number), number, number * 7919 % 1_000_003));
  }

  /** An id above all others. */
  private static Write ascending(long number) {
    return new Write.Insert(Workload.order("z" + number, number, number * 7919 % 1_000_003));
  }

  private static Write update(int number, Random random) {
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

  private void rows(Collection orders, Operation operation) throws Exception {
    Load.Work work = random -> write(orders, operation.writes().apply(random));
    Load.seconds(MOST_THREADS, seconds * WARM_UP_SHARE, work);
    double alone = Double.NaN;
    for (int threads : THREADS) {
      alone = row(operation.name(), operation, threads, work, alone);
    }
  }

  /**
   * Measures and prints a row.
   *
   * @param alone CPU time per document of one thread; NaN if this is its row
   * @return {@code alone}, or what this row has measured
   */
  private double row(String name, Operation operation, int threads, Load.Work work, double alone)
      throws Exception {
    double prepared = preparedBytes(operation);
    long[] before = counters();
    Load.Done done = Load.seconds(threads, seconds, work);
    long[] after = counters();
    double written = (double) done.operations() * operation.documents();
    double micros = done.processorNanos() / 1000.0 / written;
    double one = Double.isNaN(alone) ? micros : alone;
    System.out.printf(
        Locale.ROOT,
        "%-24s %7d %,11.0f %8.2f %6.2f %8.2f %,8.0f %,8.0f %,8.0f %,8.0f%n",
        name,
        threads,
        done.perSecond() * operation.documents(),
        micros,
        micros / one,
        (after[0] - before[0]) / 1000.0 / written,
        (after[1] - before[1]) / written,
        (after[2] - before[2]) / written,
        (after[3] - before[3]) / written,
        (after[4] - before[4]) / written - prepared);
    if (arguments.has("sections")) {
      sections(before, after, written);
    }
    return one;
  }

  /** CPU time; held, off and drain time; allocated bytes; then held time of each section. */
  private long[] counters() {
    Section[] sections = Section.values();
    long[] counters = new long[5 + sections.length];
    counters[0] = processorNanos();
    for (int i = 0; i < sections.length; i++) {
      long nanos = HeldTime.nanos(sections[i]);
      counters[5 + i] = nanos;
      counters[sections[i] == Section.DRAIN ? 3 : 1] += nanos;
      counters[2] += HeldTime.interruptedNanos(sections[i]);
    }
    counters[4] = threadCounters.getTotalThreadAllocatedBytes();
    return counters;
  }

  private static void sections(long[] before, long[] after, double written) {
    Section[] sections = Section.values();
    for (int i = 0; i < sections.length; i++) {
      System.out.printf(
          Locale.ROOT,
          "    %-12s %,8.0f ns%n",
          sections[i].name().toLowerCase(Locale.ROOT),
          (after[5 + i] - before[5 + i]) / written);
    }
  }

  /** Bytes that the benchmark allocates for a document. */
  private double preparedBytes(Operation operation) {
    Random random = new Random(1);
    int prepared = 0;
    long before = threadCounters.getCurrentThreadAllocatedBytes();
    while (prepared < PREPARED) {
      prepared += operation.writes().apply(random).size();
    }
    return (threadCounters.getCurrentThreadAllocatedBytes() - before) / (double) prepared;
  }

  private void besideAnotherStore(Collection orders) throws Exception {
    Scratch.engine(
        engine -> {
          Collection others = Workload.orders(engine);
          if (isWanted("apart")) {
            apart(List.of(orders, others));
          }
          if (isWanted("read")) {
            reads(orders, others);
          }
        });
  }

  /**
   * Two threads insert into a store each, which have nothing in common but the machine: so much
   * more does a write cost while the other core is busy.
   */
  private void apart(List<Collection> targets) throws Exception {
    Operation insert = operations().getFirst();
    double alone = Double.NaN;
    for (int threads : List.of(1, 2, 1, 2)) {
      AtomicInteger started = new AtomicInteger();
      Map<Thread, Collection> ofThread = new ConcurrentHashMap<>();
      Load.Work work =
          random -> {
            Collection target =
                ofThread.computeIfAbsent(
                    Thread.currentThread(),
                    _ -> targets.get(started.getAndIncrement() % targets.size()));
            write(target, insert.writes().apply(random));
          };
      alone = row("insert apart", insert, threads, work, alone);
    }
  }

  /**
   * One thread reads by id: alone, while another thread inserts into another store, and while it
   * inserts into the same collection. The difference of the last two is what they share.
   */
  private void reads(Collection orders, Collection others) {
    readRow("read, to warm up", orders, List.of(others, orders));
    readRow("read", orders, List.of());
    readRow("read, writer elsewhere", orders, List.of(others));
    readRow("read, writer beside", orders, List.of(orders));
  }

  private void readRow(String name, Collection orders, List<Collection> written) {
    AtomicBoolean ended = new AtomicBoolean();
    try (ExecutorService writing = Executors.newCachedThreadPool()) {
      for (Collection target : written) {
        writing.execute(
            () -> {
              while (!ended.get()) {
                write(target, List.of(insert(next.getAndIncrement())));
              }
            });
      }
      Random random = new Random(7);
      long reads = 0;
      long start = System.nanoTime();
      long processor = threadCounters.getCurrentThreadCpuTime();
      while (System.nanoTime() - start < seconds * 1e9) {
        for (int i = 0; i < BULK; i++) {
          if (orders.read(Workload.key(random.nextInt(documents))).isEmpty()) {
            throw new IllegalStateException("not there");
          }
        }
        reads += BULK;
      }
      double micros = (threadCounters.getCurrentThreadCpuTime() - processor) / 1000.0 / reads;
      double perSecond = reads / ((System.nanoTime() - start) / 1e9);
      ended.set(true);
      System.out.printf(
          Locale.ROOT, "%-24s %7d %,11.0f %8.2f%n", name, 1 + written.size(), perSecond, micros);
    }
  }

  private static long processorNanos() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime();
  }
}
