package dev.mayfly.store;

/** All shards of a store as they were at one instant. Safe for use by many threads. Close it. */
public interface StoreSnapshot extends AutoCloseable {
  /** One of the shards. It need not be closed, and lives no longer than this does. */
  Snapshot of(int shard);

  /** Closing again does nothing. Scans opened from it must be closed before. */
  @Override
  void close();
}
