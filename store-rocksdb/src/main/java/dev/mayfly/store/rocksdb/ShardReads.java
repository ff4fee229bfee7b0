package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/**
 * Reads of one shard from RocksDB. The caller has entered the close guard of the store or of the
 * snapshot it reads from.
 */
final class ShardReads {
  private final Prefix prefix;
  private final Columns columns;
  private final OpenHandles openHandles;

  ShardReads(Prefix prefix, Columns columns, OpenHandles openHandles) {
    this.prefix = prefix;
    this.columns = columns;
    this.openHandles = openHandles;
  }

  byte @Nullable [] read(Space space, byte[] key, ReadOptions options) {
    try {
      return columns.database().get(columns.of(space), options, prefix.before(key));
    } catch (RocksDBException e) {
      throw Failures.translate("read from shard " + prefix.shard(), e);
    }
  }

  /**
   * Reads as {@link #read} does, or returns {@link Shard#NOT_CACHED}.
   *
   * @param inMemory options that forbid reads from disk
   */
  byte @Nullable [] readIfCached(Space space, byte[] key, ReadOptions inMemory) {
    try {
      return columns.database().get(columns.of(space), inMemory, prefix.before(key));
    } catch (RocksDBException e) {
      if (Failures.isStall(e)) {
        return Shard.NOT_CACHED;
      }
      throw Failures.translate("read from shard " + prefix.shard(), e);
    }
  }

  /** Reads one by one: multiGet is no faster through the Java binding. */
  List<byte @Nullable []> readAll(Space space, List<byte[]> keys, ReadOptions options) {
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      values.add(read(space, key, options));
    }
    return values;
  }

  /**
   * Opens a cursor.
   *
   * @param snapshot the state that the scan sees; null for the current one
   */
  Scan scan(Space space, Range range, Direction direction, @Nullable Snapshot snapshot) {
    Slice from = new Slice(prefix.from(range));
    Slice to = new Slice(range.isEmpty() ? prefix.from(range) : prefix.to(range));
    ReadOptions options = new ReadOptions().setIterateLowerBound(from).setIterateUpperBound(to);
    if (snapshot != null) {
      options.setSnapshot(snapshot);
    }
    var iterator = columns.database().newIterator(columns.of(space), options);
    return new RocksScan(prefix, direction, iterator, options, from, to, openHandles);
  }
}
