package dev.mayfly.bench;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.store.Store;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * Benchmark of queries around a mass expiry, in the engine: how long they take before the deadline,
 * for the first time after it, while the sweep works, and after it.
 *
 * <p>Of eleven documents ten expire at one instant. The others are inserted last, so that their
 * numbers are the highest; their ids are either the highest, too, or scattered. Every query is also
 * measured on a collection that has the surviving documents only: its first run there reads
 * documents that no query has read before, as the first run after the deadline does.
 */
final class QueryStorm {
  private static final Duration LIFE = Duration.ofHours(1);
  private static final int SURVIVORS = 10;
  private static final int PER_GROUP = 100;
  private static final int USERS = 10_000;
  private static final int FIRST = 100;
  private static final FieldPath EXPIRES = FieldPath.of("expireAt");
  private static final FieldPath NUMBER = FieldPath.of("number");
  private static final FieldPath USER = FieldPath.of("user");

  private final LocalEngine engine;
  private final ManualClock clock;
  private final long documents;
  private boolean expired;

  private QueryStorm(LocalEngine engine, ManualClock clock, long documents) {
    this.engine = engine;
    this.clock = clock;
    this.documents = documents;
  }

  /** With {@code restart}, the engine is closed and opened again before the queries. */
  static void run(Arguments arguments) throws Exception {
    long documents = arguments.number("documents", 1_000_000);
    for (boolean scattered : new boolean[] {false, true}) {
      String what = scattered ? "scattered ids" : "ids in order";
      LongFunction<String> ids = scattered ? Workload::scattered : Workload::id;
      Path directory = Files.createTempDirectory("mayfly-storm");
      ManualClock clock = new ManualClock(1_700_000_000_000L);
      try {
        if (arguments.has("restart")) {
          open(directory, clock, engine -> new QueryStorm(engine, clock, documents).load(ids));
          open(directory, clock, engine -> new QueryStorm(engine, clock, documents).reopened(what));
        } else {
          open(
              directory,
              clock,
              engine -> {
                QueryStorm storm = new QueryStorm(engine, clock, documents);
                storm.load(ids);
                storm.measure(what);
              });
        }
      } finally {
        Scratch.delete(directory);
      }
    }
  }

  private static void open(Path directory, ManualClock clock, Consumer<LocalEngine> use) {
    RocksSettings rocks = RocksSettings.defaults().withCacheBytes(256L << 20);
    try (Store store = RocksStore.open(directory, rocks);
        LocalEngine engine =
            LocalEngine.open(store, clock, EngineSettings.standard(System::nanoTime))) {
      use.accept(engine);
    }
  }

  private void load(LongFunction<String> ids) {
    Collection all = create("all");
    Collection few = create("few");
    long survivors = documents / SURVIVORS;
    load(all, 0, documents, ids, LIFE);
    load(all, documents, documents + survivors, ids, LIFE.multipliedBy(10));
    load(few, documents, documents + survivors, ids, LIFE.multipliedBy(10));
  }

  /** Waits until the background tasks have read what is kept in memory only, and measures. */
  private void reopened(String what) {
    long start = System.nanoTime();
    while (engine.collection(new Namespace("storm", "all")).owners().stream()
        .anyMatch(owner -> owner.zones().isIncomplete())) {
      LockSupport.parkNanos(1_000_000);
    }
    System.out.printf(
        Locale.ROOT, "zones are known %.1f s after the start%n", (System.nanoTime() - start) / 1e9);
    measure(what + ", restarted");
  }

  private void measure(String what) {
    Collection all = engine.collection(new Namespace("storm", "all"));
    Collection few = engine.collection(new Namespace("storm", "few"));
    QueryTimes times = new QueryTimes(operations(all));
    engine.pauseSweep();
    times.measure("before");
    times.measureOnce("first without", operations(few));
    times.measure("without", operations(few));
    clock.advance(LIFE);
    expired = true;
    times.measureOnce("first after");
    times.measure("next after");
    engine.resumeSweep();
    times.measureWhile("in the sweep", () -> engine.sweepStats().documents() < documents);
    times.measure("after it");
    times.print(what);
  }

  private Collection create(String name) {
    return engine.create(
        new Namespace("storm", name),
        CollectionSpec.mongo()
            .withIndex(IndexSpec.implicit("expireAt_1", Part.ascending(EXPIRES)))
            .withIndex(IndexSpec.implicit("number_1", Part.ascending(NUMBER)))
            .withIndex(IndexSpec.implicit("user_1", Part.ascending(USER)))
            .withTimeToLive(TimeToLive.NONE.withIndex("expireAt_1", 0)));
  }

  private void load(Collection to, long from, long end, LongFunction<String> ids, Duration life) {
    Value expires = Value.date(clock.now() + life.toMillis());
    List<Write> group = new ArrayList<>();
    for (long i = from; i < end; i++) {
      group.add(
          new Write.Insert(
              Document.writer()
                  .put("_id", ids.apply(i))
                  .put("user", "user-" + i % USERS)
                  .put("number", i)
                  .put("expireAt", expires)
                  .put("note", Workload.note())
                  .build()));
      if (group.size() == PER_GROUP || i == end - 1) {
        to.write(group, Grouping.UNORDERED, Durability.LOGGED);
        group.clear();
      }
    }
  }

  /** The operations by their names; each returns how many documents it has found. */
  private Map<String, LongSupplier> operations(Collection collection) {
    Filter soon =
        new Filter.Compare(
            EXPIRES, Operator.LT, Value.date(clock.now() + LIFE.multipliedBy(20).toMillis()));
    Query range = Query.of(soon, Dialect.MONGO.mode()).orderedBy(Sort.ascending(EXPIRES));
    Query everything = Query.of(Filter.all(), Dialect.MONGO.mode());
    Query grows = everything.orderedBy(Sort.ascending(NUMBER));
    Query one = Query.of(Filter.equal(USER, Value.of("user-7")), Dialect.MONGO.mode());
    long survivors = documents / SURVIVORS;
    Map<String, LongSupplier> operations = new LinkedHashMap<>();
    operations.put("count", () -> checked(collection.count(Filter.all()), survivors));
    operations.put(
        "range on the TTL field, first 100", () -> checked(found(collection, range, FIRST), FIRST));
    operations.put(
        "find by an index that grows, first 100",
        () -> checked(found(collection, grows, FIRST), FIRST));
    operations.put(
        "find by an index, one of 10,000 values",
        () -> checked(found(collection, one, Long.MAX_VALUE), survivors / USERS));
    operations.put("scan, first 100", () -> checked(found(collection, everything, FIRST), FIRST));
    operations.put(
        "scan of all", () -> checked(found(collection, everything, Long.MAX_VALUE), survivors));
    return operations;
  }

  /** Checks how many documents were found once most have expired. */
  private long checked(long found, long expected) {
    if (expired && found != expected) {
      throw new IllegalStateException("found " + found + " instead of " + expected);
    }
    return found;
  }

  private static long found(Collection collection, Query query, long most) {
    long found = 0;
    try (Cursor cursor = collection.query(query.limitedTo(most))) {
      while (cursor.next()) {
        found++;
      }
    }
    return found;
  }
}
