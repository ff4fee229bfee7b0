package dev.mayfly.store.rocksdb;

import java.util.function.LongSupplier;

/**
 * Settings of a store on RocksDB.
 *
 * @param cacheBytes memory for everything that grows: a quarter for records on the heap, but at
 *     most a quarter of the heap; the rest for cached blocks, indexes and filters of files, and for
 *     memtables, which get a quarter of it all, and 256 MiB at most
 * @param maxBytesOnDisk limit of the data on disk; 0 for no limit
 * @param minBytesFree free disk space to reserve for compaction and sweeping, which make room
 *     again; 0 for none
 * @param backgroundJobs number of threads that flush and compact
 * @param dropWhileCompacting whether a compaction filter may be installed; otherwise expired
 *     entries are deleted explicitly
 * @param compacts whether RocksDB compacts by itself
 * @param acceptDamagedLog whether to open a directory whose log is damaged before its end: the
 *     commits after the damage are lost, a copy of the log is kept
 * @param ticker monotonic nanoseconds, to measure commits
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

  /** After a crash, memtables are read from the log, which takes time. */
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
   * Returns the defaults: 256 MiB of memory, all of the disk but 128 MiB, a compaction thread per
   * processor and one flush thread; no measurement of commits.
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

  /** Returns the memory for cached records. */
  long recordCacheBytes() {
    return Math.min(cacheBytes, Runtime.getRuntime().maxMemory()) / 4;
  }

  /** Returns the memory for RocksDB. */
  long blockCacheBytes() {
    return cacheBytes - recordCacheBytes();
  }

  /** Returns the memory for memtables. */
  long writeBufferBytes() {
    return Math.min(cacheBytes / 4, MAX_WRITE_BUFFER_BYTES);
  }
}
