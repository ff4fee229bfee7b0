package dev.mayfly.store;

import java.util.Optional;

/**
 * Ordered, sharded map from bytes to bytes whose only write is an atomic, fenced batch.
 *
 * <p>A shard is identified by a number from 0 and exists as soon as it is owned. Keys are ordered
 * as unsigned bytes, a prefix before its extensions. Safe for use by many threads. Every method,
 * here and on returned objects, fails with {@link StoreException} only; after {@link #close} the
 * reason is {@code CLOSED}.
 *
 * <pre>{@code
 * try (Store store = RocksStore.open(directory, RocksSettings.defaults())) {
 *   Shard shard = store.own(1);
 *   shard.sync(shard.commit(new Batch().put(Space.RECORDS, key, value)));
 *   try (Scan scan = shard.scan(Space.RECORDS, Range.prefix(prefix), Direction.UP)) {
 *     while (scan.next()) {
 *       use(scan.key(), scan.value());
 *     }
 *   }
 * }
 * }</pre>
 */
public interface Store extends AutoCloseable {
  /**
   * Becomes the owner of a shard under a new, higher epoch. When this returns, the previous owner
   * is fenced: its commits fail. The epoch survives {@link #drop} and restarts.
   */
  Shard own(int shard);

  /**
   * Removes all entries of a shard and fences its owner. Disk space is freed soon, at the latest by
   * the next {@link #reclaim}. Durable when it returns; dropping a shard that does not exist does
   * nothing.
   */
  void drop(int shard);

  /** Returns commits and snapshots across shards; empty if this store does not support them. */
  default Optional<CrossShard> together() {
    return Optional.empty();
  }

  /**
   * Sets the compaction filter, in place of any earlier one. Before the first call nothing is
   * dropped.
   *
   * @return false if this store cannot drop entries in compactions: the filter is never called, and
   *     expired entries must be deleted
   */
  boolean install(CompactionFilter filter);

  /**
   * Compacts one space of a shard and returns when all entries that the filter drops, and all
   * deleted ones, are gone. Takes long: call it from a background thread. Reads and commits
   * continue meanwhile.
   */
  void reclaim(int shard, Space space);

  /**
   * Aborts the calls of {@link #reclaim} in progress: they fail soon. Does nothing in a store whose
   * reclaims are short.
   */
  default void abortReclaims() {}

  /**
   * Returns whether there is room for more data. If not, commit only what makes room: deletes, and
   * the bookkeeping of deletes. Cheap; the result may be a few mebibytes of commits old, and {@link
   * #stats} refreshes it.
   */
  default boolean hasRoom() {
    return true;
  }

  /** Returns the current sizes and counters. */
  StoreStats stats();

  /** Returns the approximate disk usage of a shard. */
  long bytesOnDisk(int shard);

  /** Returns the approximate disk usage of a range of one space of a shard. */
  long bytesOnDisk(int shard, Space space, Range range);

  /**
   * Writes what makes the next start fast, while reads and commits continue. Call it before a
   * planned {@link #close}. Does nothing in a store that starts fast anyway.
   */
  default void checkpoint() {}

  /**
   * Closes the store after the calls in progress. Completed commits are kept; open handles,
   * snapshots and scans fail with {@code CLOSED}. Closing again does nothing.
   */
  @Override
  void close();
}
