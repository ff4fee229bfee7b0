package dev.mayfly.store.rocksdb;

import dev.mayfly.store.Direction;
import dev.mayfly.store.NotCachedException;
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

  /**
   * Reads the value of a key.
   *
   * @throws NotCachedException if the options forbid reads from disk and it would need one
   */
  byte @Nullable [] read(Space space, byte[] key, ReadOptions options) {
    try {
      return columns.database().get(columns.of(space), options, prefix.before(key));
    } catch (RocksDBException e) {
      throw Failures.ofRead("read from shard " + prefix.shard(), e);
    }
  }

  /**
   * Reads as {@link #read} does, or returns {@link Shard#NOT_CACHED}.
   *
   * @param inMemory options that forbid reads from disk
   */
  byte @Nullable [] readIfCached(Space space, byte[] key, ReadOptions inMemory) {
    try {
      return read(space, key, inMemory);
    } catch (NotCachedException notCached) {
      return Shard.NOT_CACHED;
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
   * @param state the state that the scan sees, and what it may wait for
   */
  Scan scan(Space space, Range range, Direction direction, ReadOptions state) {
    Slice from = new Slice(prefix.from(range));
    Slice to = new Slice(range.isEmpty() ? prefix.from(range) : prefix.to(range));
    ReadOptions options =
        new ReadOptions(state).setIterateLowerBound(from).setIterateUpperBound(to);
    var iterator = columns.database().newIterator(columns.of(space), options);
    return new RocksScan(prefix, direction, iterator, options, from, to, openHandles);
  }
}
