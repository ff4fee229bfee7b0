package dev.mayfly.store.rocksdb;

/**
 * What a user may choose about a store on RocksDB.
 *
 * @param cacheBytes memory for everything that grows: a quarter of it for records on the heap, the
 *     rest for cached blocks, indexes and filters of files, and for buffers of writes, which get a
 *     quarter of it all
 * @param maxBytesOnDisk writes are refused as {@code DISK_FULL} when the files of data reach this;
 *     0 for as much as there is
 * @param backgroundJobs how many threads flush and compact
 * @param dropWhileCompacting whether a filter may be installed; without, what is dead is deleted
 *     explicitly
 */
public record RocksSettings(
    long cacheBytes, long maxBytesOnDisk, int backgroundJobs, boolean dropWhileCompacting) {
  private static final long MIN_CACHE_BYTES = 4 << 20;

  public RocksSettings {
    if (cacheBytes < MIN_CACHE_BYTES) {
      throw new IllegalArgumentException("cacheBytes is less than " + MIN_CACHE_BYTES);
    }
    if (maxBytesOnDisk < 0) {
      throw new IllegalArgumentException("maxBytesOnDisk is negative");
    }
    if (backgroundJobs < 2) {
      throw new IllegalArgumentException(
          "backgroundJobs is less than 2: one flushes, one compacts");
    }
  }

  /** 256 MiB of memory, all of the disk, a thread per processor to compact and one to flush. */
  public static RocksSettings defaults() {
    int jobs = Runtime.getRuntime().availableProcessors() + 1;
    return new RocksSettings(256L << 20, 0, jobs, true);
  }

  public RocksSettings withCacheBytes(long bytes) {
    return new RocksSettings(bytes, maxBytesOnDisk, backgroundJobs, dropWhileCompacting);
  }

  public RocksSettings withMaxBytesOnDisk(long bytes) {
    return new RocksSettings(cacheBytes, bytes, backgroundJobs, dropWhileCompacting);
  }

  public RocksSettings withDropWhileCompacting(boolean drop) {
    return new RocksSettings(cacheBytes, maxBytesOnDisk, backgroundJobs, drop);
  }

  /** What the records that were lately read may take of the memory. */
  long recordCacheBytes() {
    return cacheBytes / 4;
  }

  /** What RocksDB may take of the memory. */
  long blockCacheBytes() {
    return cacheBytes - recordCacheBytes();
  }

  /** What the buffers of writes may take of the memory. */
  long writeBufferBytes() {
    return cacheBytes / 4;
  }
}
