package dev.mayfly.store;

/** All shards of a store at one instant. Safe for use by many threads. Close it. */
public interface StoreSnapshot extends AutoCloseable {
  /** Returns the snapshot of a shard. It need not be closed and is valid until this is closed. */
  Snapshot of(int shard);

  /** Closing again does nothing. Scans opened from it must be closed before. */
  @Override
  void close();
}
