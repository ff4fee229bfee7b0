package dev.mayfly.engine.storage;

import java.util.Arrays;
import java.util.List;

/**
 * Set of the keys of a document in one index: linear search for a few keys, binary search for more.
 * Immutable.
 */
public final class KeyLookup {
  /** Maximum number of keys for a linear search. */
  private static final int MAX_LINEAR = 8;

  private static final KeyLookup EMPTY = new KeyLookup(new byte[0][]);

  private final byte[][] keys;

  private KeyLookup(byte[][] keys) {
    this.keys = keys;
  }

  public static KeyLookup of(List<byte[]> keys) {
    if (keys.isEmpty()) {
      return EMPTY;
    }
    byte[][] sorted = keys.toArray(byte[][]::new);
    if (sorted.length > MAX_LINEAR) {
      // nearly sorted already, except for truncated keys: the sort is fast
      Arrays.sort(sorted, Arrays::compareUnsigned);
    }
    return new KeyLookup(sorted);
  }

  public boolean contains(byte[] key) {
    if (keys.length > MAX_LINEAR) {
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
