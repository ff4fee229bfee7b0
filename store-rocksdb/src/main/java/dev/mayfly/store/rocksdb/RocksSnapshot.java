package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.RecordCache;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Snapshot of one shard. */
final class RocksSnapshot implements Snapshot {
  /** Reads that fill the cache: a long scan of an index must not replace what others use. */
  private static final int MAX_CACHED_READS = 128;

  private final ShardReads reads;
  private final RocksStoreSnapshot instant;
  private final RecordCache.Source records;
  private final @Nullable RecordCache cache;
  private final RecordCache.@Nullable View view;

  /** Not exact if several threads read. */
  private int cachedReads;

  /** Makes a part of a snapshot of all shards. */
  RocksSnapshot(ShardReads reads, RocksStoreSnapshot instant) {
    this(reads, instant, null, null);
  }

  /**
   * Makes a snapshot that belongs to this shard alone, and is released with it.
   *
   * @param view of the same state
   */
  RocksSnapshot(
      ShardReads reads,
      RocksStoreSnapshot instant,
      @Nullable RecordCache cache,
      RecordCache.@Nullable View view) {
    this.reads = reads;
    this.instant = instant;
    this.cache = cache;
    this.view = view;
    this.records = key -> reads.read(Space.RECORDS, key, instant.options());
  }

  @Override
  public boolean consistent() {
    return true;
  }

  @Override
  public byte @Nullable [] read(Space space, byte[] key) {
    long stamp = instant.closeGuard().enter();
    try {
      return space == Space.RECORDS && cache != null && view != null
          ? cache.read(view, key, cachedReads++ < MAX_CACHED_READS, records)
          : reads.read(space, key, instant.options());
    } finally {
      instant.closeGuard().exit(stamp);
    }
  }

  @Override
  public List<byte @Nullable []> readAll(Space space, List<byte[]> keys) {
    long stamp = instant.closeGuard().enter();
    try {
      return reads.readAll(space, keys, instant.options());
    } finally {
      instant.closeGuard().exit(stamp);
    }
  }

  @Override
  public Scan scan(Space space, Range range, Direction direction) {
    long stamp = instant.closeGuard().enter();
    try {
      return reads.scan(space, range, direction, instant.options());
    } finally {
      instant.closeGuard().exit(stamp);
    }
  }

  @Override
  public void close() {
    if (view != null) {
      instant.close();
    }
  }
}
