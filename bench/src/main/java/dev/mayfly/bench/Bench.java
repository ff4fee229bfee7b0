package dev.mayfly.bench;

import dev.mayfly.bench.Rounds.Figure;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyReader;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.rocksdb.RocksIterator;

/**
 * Benchmark of the engine: compares it with raw RocksDB on the same bytes in the same run, and
 * prints one table.
 *
 * <p>Arguments: {@code documents=N} for the sweep and the large TTL change (default 1,000,000),
 * {@code rounds=N} per row (default 9). The first argument {@code mongo} runs {@link MongoBench},
 * {@code storm} {@link Storm}, {@code cosmos} {@link CosmosBench}, {@code start} {@link Start},
 * {@code drops} {@link Drops}, {@code writers} {@link Writers}, {@code bounded} {@link Bounded},
 * {@code followers} {@link Followers}, {@code archive} {@link Archives}, {@code sliding} {@link
 * SlidingReads}, {@code cassandra} {@link CassandraCommits}.
 */
public final class Bench implements AutoCloseable {
  private static final int PER_ROUND = 5_000;
  private static final int WARM_UP = 6;
  private static final int FOUND = 10;
  private static final long CACHE_BYTES = 256L << 20;

  private final Path directory;
  private final int rounds;
  private final long documents;
  private final Random random = new Random(42);
  private final ManualClock clock = new ManualClock(1_700_000_000_000L);

  private Bench(Path directory, int rounds, long documents) {
    this.directory = directory;
    this.rounds = rounds;
    this.documents = documents;
  }

  public static void main(String[] words) throws Exception {
    Arguments arguments = new Arguments(List.of(words));
    switch (arguments.first()) {
      case "mongo" -> MongoBench.run(arguments);
      case "storm" -> Storm.run(arguments);
      case "cosmos" -> CosmosBench.run(arguments);
      case "start" -> Start.run(arguments);
      case "writers" -> Writers.run(arguments);
      case "drops" -> Drops.run(arguments);
      case "bounded" -> Bounded.run(arguments);
      case "followers" -> Followers.run(arguments);
      case "archive" -> Archives.run(arguments);
      case "sliding" -> SlidingReads.run(arguments);
      case "cassandra" -> CassandraCommits.run(arguments);
      case "sweeps" -> runSweeps(arguments);
      default -> run(arguments);
    }
  }

  private static void run(Arguments arguments) throws Exception {
    int rounds = (int) arguments.number("rounds", 9);
    long documents = arguments.number("documents", 1_000_000);
    System.out.printf(
        Locale.ROOT,
        "%-46s %10s %10s %8s %8s %8s%n",
        "1 KB documents, 2 indexes, 1 lane",
        "cpu us",
        "raw",
        "ratio",
        "elapsed",
        "bytes");
    try (Bench bench = new Bench(Files.createTempDirectory("mayfly-bench"), rounds, documents)) {
      bench.documents();
      bench.writesAndReads();
      bench.expiryCheck();
      bench.ttlChange();
      bench.sweeps("");
    }
  }

  /** Runs only the sweeps; {@code only "text"} those whose label contains a text. */
  private static void runSweeps(Arguments arguments) throws Exception {
    long documents = arguments.number("documents", 1_000_000);
    try (Bench bench = new Bench(Files.createTempDirectory("mayfly-bench"), 1, documents)) {
      bench.sweeps(arguments.text("only").orElse(""));
    }
  }

  private static void row(String what, Figure figure) {
    System.out.printf(
        Locale.ROOT,
        "%-46s %10.2f %10.2f %8.2f %8.2f %,8.0f%n",
        what,
        figure.ours(),
        figure.raw(),
        figure.ratio(),
        figure.wallRatio(),
        figure.bytes());
  }

  /**
   * Validates a document, finds its last field and encodes its key; compared with copying its
   * bytes.
   */
  private void documents() throws Exception {
    byte[] bytes = Workload.order(7, 7).bytes();
    long[] sink = new long[1];
    row(
        "check a document / copy it",
        Rounds.compare(
            WARM_UP,
            rounds,
            _ -> {
              for (int i = 0; i < PER_ROUND * 10; i++) {
                sink[0] += Document.of(bytes, Limits.MONGO).length();
              }
              return PER_ROUND * 10;
            },
            _ -> {
              for (int i = 0; i < PER_ROUND * 10; i++) {
                sink[0] += bytes.clone().length;
              }
              return PER_ROUND * 10;
            }));
    Value id = Document.trusted(bytes).field("_id");
    row(
        "encode an id / decode it",
        Rounds.compare(
            WARM_UP,
            rounds,
            _ -> {
              KeyWriter key = new KeyWriter();
              for (int i = 0; i < PER_ROUND * 10; i++) {
                sink[0] += key.clear().append(id, Order.MONGO).length();
              }
              return PER_ROUND * 10;
            },
            _ -> {
              byte[] key = new KeyWriter().append(id, Order.MONGO).bytes();
              for (int i = 0; i < PER_ROUND * 10; i++) {
                sink[0] += new KeyReader(key, 0).read().length();
              }
              return PER_ROUND * 10;
            }));
    if (sink[0] == 0) {
      throw new IllegalStateException("the benchmark has computed nothing");
    }
  }

  private EngineSettings settings() {
    return EngineSettings.standard(System::nanoTime).withBackground(false);
  }

  private Store store(String name) {
    return RocksStore.open(
        directory.resolve(name), RocksSettings.defaults().withCacheBytes(CACHE_BYTES));
  }

  private void writesAndReads() throws Exception {
    try (Store store = store("engine");
        Engine engine = LocalEngine.open(store, clock, settings());
        Recording recording = Recording.keeping();
        Engine recorder = LocalEngine.open(recording, clock, settings());
        RawDatabase raw = new RawDatabase(directory.resolve("raw"), CACHE_BYTES)) {
      Collection orders = Workload.orders(engine);
      Collection recorded = Workload.orders(recorder);
      recording.take();
      inserts(orders, recorded, recording, raw);
      updates(orders, recorded, recording, raw);
      long count = (WARM_UP + rounds) * (long) PER_ROUND;
      raw.flush();
      raw.compact();
      store.reclaim(1, Space.RECORDS);
      store.reclaim(1, Space.ENTRIES);
      pointReads(orders, raw, count);
      indexScans(orders, raw);
      indexedFinds(orders, raw, count);
      recordScans(orders, raw);
    }
  }

  private void inserts(Collection orders, Collection recorded, Recording recording, RawDatabase raw)
      throws Exception {
    List<List<List<Recording.Operation>>> batches = new ArrayList<>();
    List<List<Document>> prepared = new ArrayList<>();
    for (int round = 0; round < WARM_UP + rounds; round++) {
      List<Document> some = new ArrayList<>();
      for (int i = 0; i < PER_ROUND; i++) {
        long number = (long) round * PER_ROUND + i;
        some.add(Workload.order(number, random.nextInt(1_000_000)));
      }
      some.forEach(recorded::insert);
      batches.add(recording.take());
      prepared.add(some);
    }
    row(
        "insert",
        Rounds.compare(
            WARM_UP,
            rounds,
            round -> {
              prepared.get(round).forEach(orders::insert);
              return PER_ROUND;
            },
            round -> write(raw, batches.get(round))));
  }

  private void updates(Collection orders, Collection recorded, Recording recording, RawDatabase raw)
      throws Exception {
    clock.advance(Duration.ofSeconds(2));
    List<List<List<Recording.Operation>>> batches = new ArrayList<>();
    for (int round = 0; round < WARM_UP + rounds; round++) {
      for (int i = 0; i < PER_ROUND; i++) {
        update(recorded, (long) round * PER_ROUND + i);
      }
      batches.add(recording.take());
    }
    row(
        "update (raw: get, then the same batch)",
        Rounds.compare(
            WARM_UP,
            rounds,
            round -> {
              for (int i = 0; i < PER_ROUND; i++) {
                update(orders, (long) round * PER_ROUND + i);
              }
              return PER_ROUND;
            },
            round -> {
              for (List<Recording.Operation> batch : batches.get(round)) {
                raw.get(Space.RECORDS, batch.getFirst().key);
                raw.write(batch);
              }
              return PER_ROUND;
            }));
  }

  private static void update(Collection collection, long number) {
    Document after = Workload.order(number, number % 1_000_003);
    collection
        .write(
            List.of(new Write.Update(Workload.key(number), _ -> after)),
            Grouping.ATOMIC,
            Durability.LOGGED)
        .only();
  }

  private static long write(RawDatabase raw, List<List<Recording.Operation>> batches)
      throws Exception {
    for (List<Recording.Operation> batch : batches) {
      raw.write(batch);
    }
    return batches.size();
  }

  private void pointReads(Collection orders, RawDatabase raw, long count) throws Exception {
    long[][] numbers = new long[WARM_UP + rounds][];
    byte[][][] keys = new byte[WARM_UP + rounds][][];
    for (int round = 0; round < numbers.length; round++) {
      numbers[round] = random.longs(PER_ROUND, 0, count).toArray();
      keys[round] = new byte[PER_ROUND][];
      for (int i = 0; i < PER_ROUND; i++) {
        keys[round][i] =
            new KeyWriter().append(Value.of(Workload.id(numbers[round][i])), Order.MONGO).bytes();
      }
    }
    row(
        "point read",
        Rounds.compare(
            WARM_UP,
            rounds,
            round -> {
              for (long number : numbers[round]) {
                if (orders.read(Workload.key(number)).isEmpty()) {
                  throw new IllegalStateException("not there");
                }
              }
              return PER_ROUND;
            },
            round -> {
              for (byte[] key : keys[round]) {
                if (raw.get(Space.RECORDS, key) == null) {
                  throw new IllegalStateException("not there");
                }
              }
              return PER_ROUND;
            }));
  }

  /** Reads all orders with one status, about 1% of them. */
  private void indexScans(Collection orders, RawDatabase raw) throws Exception {
    FieldPath status = FieldPath.of("status");
    row(
        "indexed scan, per document",
        Rounds.compare(
            WARM_UP,
            rounds,
            round -> {
              Filter filter = Filter.equal(status, Value.of("status-" + round % 100));
              return drain(orders, filter);
            },
            round -> {
              byte[] prefix =
                  new KeyWriter()
                      .appendInt(1)
                      .append(Value.of("status-" + round % 100), Order.MONGO)
                      .bytes();
              return rawIndexScan(raw, prefix);
            }));
  }

  /** Ten orders by a range of amounts. After the updates, amounts are the numbers of the orders. */
  private void indexedFinds(Collection orders, RawDatabase raw, long count) throws Exception {
    FieldPath amount = FieldPath.of("amount");
    long[] from = random.longs(PER_ROUND, 0, count - FOUND).toArray();
    row(
        "indexed find of 10 documents",
        Rounds.compare(
            WARM_UP,
            rounds,
            round -> {
              for (int i = 0; i < PER_ROUND / FOUND; i++) {
                long first = from[(round * PER_ROUND / FOUND + i) % PER_ROUND];
                long found =
                    drain(
                        orders,
                        Filter.and(
                            List.of(
                                new Filter.Compare(amount, Operator.GTE, Value.of(first)),
                                new Filter.Compare(amount, Operator.LT, Value.of(first + FOUND)))));
                expectTen(found);
              }
              return PER_ROUND / FOUND;
            },
            round -> {
              for (int i = 0; i < PER_ROUND / FOUND; i++) {
                long first = from[(round * PER_ROUND / FOUND + i) % PER_ROUND];
                expectTen(rawFind(raw, first));
              }
              return PER_ROUND / FOUND;
            }));
  }

  private static void expectTen(long found) {
    if (found != FOUND) {
      throw new IllegalStateException("expected " + FOUND + " documents, found " + found);
    }
  }

  private static long rawFind(RawDatabase raw, long first) throws Exception {
    byte[] start = RawDatabase.prefixed(amountKey(first));
    byte[] end = RawDatabase.prefixed(amountKey(first + FOUND));
    long found = 0;
    try (RocksIterator iterator = raw.iterator(Space.ENTRIES)) {
      for (iterator.seek(start); iterator.isValid(); iterator.next()) {
        byte[] key = iterator.key();
        if (Arrays.compareUnsigned(key, end) >= 0) {
          break;
        }
        KeyReader amount = new KeyReader(key, RawDatabase.SHARD_BYTES + Integer.BYTES);
        amount.skip();
        byte[] primaryKey = Arrays.copyOfRange(key, amount.position(), key.length);
        byte[] value = iterator.value();
        if (value.length > 0 && raw.get(Space.RECORDS, primaryKey) != null) {
          found++;
        }
      }
    }
    return found;
  }

  private static byte[] amountKey(long amount) {
    return new KeyWriter().appendInt(2).append(Value.of(amount), Order.MONGO).bytes();
  }

  private static long rawIndexScan(RawDatabase raw, byte[] prefix) throws Exception {
    byte[] start = RawDatabase.prefixed(prefix);
    long found = 0;
    try (RocksIterator iterator = raw.iterator(Space.ENTRIES)) {
      for (iterator.seek(start); iterator.isValid(); iterator.next()) {
        byte[] key = iterator.key();
        if (!Arrays.equals(key, 0, start.length, start, 0, start.length)) {
          break;
        }
        byte[] primaryKey = Arrays.copyOfRange(key, start.length, key.length);
        byte[] value = iterator.value();
        if (value.length > 0 && raw.get(Space.RECORDS, primaryKey) != null) {
          found++;
        }
      }
    }
    return found;
  }

  private void recordScans(Collection orders, RawDatabase raw) throws Exception {
    row(
        "record scan, per document",
        Rounds.compare(
            2,
            rounds,
            _ -> drain(orders, Filter.all()),
            _ -> {
              long found = 0;
              try (RocksIterator iterator = raw.iterator(Space.RECORDS)) {
                for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                  found += iterator.key().length > 0 && iterator.value().length > 0 ? 1 : 0;
                }
              }
              return found;
            }));
  }

  private static long drain(Collection collection, Filter filter) {
    long found = 0;
    try (Cursor cursor = collection.query(Query.of(filter, collection.spec().dialect().mode()))) {
      while (cursor.next()) {
        found++;
      }
    }
    return found;
  }

  /**
   * Compares the same scan with and without TTL rules. The position of a shard in files and cache
   * changes the result by a few percent, so one side uses the outer two of four shards, the other
   * the inner two.
   */
  private void expiryCheck() throws Exception {
    try (Store store = store("check");
        Engine engine = LocalEngine.open(store, clock, settings())) {
      List<Collection> four = new ArrayList<>();
      for (long life :
          List.of(Workload.LIFE_SECONDS, TimeToLive.OFF, TimeToLive.OFF, Workload.LIFE_SECONDS)) {
        Namespace name = new Namespace("bench", "check-" + four.size());
        four.add(engine.create(name, Workload.spec().withDefaultTtl(life)));
        Workload.load(four.getLast(), 0, 50_000, Workload::id);
      }
      for (int shard = 1; shard <= four.size(); shard++) {
        store.reclaim(shard, Space.RECORDS);
      }
      row(
          "scan with the expiry check / without",
          Rounds.compareSpread(
              WARM_UP * 4,
              rounds * 8,
              four.stream().map(one -> (Rounds.Round) _ -> drain(one, Filter.all())).toList()));
    }
  }

  private void ttlChange() throws Exception {
    try (Store store = store("change");
        Engine engine = LocalEngine.open(store, clock, settings())) {
      Collection small = Workload.orders(engine);
      Collection large = engine.create(new Namespace("bench", "large"), Workload.spec());
      Workload.load(small, 0, 1_000, Workload::id);
      Workload.load(large, 0, documents, Workload::id);
      row(
          "TTL change, " + documents + " documents / 1000",
          Rounds.compare(
              5, 21, round -> changeTtl(large, round), round -> changeTtl(small, round)));
    }
  }

  private static long changeTtl(Collection collection, int round) {
    collection.alter(spec -> spec.withDefaultTtl(round % 2 == 0 ? 7200 : 3600));
    return 1;
  }

  private void sweeps(String only) throws Exception {
    Sweeps sweeps = new Sweeps(directory, clock, CACHE_BYTES, only);
    sweeps.warmUp(documents / 5);
    sweeps.run("all of them, ids in order", documents, documents, Workload::id);
    sweeps.run("all of them, scattered ids", documents, documents, Workload::scattered);
    sweeps.run("the older half, ids in order", documents, documents / 2, Workload::id);
    sweeps.run("the older half, scattered ids", documents, documents / 2, Workload::scattered);
  }

  @Override
  public void close() throws IOException {
    Scratch.delete(directory);
  }
}
