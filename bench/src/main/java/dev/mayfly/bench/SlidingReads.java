package dev.mayfly.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.TimeToLive.Sliding;
import dev.mayfly.engine.Write;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Benchmark of sliding expiry, on RocksDB: reads by id of a collection without a TTL, with a TTL,
 * and with a sliding TTL of the standard slack and of a slack of a second. They take turns, so that
 * they meet the same machine. First one thread reads as fast as it can, then at a fixed rate, with
 * the CPU time of the whole process: touches are persisted in the background. Then {@link
 * FeatureCosts} adds inserts and the sweep.
 *
 * <p>Arguments: {@code documents=N} per collection (default 20,000), {@code rounds=N} (default 15),
 * {@code reads=N} per round (default 100,000), {@code rate=N} reads per second (default 30,000),
 * {@code seconds=N} at that rate per collection (default 20).
 */
final class SlidingReads {
  private static final int LIFE_SECONDS = 1_800;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final int TURNS = 4;
  private static final int BURST = 300;
  private static final int COST_ROUNDS = 5;

  private final int documents;
  private final int rounds;
  private final int reads;
  private final int rate;
  private final int seconds;
  private final OperatingSystemMXBean process =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final Random random = new Random(7);

  private SlidingReads(Arguments arguments) {
    this.documents = (int) arguments.number("documents", 20_000);
    this.rounds = (int) arguments.number("rounds", 15);
    this.reads = (int) arguments.number("reads", 100_000);
    this.rate = (int) arguments.number("rate", 30_000);
    this.seconds = (int) arguments.number("seconds", 20);
  }

  /** A collection and the time of its reads, in nanoseconds. */
  private static final class Row {
    private final String label;
    private final Collection collection;
    private long reading;
    private long cpu;

    Row(String label, Collection collection) {
      this.label = label;
      this.collection = collection;
    }
  }

  static void run(Arguments arguments) throws Exception {
    SlidingReads reads = new SlidingReads(arguments);
    Scratch.engine(reads::measure);
    CollectionSpec plain = FeatureCosts.plain();
    Map<String, CollectionSpec> specs = new LinkedHashMap<>();
    specs.put("TTL", plain);
    specs.put(
        "sliding TTL",
        plain.withTimeToLive(plain.timeToLive().withSliding(TimeToLive.PROPERTY_RULE)));
    FeatureCosts.run(reads.documents, COST_ROUNDS, specs);
  }

  private void measure(Engine engine) {
    TimeToLive ttl = TimeToLive.NONE.withDefault(LIFE_SECONDS);
    String rule = TimeToLive.PROPERTY_RULE;
    List<Row> rows =
        List.of(
            row(engine, "no TTL", "none", TimeToLive.NONE),
            row(engine, "TTL", "plain", ttl),
            row(engine, "sliding TTL, slack 90 s", "sliding", ttl.withSliding(rule)),
            row(
                engine,
                "sliding TTL, slack 1 s",
                "tight",
                ttl.withSliding(rule, Optional.of(new Sliding(1, false)))));
    rows.forEach(this::fill);
    rows.forEach(this::read); // warms up
    rows.forEach(row -> row.reading = 0);
    for (int round = 0; round < rounds; round++) {
      rows.forEach(this::read);
    }
    for (int turn = 0; turn < TURNS; turn++) {
      for (Row row : rows) {
        readAtRate(row);
      }
    }
    System.out.printf(
        Locale.ROOT, "%-34s %14s %20s%n", "us", "read by id", "CPU at " + rate + "/s");
    double paced = (double) TURNS * readsPerTurn();
    for (Row row : rows) {
      System.out.printf(
          Locale.ROOT,
          "%-34s %14.3f %20.3f%n",
          row.label,
          row.reading / ((double) rounds * reads) / NANOS_PER_MICRO,
          row.cpu / paced / NANOS_PER_MICRO);
    }
  }

  private long readsPerTurn() {
    return (long) seconds * rate / TURNS;
  }

  /** Reads in short bursts, and adds the CPU time of the process. */
  private void readAtRate(Row row) {
    long before = process.getProcessCpuTime();
    long start = System.nanoTime();
    long count = readsPerTurn();
    for (long done = 0; done < count; done += BURST) {
      long due = start + done * TimeUnit.SECONDS.toNanos(1) / rate;
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      for (int i = 0; i < BURST; i++) {
        row.collection.read(DocumentKey.of(Value.of(random.nextInt(documents))));
      }
    }
    row.cpu += process.getProcessCpuTime() - before;
  }

  private static Row row(Engine engine, String label, String name, TimeToLive ttl) {
    CollectionSpec spec = CollectionSpec.mongo().withTimeToLive(ttl);
    return new Row(label, engine.create(new Namespace("bench", name), spec));
  }

  private void fill(Row row) {
    for (int i = 0; i < documents; i++) {
      Document document = Document.writer().put("_id", i).put("pad", "x".repeat(200)).build();
      row.collection.write(List.of(new Write.Insert(document)), Grouping.ATOMIC, Durability.LOGGED);
    }
  }

  private void read(Row row) {
    long start = System.nanoTime();
    for (int i = 0; i < reads; i++) {
      row.collection.read(DocumentKey.of(Value.of(random.nextInt(documents))));
    }
    row.reading += System.nanoTime() - start;
  }
}
