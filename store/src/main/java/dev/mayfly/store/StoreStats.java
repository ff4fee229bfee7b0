package dev.mayfly.store;

/**
 * What a store weighs and what it has done since it was opened. A figure that a store does not know
 * is 0.
 *
 * @param bytesOnDisk all files of the store (a store in memory: what it holds)
 * @param liveDataBytes estimate of what would be left if everything were compacted now
 * @param walBytesWritten written to the log
 * @param cacheBytes memory in use for blocks and write buffers, bounded by the store's setting
 * @param pendingCompactionBytes estimate of what compaction still has to rewrite
 * @param cacheHits blocks that were read and found in memory
 * @param cacheMisses blocks that were read and fetched from the disk
 * @param commits batches that were committed, and how long that took
 * @param syncs flushes to the disk, and how long those took
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

  /** How often something was done and how long that took in all. */
  public record Timed(long count, long nanos) {
    /** Never, or not known. */
    public static final Timed NONE = new Timed(0, 0);
  }

  /** Of a store that holds so many bytes in memory and does not count. */
  public static StoreStats ofMemory(long bytes) {
    return new StoreStats(bytes, bytes, 0, bytes, 0, 0, 0, Timed.NONE, Timed.NONE);
  }
}
