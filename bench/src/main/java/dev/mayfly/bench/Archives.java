package dev.mayfly.bench;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.archive.ArchiveSettings;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.value.Document;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Benchmark of actions on expiry, on RocksDB: inserts, and sweep with delivery, of a collection
 * without an action, of one that moves its documents and of one that appends them to files. The
 * three take turns, so that they meet the same machine.
 *
 * <p>Arguments: {@code documents=N} per collection and round (default 200,000), {@code rounds=N}
 * (default 5).
 */
final class Archives {
  private static final int LIFE_SECONDS = 60;
  private static final int BATCH = 500;
  private static final double NANOS_PER_MICRO = 1e3;

  private final int documents;
  private final int rounds;
  private final ManualClock clock = new ManualClock(System.currentTimeMillis());

  private Archives(Arguments arguments) {
    this.documents = (int) arguments.number("documents", 200_000);
    this.rounds = (int) arguments.number("rounds", 5);
  }

  /** A collection and its figures, in nanoseconds. */
  private static final class Row {
    private final String label;
    private final Collection collection;
    private int next;
    private long inserting;
    private long sweeping;

    Row(String label, Collection collection) {
      this.label = label;
      this.collection = collection;
    }
  }

  static void run(Arguments arguments) throws Exception {
    Archives bench = new Archives(arguments);
    Scratch.engine(
        bench.clock,
        directory ->
            EngineSettings.standard(System::nanoTime)
                .withBackground(false)
                .withArchive(ArchiveSettings.STANDARD.withDirectory(directory.resolve("archive"))),
        bench::measure);
  }

  private void measure(Engine engine) {
    CollectionSpec spec = CollectionSpec.mongo().withDefaultTtl(LIFE_SECONDS);
    engine.create(new Namespace("bench", "past"), CollectionSpec.mongo());
    List<Row> rows =
        List.of(
            new Row("no action", engine.create(new Namespace("bench", "none"), spec)),
            new Row(
                "move to another collection",
                engine.create(
                    new Namespace("bench", "moved"),
                    spec.withOnExpire(OnExpire.moveTo("bench", "past")))),
            new Row(
                "files, NDJSON, gzip",
                engine.create(
                    new Namespace("bench", "filed"), spec.withOnExpire(OnExpire.files("filed")))));
    for (int round = 0; round < rounds; round++) {
      for (Row row : rows) {
        long start = System.nanoTime();
        insert(row);
        long inserted = System.nanoTime();
        clock.advance(Duration.ofSeconds(LIFE_SECONDS + 1));
        engine.workUntilIdle();
        row.inserting += inserted - start;
        row.sweeping += System.nanoTime() - inserted;
      }
    }
    System.out.printf(
        Locale.ROOT, "%-34s %14s %20s%n", "us per document", "insert", "sweep and delivery");
    double operations = (double) rounds * documents;
    for (Row row : rows) {
      System.out.printf(
          Locale.ROOT,
          "%-34s %14.2f %20.2f%n",
          row.label,
          row.inserting / operations / NANOS_PER_MICRO,
          row.sweeping / operations / NANOS_PER_MICRO);
    }
  }

  private void insert(Row row) {
    for (int done = 0; done < documents; done += BATCH) {
      List<Write> writes = new ArrayList<>(BATCH);
      for (int i = 0; i < BATCH; i++) {
        writes.add(
            new Write.Insert(
                Document.writer().put("_id", row.next++).put("pad", "x".repeat(200)).build()));
      }
      row.collection.write(writes, Grouping.ATOMIC, Durability.LOGGED);
    }
  }
}
