package dev.mayfly.store;

/**
 * Sizes of a store, and counters since it was opened. A figure that a store does not know is 0.
 *
 * @param bytesOnDisk all files of the store (in memory: all entries)
 * @param liveDataBytes estimate of the size after a full compaction
 * @param walBytesWritten bytes written to the write-ahead log
 * @param cacheBytes memory in use for blocks and write buffers, bounded by the store's setting
 * @param pendingCompactionBytes estimate of the bytes that compaction still has to rewrite
 * @param cacheHits block reads served from memory
 * @param cacheMisses block reads served from disk
 * @param commits committed batches, and their total duration
 * @param syncs flushes to the disk, and their total duration
 */
public record StoreStats(
    long bytesOnDisk,
    long liveDataBytes,
    long walBytesWritten,
    long cacheBytes,
    long pendingCompactionBytes,
    long cacheHits,
    long cacheMisses,
    Timed commits,
    Timed syncs) {

  /** Number of operations and their total duration. */
  public record Timed(long count, long nanos) {
    /** None, or unknown. */
    public static final Timed NONE = new Timed(0, 0);
  }

  /** Returns the statistics of a store in memory that has no counters. */
  public static StoreStats ofMemory(long bytes) {
    return new StoreStats(bytes, bytes, 0, bytes, 0, 0, 0, Timed.NONE, Timed.NONE);
  }
}
