package dev.mayfly.engine.read;

import dev.mayfly.engine.ByteKey;
import java.util.HashSet;
import java.util.Set;

/**
 * The primary keys of documents that an index has led to, so that those with several entries are
 * given once. Holds a bounded number of bytes where something else can tell the rest. Belongs to
 * one thread at a time.
 */
final class SeenKeys {
  /** About what one key takes beside its bytes: entry, object and array headers. */
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

  /**
   * True when it holds less than all that were added: a key that is missing may have been shown.
   */
  boolean isFull() {
    return bytes > mostBytes;
  }

  void add(byte[] primaryKey) {
    if (!isFull() && keys.add(new ByteKey(primaryKey))) {
      bytes += primaryKey.length + OVERHEAD;
    }
  }

  /** About how much memory it takes. */
  long bytes() {
    return bytes;
  }
}
