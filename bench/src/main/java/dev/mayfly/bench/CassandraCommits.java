package dev.mayfly.bench;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.store.cassandra.CassandraSettings;
import dev.mayfly.store.cassandra.CassandraStores;
import dev.mayfly.store.cassandra.CellLimits;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Benchmark of the store on Cassandra, on a running cluster such as that of {@code
 * tools/cassandra-trial}. Everything that is compared runs in turns, in one run.
 *
 * <p>A document is 1,000 bytes, with two index entries put and two deleted, and a lane entry: the
 * work of an update. Commits are compared with conditional batches of whole groups in one
 * partition, and with one conditional write per document. Point reads of cached records are
 * compared with RocksDB.
 *
 * <p>Arguments: {@code at=HOST} (default 127.0.0.1), {@code seconds=N} per measurement (default 8),
 * {@code rounds=N} (default 3), {@code checkpoint=MEBIBYTES} after which a checkpoint is written
 * (default 32).
 */
final class CassandraCommits {
  private static final int DOCUMENT_BYTES = 1000;
  private static final int DOCUMENTS = 200_000;
  private static final int MANY = 256;
  private static final int SOME = 64;
  private static final int CACHED = 5000;
  private static final long MEBI = 1 << 20;
  private static final double NANOS_PER_MILLI = 1e6;

  private final String host;
  private final long seconds;
  private final int rounds;
  private final CellLimits limits;
  private final AtomicInteger numbers = new AtomicInteger();

  private CassandraCommits(Arguments arguments) {
    this.host = arguments.text("at").orElse("127.0.0.1");
    this.seconds = arguments.number("seconds", 8);
    this.rounds = (int) arguments.number("rounds", 3);
    CellLimits standard = CellLimits.standard();
    this.limits =
        new CellLimits(
            arguments.number("checkpoint", 32) * MEBI,
            standard.checkpointInterval(),
            standard.unflushedBytes(),
            standard.leafBytes(),
            standard.leafRows(),
            standard.leafDeletes(),
            standard.freshBytes(),
            standard.partBytes(),
            standard.snapshotBytes(),
            standard.snapshotLife(),
            standard.cacheBytes());
  }

  static void run(Arguments arguments) throws Exception {
    CassandraCommits bench = new CassandraCommits(arguments);
    CassandraSettings settings =
        CassandraSettings.of(List.of(bench.host)).withKeyspace("bench").withLimits(bench.limits);
    try (CassandraStores stores =
            CassandraStores.open(
                settings, "bench", System::nanoTime, () -> System.currentTimeMillis() * 1000);
        Store cell = stores.claim((int) (System.nanoTime() >>> 20) & 0xffffff);
        CqlSession session =
            CqlSession.builder()
                .addContactPoint(new InetSocketAddress(bench.host, CassandraSettings.PORT))
                .withLocalDatacenter(arguments.text("datacenter").orElse("datacenter1"))
                .withKeyspace("bench")
                .build()) {
      bench.commits(cell.own(1), new Conditional(session));
      bench.cachedReads(cell.own(2));
    }
  }

  private void commits(Shard shard, Conditional conditional) throws Exception {
    System.out.printf(
        Locale.ROOT, "%-44s %8s %8s %8s %8s%n", "commits", "docs/s", "p50 ms", "p99 ms", "p99/p50");
    for (int round = 0; round < rounds; round++) {
      measure("cell, 64 clients", SOME, number -> shard.commit(batch(number)));
      measure("conditional batch per group, 64 clients", SOME, conditional::commitInGroup);
      measure("conditional write per document, 64 clients", SOME, conditional::commitAlone);
      measure("cell, 256 clients", MANY, number -> shard.commit(batch(number)));
    }
    conditional.close();
  }

  /** Runs clients that commit one document after the other. */
  private void measure(String what, int clients, Consumer<Integer> commit) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    List<Thread> threads = new ArrayList<>();
    List<long[]> times = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      long[] own = new long[1 << 16];
      times.add(own);
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int n = 0; System.nanoTime() < end && n < own.length; n++) {
                      long start = System.nanoTime();
                      commit.accept(numbers.getAndIncrement() % DOCUMENTS);
                      own[n] = System.nanoTime() - start;
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long[] all =
        times.stream().flatMapToLong(Arrays::stream).filter(time -> time > 0).sorted().toArray();
    double p50 = all[all.length / 2] / NANOS_PER_MILLI;
    double p99 = all[(int) (all.length * 0.99)] / NANOS_PER_MILLI;
    System.out.printf(
        Locale.ROOT,
        "%-44s %,8d %8.1f %8.1f %8.1f%n",
        what,
        all.length / seconds,
        p50,
        p99,
        p99 / p50);
  }

  /** One key of a document, an index or a lane. */
  @SuppressWarnings("ArrayRecordComponent") // nobody changes or compares them
  private record Put(Space space, byte[] key, byte[] value) {}

  private static List<Put> puts(int number) {
    Random random = new Random(number);
    byte[] document = new byte[DOCUMENT_BYTES];
    random.nextBytes(document);
    return List.of(
        new Put(Space.RECORDS, key(0, number, number), document),
        new Put(Space.ENTRIES, key(1, random.nextInt(), number), new byte[16]),
        new Put(Space.ENTRIES, key(2, random.nextInt(), number), new byte[16]),
        new Put(Space.QUEUES, key(3, random.nextInt(), number), new byte[32]));
  }

  private static List<byte[]> deletes(int number) {
    Random random = new Random(~number);
    return List.of(key(1, random.nextInt(), number), key(2, random.nextInt(), number));
  }

  private static byte[] key(int kind, int place, int number) {
    return ByteBuffer.allocate(9).put((byte) kind).putInt(place).putInt(number).array();
  }

  private static Batch batch(int number) {
    Batch batch = new Batch();
    puts(number).forEach(put -> batch.put(put.space(), put.key(), put.value()));
    deletes(number).forEach(key -> batch.delete(Space.ENTRIES, key));
    return batch;
  }

  /** The same rows in one partition with a fence in a static column. */
  private static final class Conditional {
    private static final int MAX_GROUP = 256;

    private final CqlSession session;
    private final PreparedStatement fence;
    private final PreparedStatement put;
    private final PreparedStatement delete;
    private final BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread thread;

    private record Waiting(int number, CompletableFuture<Boolean> done) {}

    Conditional(CqlSession session) {
      this.session = session;
      session.execute(
          SimpleStatement.newInstance(
              "CREATE TABLE IF NOT EXISTS one (p int, k blob, v blob, epoch bigint static,"
                  + " PRIMARY KEY (p, k))"));
      this.fence = session.prepare("UPDATE one SET epoch = 1 WHERE p = ? IF epoch = 1");
      this.put = session.prepare("INSERT INTO one (p, k, v) VALUES (?, ?, ?)");
      this.delete = session.prepare("DELETE FROM one WHERE p = ? AND k = ?");
      for (int p = 0; p < MANY; p++) {
        session.execute(SimpleStatement.newInstance("INSERT INTO one (p, epoch) VALUES (?, 1)", p));
      }
      this.thread = Thread.ofPlatform().daemon().start(this::commitGroups);
    }

    /** Commits with all that wait at the same time, in one partition. */
    void commitInGroup(int number) {
      Waiting waiting = new Waiting(number, new CompletableFuture<>());
      queue.add(waiting);
      waiting.done().join();
    }

    /** Commits alone, in a partition that few others use. */
    void commitAlone(int number) {
      commit(number % MANY, List.of(number));
    }

    private void commitGroups() {
      try {
        while (!closed.get()) {
          Waiting first = queue.poll(100, TimeUnit.MILLISECONDS);
          if (first != null) {
            List<Waiting> group = new ArrayList<>(List.of(first));
            queue.drainTo(group, MAX_GROUP - 1);
            commit(0, group.stream().map(Waiting::number).toList());
            group.forEach(waiting -> waiting.done().complete(true));
          }
        }
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }

    private void commit(int partition, List<Integer> documents) {
      BatchStatementBuilder batch = BatchStatement.builder(BatchType.UNLOGGED);
      batch.addStatement(fence.bind(partition));
      for (int number : documents) {
        puts(number)
            .forEach(
                one ->
                    batch.addStatement(
                        put.bind(
                            partition, ByteBuffer.wrap(one.key()), ByteBuffer.wrap(one.value()))));
        deletes(number)
            .forEach(key -> batch.addStatement(delete.bind(partition, ByteBuffer.wrap(key))));
      }
      if (!session.execute(batch.build()).wasApplied()) {
        throw new IllegalStateException("the fence refused a write");
      }
    }

    void close() {
      closed.set(true);
      thread.interrupt();
    }
  }

  private void cachedReads(Shard cell) throws Exception {
    Path directory = Files.createTempDirectory("mayfly-bench");
    System.out.printf(Locale.ROOT, "%-44s %12s%n", "point reads of cached records", "reads/s");
    try (Store store = RocksStore.open(directory, RocksSettings.defaults())) {
      Shard rocks = store.own(1);
      for (Shard shard : List.of(cell, rocks)) {
        for (int i = 0; i < CACHED; i++) {
          shard.commit(new Batch().put(Space.RECORDS, key(0, i, i), new byte[DOCUMENT_BYTES]));
        }
        for (int i = 0; i < CACHED; i++) {
          shard.read(Space.RECORDS, key(0, i, i));
        }
      }
      for (int round = 0; round < rounds; round++) {
        double ours = readsPerSecond(cell);
        double raw = readsPerSecond(rocks);
        System.out.printf(Locale.ROOT, "%-44s %,12.0f%n", "cell", ours);
        System.out.printf(Locale.ROOT, "%-44s %,12.0f%n", "RocksDB", raw);
        System.out.printf(Locale.ROOT, "%-44s %12.2f%n", "ratio", ours / raw);
      }
    }
  }

  private double readsPerSecond(Shard shard) {
    Random random = new Random(7);
    long reads = 0;
    long start = System.nanoTime();
    long end = start + TimeUnit.SECONDS.toNanos(Math.max(1, seconds / 4));
    while (System.nanoTime() < end) {
      for (int i = 0; i < 1000; i++) {
        int number = random.nextInt(CACHED);
        byte[] value = shard.read(Space.RECORDS, key(0, number, number));
        if (value == null || value.length != DOCUMENT_BYTES) {
          throw new IllegalStateException("a record is missing");
        }
      }
      reads += 1000;
    }
    return reads * 1e9 / (System.nanoTime() - start);
  }
}
