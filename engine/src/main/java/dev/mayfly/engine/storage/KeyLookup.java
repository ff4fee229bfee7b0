package dev.mayfly.engine.storage;

import java.util.Arrays;
import java.util.List;

/** The keys that a document has in one index, to be searched: many of them in logarithmic time. */
public final class KeyLookup {
  /** So few are compared one by one. */
  private static final int FEW = 8;

  private final byte[][] keys;

  private KeyLookup(byte[][] keys) {
    this.keys = keys;
  }

  public static KeyLookup of(List<byte[]> keys) {
    byte[][] sorted = keys.toArray(byte[][]::new);
    if (sorted.length > FEW) {
      // in order but for keys that were cut: sorting takes one look at each
      Arrays.sort(sorted, Arrays::compareUnsigned);
    }
    return new KeyLookup(sorted);
  }

  public boolean contains(byte[] key) {
    if (keys.length > FEW) {
      return Arrays.binarySearch(keys, key, Arrays::compareUnsigned) >= 0;
    }
    for (byte[] candidate : keys) {
      if (Arrays.equals(candidate, key)) {
        return true;
      }
    }
    return false;
  }
}
