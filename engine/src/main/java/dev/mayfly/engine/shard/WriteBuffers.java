package dev.mayfly.engine.shard;

import dev.mayfly.store.Batch;

/**
 * Batch and index key extractors of one write group. They are large and are used again by later
 * groups. Belongs to one thread at a time.
 */
final class WriteBuffers {
  private static final int INITIAL_BYTES = 4096;
  private static final int MAX_BYTES_KEPT = 1 << 20;

  private final IndexEntryKeys keys = new IndexEntryKeys();
  private Batch batch = new Batch(INITIAL_BYTES);

  /** Prepares for the next group. */
  WriteBuffers clear() {
    keys.clearMultikey();
    batch = batch.bytes() > MAX_BYTES_KEPT ? new Batch(INITIAL_BYTES) : batch.clear();
    return this;
  }

  Batch batch() {
    return batch;
  }

  IndexEntryKeys keys() {
    return keys;
  }
}
