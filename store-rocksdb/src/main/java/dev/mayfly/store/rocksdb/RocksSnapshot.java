package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Snapshot of one shard. */
final class RocksSnapshot implements Snapshot {
  private final ShardReads reads;
  private final RocksStoreSnapshot instant;
  private final boolean alone;

  /**
   * @param alone whether the snapshot belongs to this shard alone, and is released with it
   */
  RocksSnapshot(ShardReads reads, RocksStoreSnapshot instant, boolean alone) {
    this.reads = reads;
    this.instant = instant;
    this.alone = alone;
  }

  @Override
  public boolean consistent() {
    return true;
  }

  @Override
  public byte @Nullable [] read(Space space, byte[] key) {
    long stamp = instant.closeGuard().enter();
    try {
      return reads.read(space, key, instant.options());
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
      return reads.scan(space, range, direction, instant.snapshot());
    } finally {
      instant.closeGuard().exit(stamp);
    }
  }

  @Override
  public void close() {
    if (alone) {
      instant.close();
    }
  }
}
