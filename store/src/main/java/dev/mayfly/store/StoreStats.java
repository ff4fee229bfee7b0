package dev.mayfly.store;

/**
 * What a store weighs. All figures are in bytes; a figure that a store does not know is 0.
 *
 * @param bytesOnDisk all files of the store (a store in memory: what it holds)
 * @param liveDataBytes estimate of what would be left if everything were compacted now
 * @param walBytesWritten written to the log since the store was opened
 * @param cacheBytes memory in use for blocks and write buffers, bounded by the store's setting
 * @param pendingCompactionBytes estimate of what compaction still has to rewrite
 */
public record StoreStats(
    long bytesOnDisk,
    long liveDataBytes,
    long walBytesWritten,
    long cacheBytes,
    long pendingCompactionBytes) {}
