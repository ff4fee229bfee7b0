package dev.mayfly.engine;

import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.DropFilter;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.ShardBatch;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreSnapshot;
import dev.mayfly.store.StoreStats;
import dev.mayfly.store.Together;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A store in which something can be made to happen in the middle of somebody's work: right before a
 * snapshot is taken or a batch committed, or right after a scan has been opened. Turns a race into
 * a test. It can also be said to be slow.
 */
final class HookedStore implements Store {
  private final Store store;
  private Runnable beforeSnapshot = HookedStore::nothing;
  private Runnable beforeSnapshotScan = HookedStore::nothing;
  private Runnable afterScan = HookedStore::nothing;
  private Runnable beforeCommit = HookedStore::nothing;
  private Space scanned = Space.META;
  private int scansBefore;
  private boolean stalled;
  private int readsAtHand = Integer.MAX_VALUE;

  HookedStore(Store store) {
    this.store = store;
  }

  /** Runs once, before the next snapshot is taken. */
  void beforeNextSnapshot(Runnable hook) {
    beforeSnapshot = hook;
  }

  /** Runs once, before the next scan of a snapshot. */
  void beforeNextSnapshotScan(Runnable hook) {
    beforeSnapshotScan = hook;
  }

  /** Runs once, after the scan of a space that follows so many others of that space. */
  void afterScan(Space space, int others, Runnable hook) {
    scanned = space;
    scansBefore = others;
    afterScan = hook;
  }

  /** Runs before every commit to a shard from now on. */
  void beforeEveryCommit(Runnable hook) {
    beforeCommit = hook;
  }

  /** Says from now on whether commits have to wait. */
  void stalled(boolean waits) {
    stalled = waits;
  }

  /**
   * Says how many reads from now on find what they want in memory; it is on disk for all others.
   */
  void atHand(int reads) {
    readsAtHand = reads;
  }

  private static void nothing() {}

  @Override
  public Shard own(int shard) {
    return new HookedShard(store.own(shard));
  }

  @Override
  public void drop(int shard) {
    store.drop(shard);
  }

  @Override
  public Optional<Together> together() {
    return store.together().map(HookedTogether::new);
  }

  /** Hands the shards beneath to the store beneath. */
  private record HookedTogether(Together together) implements Together {
    @Override
    public long commit(List<ShardBatch> batches) {
      return together.commit(
          batches.stream()
              .map(one -> new ShardBatch(((HookedShard) one.shard()).shard, one.batch()))
              .toList());
    }

    @Override
    public StoreSnapshot snapshot() {
      return together.snapshot();
    }
  }

  @Override
  public boolean install(DropFilter filter) {
    return store.install(filter);
  }

  @Override
  public void reclaim(int shard, Space space) {
    store.reclaim(shard, space);
  }

  @Override
  public StoreStats stats() {
    return store.stats();
  }

  @Override
  public long bytesOnDisk(int shard) {
    return store.bytesOnDisk(shard);
  }

  @Override
  public long bytesOnDisk(int shard, Space space, Range range) {
    return store.bytesOnDisk(shard, space, range);
  }

  @Override
  public void close() {
    store.close();
  }

  private final class HookedSnapshot implements Snapshot {
    private final Snapshot snapshot;

    HookedSnapshot(Snapshot snapshot) {
      this.snapshot = snapshot;
    }

    @Override
    public boolean consistent() {
      return snapshot.consistent();
    }

    @Override
    public byte @Nullable [] read(Space space, byte[] key) {
      return snapshot.read(space, key);
    }

    @Override
    public Scan scan(Space space, Range range, Direction direction) {
      Runnable hook = beforeSnapshotScan;
      beforeSnapshotScan = HookedStore::nothing;
      hook.run();
      return snapshot.scan(space, range, direction);
    }

    @Override
    public void close() {
      snapshot.close();
    }
  }

  private final class HookedShard implements Shard {
    private final Shard shard;

    HookedShard(Shard shard) {
      this.shard = shard;
    }

    @Override
    public int number() {
      return shard.number();
    }

    @Override
    public long epoch() {
      return shard.epoch();
    }

    @Override
    public Snapshot snapshot() {
      Runnable hook = beforeSnapshot;
      beforeSnapshot = HookedStore::nothing;
      hook.run();
      return new HookedSnapshot(shard.snapshot());
    }

    @Override
    public long commit(Batch batch) {
      beforeCommit.run();
      return shard.commit(batch);
    }

    @Override
    public OptionalLong commitAtOnce(Batch batch) {
      return stalled ? OptionalLong.empty() : OptionalLong.of(commit(batch));
    }

    @Override
    public byte @Nullable [] readAtHand(Space space, byte[] key) {
      return readsAtHand-- > 0 ? shard.readAtHand(space, key) : ELSEWHERE;
    }

    @Override
    public void sync(long ticket) {
      shard.sync(ticket);
    }

    @Override
    public long syncedThrough() {
      return shard.syncedThrough();
    }

    @Override
    public byte @Nullable [] read(Space space, byte[] key) {
      return shard.read(space, key);
    }

    @Override
    public Scan scan(Space space, Range range, Direction direction) {
      Scan scan = shard.scan(space, range, direction);
      if (space == scanned && scansBefore-- == 0) {
        Runnable hook = afterScan;
        afterScan = HookedStore::nothing;
        hook.run();
      }
      return scan;
    }
  }
}
