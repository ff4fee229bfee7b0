package dev.mayfly.store;

import java.util.Optional;

/**
 * An ordered, sharded map from bytes to bytes whose only write is an atomic, fenced batch.
 *
 * <p>A shard is named by a number from 0 and exists as soon as it is owned. Keys are ordered as
 * unsigned bytes, a shorter key before any it is a prefix of. Safe for use by many threads. Every
 * method, here and on what it returns, fails with {@link StoreException} only; after {@link #close}
 * the reason is {@code CLOSED}.
 */
public interface Store extends AutoCloseable {
  /**
   * Becomes the owner of a shard under a new, higher epoch. When this returns, whoever owned it
   * before is fenced: their commits are refused. The epoch is remembered across {@link #drop} and
   * restarts.
   */
  Shard own(int shard);

  /**
   * Removes everything in a shard and fences its owner. The space comes back soon, at the latest
   * with the next {@link #reclaim}. Durable when it returns; dropping a shard that does not exist
   * does nothing.
   */
  void drop(int shard);

  /** What can be done with several shards at one go; empty when this store cannot do that. */
  default Optional<CrossShard> together() {
    return Optional.empty();
  }

  /**
   * Sets the filter that compaction asks from now on, in place of any before it. Until then nothing
   * is dropped.
   *
   * @return false when this store cannot drop entries while it compacts: the filter is never asked,
   *     and what is dead must be deleted
   */
  boolean install(CompactionFilter filter);

  /**
   * Compacts one space of a shard and returns when all that the filter drops, and all that was
   * deleted, is gone. Long: call it from a background thread. Reads and commits go on meanwhile.
   */
  void reclaim(int shard, Space space);

  /**
   * Ends the calls of {@link #reclaim} that are in progress: they fail soon. A store whose reclaims
   * are short does nothing.
   */
  default void abortReclaims() {}

  /**
   * Whether there is room for more. Without, only what makes room should be committed: deletes, and
   * what keeps account of them. A cheap answer, which may be a few mebibytes of commits old; {@link
   * #stats} brings it up to date.
   */
  default boolean hasRoom() {
    return true;
  }

  /** What the store weighs now. */
  StoreStats stats();

  /** How much of the disk a shard takes, approximately. */
  long bytesOnDisk(int shard);

  /** How much of the disk a range of one space of a shard takes, approximately. */
  long bytesOnDisk(int shard, Space space, Range range);

  /**
   * Closes the store once the calls in progress are done. Commits that returned are kept; handles,
   * snapshots and scans still open turn {@code CLOSED}. Closing again does nothing.
   */
  @Override
  void close();
}
