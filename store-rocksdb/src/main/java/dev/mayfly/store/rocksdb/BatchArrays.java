package dev.mayfly.store.rocksdb;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Arrays of encoded batches that are used again. RocksDB's Java API takes whole arrays only, so
 * there is one size for every {@value #STEP} bytes, and shorter batches are padded. Longer arrays
 * than {@value #LONGEST} bytes are not kept. Safe for many threads.
 */
final class BatchArrays {
  /** Lengths of arrays are multiples of this number. */
  static final int STEP = 64;

  static final int LONGEST = 8192;

  /** As many arrays of one size as threads mostly commit at the same time. */
  private static final int PER_SIZE = 2;

  private final AtomicReferenceArray<byte @Nullable []> idle =
      new AtomicReferenceArray<>((LONGEST / STEP + 1) * PER_SIZE);

  /** Returns the length of the array for a batch: its own length if no such array is kept. */
  static int padded(int length) {
    int whole = (length + STEP - 1) / STEP * STEP;
    // a padding has at least the two bytes of its operation
    int fitting = whole == length + 1 ? whole + STEP : whole;
    return fitting > LONGEST ? length : fitting;
  }

  /** Takes out an array with any content, or makes a new one. */
  byte[] take(int length) {
    if (length % STEP == 0 && length <= LONGEST) {
      int first = length / STEP * PER_SIZE;
      for (int i = first; i < first + PER_SIZE; i++) {
        byte[] found = idle.getPlain(i) == null ? null : idle.getAndSet(i, null);
        if (found != null) {
          return found;
        }
      }
    }
    return new byte[length];
  }

  /** Gives an array back that RocksDB has copied. */
  void give(byte[] array) {
    if (array.length % STEP == 0 && array.length <= LONGEST) {
      int first = array.length / STEP * PER_SIZE;
      for (int i = first; i < first + PER_SIZE; i++) {
        if (idle.getPlain(i) == null && idle.compareAndSet(i, null, array)) {
          return;
        }
      }
    }
  }
}
