package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.RecordCache;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadTier;

/** Handle of one owner on one shard of a {@link RocksStore}. */
final class RocksShard implements Shard {
  private final RocksStore store;
  private final int number;
  private final Fence fence;
  private final long epoch;
  private final ShardReads reads;
  private final RecordCache.Region region;
  private final RecordCache.Source records;
  private final RecordCache.Source cachedRecords;

  RocksShard(RocksStore store, int number, Fence fence, long epoch, ShardReads reads) {
    this.store = store;
    this.number = number;
    this.fence = fence;
    this.epoch = epoch;
    this.reads = reads;
    this.region = store.records().region(number);
    this.records = key -> reads.read(Space.RECORDS, key, store.currentState());
    this.cachedRecords = key -> reads.readIfCached(Space.RECORDS, key, store.inMemory());
  }

  RocksStore store() {
    return store;
  }

  Fence fence() {
    return fence;
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public byte @Nullable [] read(Space space, byte[] key) {
    long stamp = store.closeGuard().enter();
    try {
      return space == Space.RECORDS
          ? store.records().read(region, key, records)
          : reads.read(space, key, store.currentState());
    } finally {
      store.closeGuard().exit(stamp);
    }
  }

  @Override
  public byte @Nullable [] readIfCached(Space space, byte[] key) {
    long stamp = store.closeGuard().enter();
    try {
      return space == Space.RECORDS
          ? store.records().read(region, key, cachedRecords)
          : reads.readIfCached(space, key, store.inMemory());
    } finally {
      store.closeGuard().exit(stamp);
    }
  }

  @Override
  public List<byte @Nullable []> readAll(Space space, List<byte[]> keys) {
    long stamp = store.closeGuard().enter();
    try {
      if (space != Space.RECORDS) {
        return reads.readAll(space, keys, store.currentState());
      }
      List<byte @Nullable []> values = new ArrayList<>(keys.size());
      for (byte[] key : keys) {
        values.add(store.records().read(region, key, records));
      }
      return values;
    } finally {
      store.closeGuard().exit(stamp);
    }
  }

  @Override
  public Scan scan(Space space, Range range, Direction direction) {
    long stamp = store.closeGuard().enter();
    try {
      return reads.scan(space, range, direction, store.currentState());
    } finally {
      store.closeGuard().exit(stamp);
    }
  }

  @Override
  public Snapshot snapshot() {
    return store.snapshot(reads, region, ReadTier.READ_ALL_TIER);
  }

  @Override
  public Optional<Snapshot> nonBlockingSnapshot() {
    return Optional.of(store.snapshot(reads, region, ReadTier.BLOCK_CACHE_TIER));
  }

  @Override
  public long commit(Batch batch) {
    return store.commit(batch, number, fence, epoch);
  }

  @Override
  public OptionalLong tryCommit(Batch batch) {
    return store.tryCommit(batch, number, fence, epoch);
  }

  @Override
  public void sync(long ticket) {
    store.sync(ticket);
  }

  @Override
  public boolean trySync(long ticket) {
    return store.trySync(ticket);
  }

  @Override
  public boolean trySyncHere(long ticket) {
    return store.trySyncHere(ticket);
  }

  @Override
  public void wakeAfterFlush(long ticket, Runnable wake) {
    store.wakeAfterFlush(ticket, wake);
  }

  @Override
  public long syncedThrough() {
    return store.syncedThrough();
  }

  @Override
  public void forgetDropped() {
    store.records().forget(number);
  }

  @Override
  public void erase(Batch ranges) {
    store.erase(ranges, number, fence, epoch);
  }
}
