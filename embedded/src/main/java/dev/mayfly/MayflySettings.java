package dev.mayfly;

import dev.mayfly.engine.ClockLimits;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.SortLimits;
import dev.mayfly.engine.archive.ArchiveSettings;
import dev.mayfly.store.rocksdb.RocksSettings;
import java.nio.file.Path;

/**
 * Settings of an embedded instance.
 *
 * @param memoryBytes memory of the store for caches and memtables, at least 4 MiB; no limit for an
 *     instance in memory
 * @param maxDiskBytes writes are rejected when the data has this size; 0 for no limit
 * @param minFreeBytes writes are rejected when less disk space is free, which sweep and compaction
 *     need; 0 for no limit
 * @param dropInCompaction whether compaction drops expired documents; otherwise the sweep deletes
 *     them one by one
 * @param background whether background threads sweep, build and trim; otherwise only {@link
 *     dev.mayfly.engine.Engine#work} does
 * @param clock limits for steps of the system clock
 * @param archive what actions on expiry may do
 */
public record MayflySettings(
    long memoryBytes,
    long maxDiskBytes,
    long minFreeBytes,
    boolean dropInCompaction,
    boolean background,
    ClockLimits clock,
    ArchiveSettings archive) {
  private static final long MIN_MEMORY_BYTES = 4 << 20;
  private static final long STANDARD_MEMORY_BYTES = 256 << 20;
  private static final long STANDARD_FREE_BYTES = 128 << 20;

  public MayflySettings {
    if (memoryBytes < MIN_MEMORY_BYTES) {
      throw new IllegalArgumentException("memoryBytes is less than " + MIN_MEMORY_BYTES);
    }
  }

  /**
   * Defaults: 256 MiB of memory, 128 MiB of free disk space, drops in compaction, background
   * threads.
   */
  public static MayflySettings standard() {
    return new MayflySettings(
        STANDARD_MEMORY_BYTES,
        0,
        STANDARD_FREE_BYTES,
        true,
        true,
        ClockLimits.STANDARD,
        ArchiveSettings.STANDARD);
  }

  public MayflySettings withMemoryBytes(long bytes) {
    return new MayflySettings(
        bytes, maxDiskBytes, minFreeBytes, dropInCompaction, background, clock, archive);
  }

  public MayflySettings withMaxDiskBytes(long bytes) {
    return new MayflySettings(
        memoryBytes, bytes, minFreeBytes, dropInCompaction, background, clock, archive);
  }

  public MayflySettings withMinFreeBytes(long bytes) {
    return new MayflySettings(
        memoryBytes, maxDiskBytes, bytes, dropInCompaction, background, clock, archive);
  }

  public MayflySettings withDropInCompaction(boolean on) {
    return new MayflySettings(
        memoryBytes, maxDiskBytes, minFreeBytes, on, background, clock, archive);
  }

  public MayflySettings withBackground(boolean on) {
    return new MayflySettings(
        memoryBytes, maxDiskBytes, minFreeBytes, dropInCompaction, on, clock, archive);
  }

  public MayflySettings withClock(ClockLimits limits) {
    return new MayflySettings(
        memoryBytes, maxDiskBytes, minFreeBytes, dropInCompaction, background, limits, archive);
  }

  public MayflySettings withArchive(ArchiveSettings limits) {
    return new MayflySettings(
        memoryBytes, maxDiskBytes, minFreeBytes, dropInCompaction, background, clock, limits);
  }

  EngineSettings engine() {
    return EngineSettings.standard(System::nanoTime)
        .withBackground(background)
        .withClock(clock)
        .withArchive(archive)
        .withDropInCompaction(dropInCompaction);
  }

  /**
   * Returns the settings of an engine, for a server that opens engines itself.
   *
   * @param sorting directory for temporary files of sorts that exceed memory
   */
  public EngineSettings engine(Path sorting) {
    return engine().withSorting(SortLimits.STANDARD.spillingTo(sorting));
  }

  RocksSettings store() {
    return RocksSettings.defaults()
        .withCacheBytes(memoryBytes)
        .withMaxBytesOnDisk(maxDiskBytes)
        .withMinBytesFree(minFreeBytes)
        .withDropWhileCompacting(dropInCompaction)
        .withTicker(System::nanoTime);
  }
}
