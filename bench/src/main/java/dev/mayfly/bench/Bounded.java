package dev.mayfly.bench;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Benchmark of bounded collections, on RocksDB: inserts into a collection without a limit, with a
 * limit that is not reached, and with one that is, so that every insert evicts a document. The
 * three take turns, so that they meet the same machine. Reads by id follow.
 *
 * <p>Arguments: {@code documents=N} per collection before the measurement (default 200,000), {@code
 * rounds=N} (default 9).
 */
final class Bounded {
  private static final int PER_ROUND = 20_000;
  private static final int LIFE_SECONDS = 1_000_000;
  private static final double NANOS_PER_MICRO = 1e3;

  private final int documents;
  private final int rounds;
  private final Random random = new Random(7);

  private Bounded(Arguments arguments) {
    this.documents = (int) arguments.number("documents", 200_000);
    this.rounds = (int) arguments.number("rounds", 9);
  }

  /** A collection and its figures, in nanoseconds. */
  private static final class Row {
    private final String label;
    private final Collection collection;
    private int next;
    private long inserting;
    private long reading;

    Row(String label, Collection collection) {
      this.label = label;
      this.collection = collection;
    }
  }

  static void run(Arguments arguments) throws Exception {
    Scratch.engine(new Bounded(arguments)::measure);
  }

  private void measure(Engine engine) {
    CollectionSpec spec = CollectionSpec.mongo().withDefaultTtl(LIFE_SECONDS);
    List<Row> rows =
        List.of(
            new Row("no limit", engine.create(new Namespace("bench", "free"), spec)),
            new Row(
                "limit not reached",
                engine.create(
                    new Namespace("bench", "roomy"), spec.withLimits(0, Integer.MAX_VALUE))),
            new Row(
                "each insert evicts one document",
                engine.create(new Namespace("bench", "full"), spec.withLimits(0, documents))));
    rows.forEach(row -> insert(row, documents));
    for (int round = 0; round < rounds; round++) {
      for (Row row : rows) {
        long start = System.nanoTime();
        insert(row, PER_ROUND);
        long inserted = System.nanoTime();
        read(row);
        row.inserting += inserted - start;
        row.reading += System.nanoTime() - inserted;
      }
    }
    System.out.printf(Locale.ROOT, "%-34s %14s %14s%n", "us", "insert", "read by id");
    double operations = (double) rounds * PER_ROUND;
    for (Row row : rows) {
      System.out.printf(
          Locale.ROOT,
          "%-34s %14.2f %14.2f%n",
          row.label,
          row.inserting / operations / NANOS_PER_MICRO,
          row.reading / operations / NANOS_PER_MICRO);
    }
  }

  private void insert(Row row, int count) {
    for (int i = 0; i < count; i++) {
      Document document =
          Document.writer()
              .put("_id", row.next++)
              .put("ttl", 1 + random.nextInt(LIFE_SECONDS))
              .put("pad", "x".repeat(200))
              .build();
      row.collection.write(List.of(new Write.Insert(document)), Grouping.ATOMIC, Durability.LOGGED);
    }
  }

  private void read(Row row) {
    for (int i = 0; i < PER_ROUND; i++) {
      row.collection.read(DocumentKey.of(Value.of(random.nextInt(row.next))));
    }
  }
}
