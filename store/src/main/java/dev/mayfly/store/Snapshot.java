package dev.mayfly.store;

/** A view of a shard to read from while commits go on. Safe for use by many threads. Close it. */
public interface Snapshot extends Reader, AutoCloseable {
  /**
   * True when all reads of this snapshot see the shard as it was at one instant, save for entries
   * that a {@link CompactionFilter} calls dead. False when the store cannot promise that (a
   * distributed one): every read then sees the current state.
   */
  boolean consistent();

  /** Closing again does nothing. Scans opened from it must be closed before. */
  @Override
  void close();
}
