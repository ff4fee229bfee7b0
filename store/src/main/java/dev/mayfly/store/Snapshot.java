package dev.mayfly.store;

/**
 * View of a shard for reads while commits continue. Safe for use by many threads. Close it.
 *
 * <pre>{@code
 * try (Snapshot before = shard.snapshot()) {
 *   shard.commit(new Batch().delete(Space.RECORDS, key));
 *   before.read(Space.RECORDS, key); // still the value, if the snapshot is consistent
 * }
 * }</pre>
 */
public interface Snapshot extends Reader, AutoCloseable {
  /**
   * Returns true if all reads of this snapshot see the shard as it was at one instant, except for
   * entries that a {@link CompactionFilter} drops. Returns false if the store (a distributed one)
   * cannot guarantee that: every read then sees the current state.
   */
  boolean consistent();

  /** Closing again does nothing. Scans opened from it must be closed before. */
  @Override
  void close();
}
