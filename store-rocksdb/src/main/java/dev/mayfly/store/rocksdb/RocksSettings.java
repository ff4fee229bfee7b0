package dev.mayfly.store.rocksdb;

import java.util.function.LongSupplier;

/**
 * What a user may choose about a store on RocksDB.
 *
 * @param cacheBytes memory for everything that grows: a quarter of it for records on the heap, and
 *     no more than a quarter of that; the rest for cached blocks, indexes and filters of files, and
 *     for buffers of writes, which get a quarter of it all, and 128 MiB at most
 * @param maxBytesOnDisk there is no room for more when data takes this; 0 for as much as there is
 * @param minBytesFree there is no room for more when the disk has less left, which is kept for
 *     compacting and sweeping, so that room is made again; 0 to write until nothing is left
 * @param backgroundJobs how many threads flush and compact
 * @param dropWhileCompacting whether a filter may be installed; without, what is dead is deleted
 *     explicitly
 * @param compacts whether RocksDB compacts by itself
 * @param acceptDamagedLog whether a directory is opened though its log is damaged before its end:
 *     the commits after the damage are lost, a copy of the log is kept
 * @param ticker nanoseconds that go on by themselves, to measure commits by
 */
public record RocksSettings(
    long cacheBytes,
    long maxBytesOnDisk,
    long minBytesFree,
    int backgroundJobs,
    boolean dropWhileCompacting,
    boolean compacts,
    boolean acceptDamagedLog,
    LongSupplier ticker) {
  private static final long MIN_CACHE_BYTES = 4 << 20;

  /** What is in buffers only is read from the log after a crash, which takes its time. */
  private static final long MAX_WRITE_BUFFER_BYTES = 256 << 20;

  public RocksSettings {
    if (cacheBytes < MIN_CACHE_BYTES) {
      throw new IllegalArgumentException("cacheBytes is less than " + MIN_CACHE_BYTES);
    }
    if (maxBytesOnDisk < 0 || minBytesFree < 0) {
      throw new IllegalArgumentException("a limit of the disk is negative");
    }
    if (backgroundJobs < 2) {
      throw new IllegalArgumentException(
          "backgroundJobs is less than 2: one flushes, one compacts");
    }
  }

  /**
   * 256 MiB of memory, all of the disk but 128 MiB, a thread per processor to compact and one to
   * flush; nothing is timed.
   */
  public static RocksSettings defaults() {
    int jobs = Runtime.getRuntime().availableProcessors() + 1;
    return new RocksSettings(256L << 20, 0, 128L << 20, jobs, true, true, false, () -> 0);
  }

  public RocksSettings withCacheBytes(long bytes) {
    return new RocksSettings(
        bytes,
        maxBytesOnDisk,
        minBytesFree,
        backgroundJobs,
        dropWhileCompacting,
        compacts,
        acceptDamagedLog,
        ticker);
  }

  public RocksSettings withMaxBytesOnDisk(long bytes) {
    return new RocksSettings(
        cacheBytes,
        bytes,
        minBytesFree,
        backgroundJobs,
        dropWhileCompacting,
        compacts,
        acceptDamagedLog,
        ticker);
  }

  public RocksSettings withMinBytesFree(long bytes) {
    return new RocksSettings(
        cacheBytes,
        maxBytesOnDisk,
        bytes,
        backgroundJobs,
        dropWhileCompacting,
        compacts,
        acceptDamagedLog,
        ticker);
  }

  public RocksSettings withDropWhileCompacting(boolean drop) {
    return new RocksSettings(
        cacheBytes,
        maxBytesOnDisk,
        minBytesFree,
        backgroundJobs,
        drop,
        compacts,
        acceptDamagedLog,
        ticker);
  }

  public RocksSettings withCompacts(boolean on) {
    return new RocksSettings(
        cacheBytes,
        maxBytesOnDisk,
        minBytesFree,
        backgroundJobs,
        dropWhileCompacting,
        on,
        acceptDamagedLog,
        ticker);
  }

  public RocksSettings withAcceptDamagedLog(boolean accept) {
    return new RocksSettings(
        cacheBytes,
        maxBytesOnDisk,
        minBytesFree,
        backgroundJobs,
        dropWhileCompacting,
        compacts,
        accept,
        ticker);
  }

  public RocksSettings withTicker(LongSupplier nanos) {
    return new RocksSettings(
        cacheBytes,
        maxBytesOnDisk,
        minBytesFree,
        backgroundJobs,
        dropWhileCompacting,
        compacts,
        acceptDamagedLog,
        nanos);
  }

  /** What the records that were lately read may take of the memory. */
  long recordCacheBytes() {
    return Math.min(cacheBytes, Runtime.getRuntime().maxMemory()) / 4;
  }

  /** What RocksDB may take of the memory. */
  long blockCacheBytes() {
    return cacheBytes - recordCacheBytes();
  }

  /** What the buffers of writes may take of the memory. */
  long writeBufferBytes() {
    return Math.min(cacheBytes / 4, MAX_WRITE_BUFFER_BYTES);
  }
}
