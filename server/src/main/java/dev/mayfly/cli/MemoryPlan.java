package dev.mayfly.cli;

import java.util.Optional;

/**
 * Divides the memory of the process, which the setting {@code memory} limits.
 *
 * <p>The launcher sizes the heap before Java starts; this class divides the rest. Of 1 GiB, the
 * heap gets 384 MiB, direct buffers 128 MiB, the JVM itself (code, classes, stacks) 160 MiB, and
 * RocksDB the remainder.
 *
 * @param total memory of the process in bytes
 * @param heap maximum heap in bytes
 */
record MemoryPlan(long total, long heap) {
  private static final long STANDARD_BYTES = 1L << 30;
  private static final long JAVA_BYTES = 96L << 20;
  private static final int JAVA_SHARE = 16;
  private static final int BUFFER_SHARE = 8;
  private static final int HEAP_EIGHTHS = 3;

  /** Minimum for RocksDB. */
  private static final long MIN_STORE_BYTES = 16L << 20;

  /** Default of the setting: 1 GiB, or three quarters of the memory of a smaller machine. */
  static long standard(long machineBytes) {
    return Math.min(STANDARD_BYTES, machineBytes / 4 * 3);
  }

  /** Bytes for RocksDB: block cache and memtables, outside of the heap. */
  long nativeStoreBytes() {
    long left = total - heap - total / BUFFER_SHARE - JAVA_BYTES - total / JAVA_SHARE;
    return Math.max(left, MIN_STORE_BYTES);
  }

  /** Bytes for the store: RocksDB, and a third as much for the record cache on the heap. */
  long storeBytes() {
    return nativeStoreBytes() + Math.min(nativeStoreBytes() / 3, heap / 4);
  }

  /** A warning if the maximum heap exceeds its share, as it may without the launcher. */
  Optional<String> warning() {
    if (heap <= total / 4 * 3) {
      return Optional.empty();
    }
    long share = total / 8 * HEAP_EIGHTHS;
    return Optional.of(
        "the heap may grow to "
            + mebibytes(heap)
            + "m, so the setting memory ("
            + mebibytes(total)
            + "m) does not limit this process: start it with the script mayfly, or run"
            + " java with -Xmx"
            + mebibytes(share)
            + "m");
  }

  private static long mebibytes(long bytes) {
    return bytes >> 20;
  }
}
