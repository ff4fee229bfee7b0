package dev.mayfly.engine.read;

import dev.mayfly.engine.ByteKey;
import java.util.HashSet;
import java.util.Set;

/**
 * Set of the primary keys that a multikey scan has returned, so that each document is returned
 * once. Its size in bytes may be limited, if {@link FirstEntryFilter} can decide for the rest. Used
 * by one thread at a time.
 */
final class SeenKeys {
  /** Approximate memory of a key besides its bytes: entry, object and array headers. */
  private static final int OVERHEAD = 72;

  private final long mostBytes;
  private final Set<ByteKey> keys = new HashSet<>();
  private long bytes;

  SeenKeys(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  boolean contains(byte[] primaryKey) {
    return keys.contains(new ByteKey(primaryKey));
  }

  /** Returns whether the limit is reached: a key that is not in the set may have been returned. */
  boolean isFull() {
    return bytes > mostBytes;
  }

  void add(byte[] primaryKey) {
    if (!isFull() && keys.add(new ByteKey(primaryKey))) {
      bytes += primaryKey.length + OVERHEAD;
    }
  }

  /** Approximate memory in bytes. */
  long bytes() {
    return bytes;
  }
}
