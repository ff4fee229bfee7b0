package dev.mayfly.store.cassandra;

import dev.mayfly.store.CompactionFilter;
import dev.mayfly.store.CrossShard;
import dev.mayfly.store.Range;
import dev.mayfly.store.Shard;
import dev.mayfly.store.ShardBatch;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import dev.mayfly.store.StoreSnapshot;
import dev.mayfly.store.StoreStats;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Store of one cell on Cassandra. It is the only writer of its cell: another process that opens the
 * cell fences it.
 *
 * <p>Point reads and scans of what is not in memory are round trips. A commit is two: the log entry
 * and the row of the cell. Safe for many threads.
 */
public final class CellStore implements Store {
  private static final System.Logger LOG = System.getLogger(CellStore.class.getName());
  private static final long PAUSE_NANOS = 50_000_000;
  private static final long FAILURE_NANOS = 2_000_000_000;

  private final Cell cell;
  private final Committer committer;
  private final Checkpoint checkpoint;
  private final LongSupplier ticker;
  private final Thread background;

  /** Whether the last checkpoint failed. */
  private volatile boolean failing;

  CellStore(OpenedCell opened, LongSupplier ticker) {
    this.cell = opened.cell();
    this.committer = opened.committer();
    this.checkpoint = opened.checkpoint();
    this.ticker = ticker;
    this.background =
        Thread.ofPlatform()
            .daemon()
            .name("mayfly-checkpoint-" + cell.number())
            .start(this::writeCheckpoints);
  }

  /** The parts of an open cell. */
  record OpenedCell(Cell cell, Committer committer, Checkpoint checkpoint) {}

  private void writeCheckpoints() {
    long last = ticker.getAsLong();
    while (cell.isOpen()) {
      LockSupport.parkNanos(this, PAUSE_NANOS);
      long now = ticker.getAsLong();
      boolean due = now - last > cell.limits().checkpointInterval().toNanos();
      try {
        if (due || cell.lastKnown().memtable().bytes() > cell.limits().checkpointBytes()) {
          last = now;
          checkpoint.run();
          failing = false;
        }
      } catch (RuntimeException failure) {
        failing = true;
        if (cell.isOpen()) {
          LOG.log(System.Logger.Level.WARNING, "a checkpoint failed and is repeated", failure);
          LockSupport.parkNanos(this, FAILURE_NANOS);
        }
      }
    }
  }

  @Override
  public Shard own(int shard) {
    checkNumber(shard);
    return new CellShard(cell, committer, shard, committer.own(shard));
  }

  private static void checkNumber(int shard) {
    if (shard < 0) {
      throw new IllegalArgumentException("shards are numbered from 0, not " + shard);
    }
  }

  @Override
  public void drop(int shard) {
    checkNumber(shard);
    committer.drop(shard);
  }

  @Override
  public Optional<CrossShard> together() {
    return Optional.of(new AllShards());
  }

  private final class AllShards implements CrossShard {
    @Override
    public long commit(List<ShardBatch> batches) {
      Set<Integer> numbers = new HashSet<>();
      List<Committer.Fenced> fenced =
          batches.stream().map(batch -> fenced(batch, numbers)).toList();
      return committer.commit(fenced);
    }

    private Committer.Fenced fenced(ShardBatch batch, Set<Integer> numbers) {
      if (!(batch.shard() instanceof CellShard shard) || !shard.isOf(cell)) {
        throw new IllegalArgumentException("not a shard of this store");
      }
      if (!numbers.add(shard.number())) {
        throw new IllegalArgumentException("a shard has two batches");
      }
      return shard.fenced(batch.batch());
    }

    @Override
    public StoreSnapshot snapshot() {
      Cell.OpenSnapshot open = cell.snapshot();
      return new StoreSnapshot() {
        @Override
        public Snapshot of(int shard) {
          return CellSnapshot.partOf(cell, shard, open);
        }

        @Override
        public void close() {
          cell.release(open);
        }
      };
    }
  }

  @Override
  public boolean install(CompactionFilter filter) {
    cell.checkOpen();
    checkpoint.install(filter);
    return true;
  }

  @Override
  public void reclaim(int shard, Space space) {
    cell.checkOpen();
    Range range = CellKey.range(space, shard, Range.all());
    // what is in memory only must be in a leaf to be renewed
    checkpoint.run();
    checkpoint.renew(Objects.requireNonNull(range.from()), Objects.requireNonNull(range.to()));
  }

  @Override
  public void checkpoint() {
    cell.checkOpen();
    checkpoint.run();
  }

  @Override
  public StoreStats stats() {
    Cell.View view = cell.view();
    long leaves = view.directory().all().stream().mapToLong(Leaf::bytes).sum();
    long memtable = view.memtable().bytes();
    return new StoreStats(
        leaves + memtable,
        leaves + memtable,
        committer.entryBytes(),
        memtable + cell.records().bytes(),
        memtable,
        0,
        0,
        committer.commits(),
        StoreStats.Timed.NONE);
  }

  /** Returns false if checkpoints fail and memory is nearly full of what they should write. */
  @Override
  public boolean hasRoom() {
    return !failing || cell.lastKnown().memtable().bytes() < cell.limits().unflushedBytes() / 4 * 3;
  }

  /** Closes the store if another server has claimed the cell. */
  void checkOwner() {
    if (cell.isOpen() && cell.tables().cell(cell.number()).epoch() != committer.epoch()) {
      cell.close(
          new StoreException(Reason.FENCED, "another server has claimed cell " + cell.number()));
    }
  }

  @Override
  public long bytesOnDisk(int shard) {
    long bytes = 0;
    for (Space space : Space.values()) {
      bytes += bytesOnDisk(shard, space, Range.all());
    }
    return bytes;
  }

  @Override
  public long bytesOnDisk(int shard, Space space, Range range) {
    Cell.View view = cell.view();
    if (range.isEmpty()) {
      return 0;
    }
    Range inCell = CellKey.range(space, shard, range);
    byte[] from = Objects.requireNonNull(inCell.from());
    byte[] to = Objects.requireNonNull(inCell.to());
    long bytes = view.memtable().bytes(inCell);
    for (Leaf leaf : view.directory().overlapping(from, to)) {
      bytes += leaf.bytesOf(from, to, view.directory().end(leaf));
    }
    return bytes;
  }

  @Override
  public void close() {
    cell.close(new StoreException(Reason.CLOSED, "the store is closed"));
    committer.close();
    LockSupport.unpark(background);
    boolean interrupted = false;
    while (background.isAlive()) {
      try {
        background.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
