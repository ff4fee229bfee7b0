package dev.mayfly.store;

/**
 * All shards of a store at one instant. Safe for use by many threads. Close it.
 *
 * <pre>{@code
 * try (StoreSnapshot all = store.together().orElseThrow().snapshot()) {
 *   byte[] here = all.of(1).read(Space.RECORDS, key);
 *   byte[] there = all.of(2).read(Space.RECORDS, key); // of the same instant
 * }
 * }</pre>
 */
public interface StoreSnapshot extends AutoCloseable {
  /** Returns the snapshot of a shard. It need not be closed and is valid until this is closed. */
  Snapshot of(int shard);

  /** Closing again does nothing. Scans opened from it must be closed before. */
  @Override
  void close();
}
