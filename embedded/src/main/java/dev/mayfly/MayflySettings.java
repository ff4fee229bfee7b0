package dev.mayfly;

import dev.mayfly.engine.ClockLimits;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.store.rocksdb.RocksSettings;

/**
 * What a program that embeds Mayfly may choose.
 *
 * @param memoryBytes what the store may take for caches and for writes that are not in files yet;
 *     in memory there is no such limit. At least 4 MiB
 * @param maxDiskBytes writes are refused when data takes this much; 0 for no limit
 * @param minFreeBytes writes are refused when the disk has less left: what is there is needed to
 *     sweep and to compact; 0 to write until nothing is left
 * @param dropInCompaction whether the dead are dropped while files are compacted, at no cost of
 *     their own; else the sweep deletes them one by one
 * @param background whether a thread of Mayfly sweeps, builds and trims; else {@link
 *     dev.mayfly.engine.Engine#work} does when called
 * @param clock how far the clock of the machine is believed
 */
public record MayflySettings(
    long memoryBytes,
    long maxDiskBytes,
    long minFreeBytes,
    boolean dropInCompaction,
    boolean background,
    ClockLimits clock) {
  private static final long MIN_MEMORY_BYTES = 4 << 20;
  private static final long STANDARD_MEMORY_BYTES = 256 << 20;
  private static final long STANDARD_FREE_BYTES = 128 << 20;

  public MayflySettings {
    if (memoryBytes < MIN_MEMORY_BYTES) {
      throw new IllegalArgumentException("memoryBytes is less than " + MIN_MEMORY_BYTES);
    }
  }

  /** 256 MiB of memory, 128 MiB of disk left free, drops in compaction, works by itself. */
  public static MayflySettings standard() {
    return new MayflySettings(
        STANDARD_MEMORY_BYTES, 0, STANDARD_FREE_BYTES, true, true, ClockLimits.STANDARD);
  }

  public MayflySettings withMemoryBytes(long bytes) {
    return new MayflySettings(
        bytes, maxDiskBytes, minFreeBytes, dropInCompaction, background, clock);
  }

  public MayflySettings withMaxDiskBytes(long bytes) {
    return new MayflySettings(
        memoryBytes, bytes, minFreeBytes, dropInCompaction, background, clock);
  }

  public MayflySettings withMinFreeBytes(long bytes) {
    return new MayflySettings(
        memoryBytes, maxDiskBytes, bytes, dropInCompaction, background, clock);
  }

  public MayflySettings withDropInCompaction(boolean on) {
    return new MayflySettings(memoryBytes, maxDiskBytes, minFreeBytes, on, background, clock);
  }

  public MayflySettings withBackground(boolean on) {
    return new MayflySettings(memoryBytes, maxDiskBytes, minFreeBytes, dropInCompaction, on, clock);
  }

  public MayflySettings withClock(ClockLimits limits) {
    return new MayflySettings(
        memoryBytes, maxDiskBytes, minFreeBytes, dropInCompaction, background, limits);
  }

  EngineSettings engine() {
    return EngineSettings.standard(System::nanoTime)
        .withBackground(background)
        .withClock(clock)
        .withDropInCompaction(dropInCompaction);
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
