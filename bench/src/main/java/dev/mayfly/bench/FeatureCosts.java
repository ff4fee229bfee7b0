package dev.mayfly.bench;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.archive.ArchiveSettings;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Costs of features of expiry on RocksDB: inserts, reads by id and the sweep of collections with
 * and without a feature. The collections take turns, so that they meet the same machine; the first
 * one is the baseline of all ratios.
 *
 * <p>Each round fills a collection, inserts as many documents again, reads as many of those that
 * are live, lets all expire and sweeps them.
 */
final class FeatureCosts {
  /** The longest life of a document; each has a random one. */
  static final int LIFE_SECONDS = 1_000_000;

  /** The field with the id of the parent, in collections with an index on it. */
  static final String PARENT = "parent";

  /** Number of parents. */
  private static final int PARENTS = 1_000;

  /** A collection that can receive documents, and has parents if documents follow them. */
  static final Namespace PAST = new Namespace("bench", "past");

  private static final double NANOS_PER_MICRO = 1e3;

  private final int documents;
  private final int rounds;
  private final Map<String, CollectionSpec> specs;
  private final ManualClock clock = ManualClock.offset(System::currentTimeMillis);
  private final Random random = new Random(7);

  /** A collection and its costs: nanoseconds and numbers of operations. */
  private static final class Row {
    private final String label;
    private final Collection collection;
    private int next;
    private long inserting;
    private long inserted;
    private long reading;
    private long read;
    private long sweeping;
    private long swept;

    Row(String label, Collection collection) {
      this.label = label;
      this.collection = collection;
    }

    void reset() {
      inserting = inserted = reading = read = sweeping = swept = 0;
    }

    double insert() {
      return inserting / NANOS_PER_MICRO / inserted;
    }

    double read() {
      return reading / NANOS_PER_MICRO / read;
    }

    double sweep() {
      return sweeping / NANOS_PER_MICRO / swept;
    }
  }

  private FeatureCosts(int documents, int rounds, Map<String, CollectionSpec> specs) {
    this.documents = documents;
    this.rounds = rounds;
    this.specs = new LinkedHashMap<>(specs);
  }

  /** A collection without any of the features. */
  static CollectionSpec plain() {
    return CollectionSpec.mongo().withDefaultTtl(LIFE_SECONDS);
  }

  /**
   * Measures collections and prints a table.
   *
   * @param documents inserted per collection and round, twice
   * @param specs the collections by the label of their row, the baseline first
   */
  static void run(int documents, int rounds, Map<String, CollectionSpec> specs) throws Exception {
    FeatureCosts costs = new FeatureCosts(documents, rounds, specs);
    Scratch.engine(
        costs.clock,
        directory ->
            EngineSettings.standard(System::nanoTime)
                .withBackground(false)
                .withArchive(ArchiveSettings.STANDARD.withDirectory(directory.resolve("archive"))),
        costs::measure);
  }

  private void measure(Engine engine) {
    Collection past = engine.create(PAST, CollectionSpec.mongo());
    if (specs.values().stream().anyMatch(spec -> spec.expiresWith().isPresent())) {
      for (int id = 0; id < PARENTS; id++) {
        past.insert(Document.writer().put("_id", id).build());
      }
    }
    List<Row> rows = new ArrayList<>();
    specs.forEach(
        (label, spec) -> {
          Namespace name = new Namespace("bench", "costs-" + rows.size());
          rows.add(new Row(label, engine.create(name, spec)));
        });
    rows.forEach(row -> round(row, engine)); // warms up
    rows.forEach(Row::reset);
    for (int round = 0; round < rounds; round++) {
      rows.forEach(row -> round(row, engine));
    }
    print(rows);
  }

  private void round(Row row, Engine engine) {
    int first = row.next;
    insert(row);
    long start = System.nanoTime();
    insert(row);
    row.inserting += System.nanoTime() - start;
    row.inserted += documents;
    read(row, live(row, first));
    row.swept += row.collection.usage().documents();
    clock.advance(Duration.ofSeconds(LIFE_SECONDS + 1));
    long due = System.nanoTime();
    engine.workUntilIdle();
    row.sweeping += System.nanoTime() - due;
  }

  private void insert(Row row) {
    boolean indexed = !row.collection.spec().indexes().isEmpty();
    for (int i = 0; i < documents; i++) {
      Document document =
          Document.writer()
              .put(PARENT, indexed ? Value.of(row.next % PARENTS) : Value.MISSING)
              .put("_id", row.next++)
              .put("ttl", 1 + random.nextInt(LIFE_SECONDS))
              .put("pad", "x".repeat(200))
              .build();
      row.collection.write(List.of(new Write.Insert(document)), Grouping.ATOMIC, Durability.LOGGED);
    }
  }

  /** Returns the keys of live documents, in random order. */
  private List<DocumentKey> live(Row row, int first) {
    List<DocumentKey> live = new ArrayList<>();
    for (int id = first; id < row.next; id++) {
      DocumentKey key = DocumentKey.of(Value.of(id));
      if (row.collection.peek(key).isPresent()) {
        live.add(key);
      }
    }
    Collections.shuffle(live, random);
    return live.subList(0, Math.min(live.size(), documents));
  }

  private static void read(Row row, List<DocumentKey> keys) {
    long start = System.nanoTime();
    for (DocumentKey key : keys) {
      if (row.collection.read(key).isEmpty()) {
        throw new IllegalStateException(row.label + ": " + key + " is not there");
      }
    }
    row.reading += System.nanoTime() - start;
    row.read += keys.size();
  }

  private static void print(List<Row> rows) {
    System.out.printf(
        Locale.ROOT,
        "%-34s %16s %16s %16s%n",
        "us per document (ratio)",
        "insert",
        "read by id",
        "sweep");
    for (Row row : rows) {
      Row base = rows.getFirst();
      System.out.printf(
          Locale.ROOT,
          "%-34s %8.2f (%5.2f) %8.2f (%5.2f) %8.2f (%5.2f)%n",
          row.label,
          row.insert(),
          row.insert() / base.insert(),
          row.read(),
          row.read() / base.read(),
          row.sweep(),
          row.sweep() / base.sweep());
    }
  }
}
