package dev.mayfly.cli;

import java.util.Optional;

/**
 * Shares of the memory that the process may take: the setting {@code memory} bounds all of it.
 *
 * <p>The launcher sizes the heap before Java starts; what the heap leaves is shared out here. Of a
 * gigabyte, the heap may take 384 MiB, buffers outside of it 128 MiB, Java itself (code, classes,
 * stacks) 160 MiB, and RocksDB the rest.
 *
 * @param total bytes that the process may take
 * @param heap bytes that the heap may grow to
 */
record MemoryPlan(long total, long heap) {
  private static final long STANDARD_BYTES = 1L << 30;
  private static final long JAVA_BYTES = 96L << 20;
  private static final int JAVA_SHARE = 16;
  private static final int BUFFER_SHARE = 8;
  private static final int HEAP_EIGHTHS = 3;

  /** What RocksDB needs to work at all. */
  private static final long LEAST_STORE_BYTES = 16L << 20;

  /** The total where the setting is not set: a gigabyte, or three quarters of a smaller machine. */
  static long standard(long machineBytes) {
    return Math.min(STANDARD_BYTES, machineBytes / 4 * 3);
  }

  /** Bytes for RocksDB: cached blocks and write buffers, all outside of the heap. */
  long nativeStoreBytes() {
    long left = total - heap - total / BUFFER_SHARE - JAVA_BYTES - total / JAVA_SHARE;
    return Math.max(left, LEAST_STORE_BYTES);
  }

  /** Bytes for the store: RocksDB's, and a third as much for records on the heap. */
  long storeBytes() {
    return nativeStoreBytes() + Math.min(nativeStoreBytes() / 3, heap / 4);
  }

  /**
   * A warning when the heap may grow past any share it is given, as it may without the launcher.
   */
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
            + "m) does not bound this process: start it by the script mayfly, or run java with"
            + " -Xmx"
            + mebibytes(share)
            + "m");
  }

  private static long mebibytes(long bytes) {
    return bytes >> 20;
  }
}
