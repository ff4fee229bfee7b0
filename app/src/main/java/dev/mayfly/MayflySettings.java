package dev.mayfly;

import dev.mayfly.engine.EngineSettings;
import dev.mayfly.store.rocksdb.RocksSettings;

/**
 * What a program that embeds Mayfly may choose.
 *
 * @param memoryBytes what the store may take for caches and for writes that are not in files yet;
 *     in memory there is no such limit. At least 4 MiB
 * @param maxDiskBytes writes are refused when the files of data reach this; 0 for no limit
 * @param dropInCompaction whether the dead are dropped while files are compacted, at no cost of
 *     their own; else the sweep deletes them one by one
 * @param background whether a thread of Mayfly sweeps, builds and trims; else {@link
 *     dev.mayfly.engine.Engine#work} does when called
 */
public record MayflySettings(
    long memoryBytes, long maxDiskBytes, boolean dropInCompaction, boolean background) {
  private static final long MIN_MEMORY_BYTES = 4 << 20;
  private static final long STANDARD_MEMORY_BYTES = 256 << 20;

  public MayflySettings {
    if (memoryBytes < MIN_MEMORY_BYTES) {
      throw new IllegalArgumentException("memoryBytes is less than " + MIN_MEMORY_BYTES);
    }
  }

  /** 256 MiB of memory, drops in compaction, works by itself. */
  public static MayflySettings standard() {
    return new MayflySettings(STANDARD_MEMORY_BYTES, 0, true, true);
  }

  public MayflySettings withMemoryBytes(long bytes) {
    return new MayflySettings(bytes, maxDiskBytes, dropInCompaction, background);
  }

  public MayflySettings withMaxDiskBytes(long bytes) {
    return new MayflySettings(memoryBytes, bytes, dropInCompaction, background);
  }

  public MayflySettings withDropInCompaction(boolean on) {
    return new MayflySettings(memoryBytes, maxDiskBytes, on, background);
  }

  public MayflySettings withBackground(boolean on) {
    return new MayflySettings(memoryBytes, maxDiskBytes, dropInCompaction, on);
  }

  EngineSettings engine() {
    return EngineSettings.standard(System::nanoTime)
        .withBackground(background)
        .withDropInCompaction(dropInCompaction);
  }

  RocksSettings store() {
    return RocksSettings.defaults()
        .withCacheBytes(memoryBytes)
        .withMaxBytesOnDisk(maxDiskBytes)
        .withDropWhileCompacting(dropInCompaction);
  }
}
