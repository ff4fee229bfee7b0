package dev.mayfly.engine.shard;

import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.HeaderFields;
import dev.mayfly.store.Batch;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Batch, index key extractors and other buffers of one write group. They are large and are used
 * again by later groups. Belongs to one thread at a time.
 */
final class WriteBuffers {
  private static final int INITIAL_BYTES = 4096;
  private static final int MAX_BYTES_KEPT = 1 << 20;

  private final IndexEntryKeys keys = new IndexEntryKeys();
  private final HeaderFields headerFields = new HeaderFields();
  private final byte[] entryHeader = new byte[Header.MAX_LENGTH];
  private Batch batch = new Batch(INITIAL_BYTES);
  private ByteBuilder change = new ByteBuilder();

  /** Prepares for the next group. */
  WriteBuffers clear() {
    keys.clearMultikey();
    batch = batch.bytes() > MAX_BYTES_KEPT ? new Batch(INITIAL_BYTES) : batch.clear();
    change = change.buffer().length > MAX_BYTES_KEPT ? new ByteBuilder() : change;
    return this;
  }

  Batch batch() {
    return batch;
  }

  IndexEntryKeys keys() {
    return keys;
  }

  /** The fields of the header that is being written. */
  HeaderFields headerFields() {
    return headerFields;
  }

  /** The header that is being written. */
  byte[] entryHeader() {
    return entryHeader;
  }

  /** The feed entry that is being written. */
  ByteBuilder change() {
    return change;
  }

  /** Buffers that are not in use. Safe for many threads, which mostly find those they used last. */
  static final class Pool {
    private static final int SIZE = 64;
    private static final int PROBES = 4;

    private final AtomicReferenceArray<@Nullable WriteBuffers> idle =
        new AtomicReferenceArray<>(SIZE);

    /** Takes buffers out, or makes new ones. */
    WriteBuffers take() {
      int first = first();
      for (int i = 0; i < PROBES; i++) {
        int at = (first + i) & (SIZE - 1);
        WriteBuffers found = idle.getPlain(at) == null ? null : idle.getAndSet(at, null);
        if (found != null) {
          return found;
        }
      }
      return new WriteBuffers();
    }

    /** Gives buffers back. If there are too many, some are dropped. */
    void give(WriteBuffers buffers) {
      int first = first();
      for (int i = 0; i < PROBES - 1; i++) {
        if (idle.compareAndSet((first + i) & (SIZE - 1), null, buffers)) {
          return;
        }
      }
      idle.set((first + PROBES - 1) & (SIZE - 1), buffers);
    }

    /** Frees all buffers. */
    void clear() {
      for (int i = 0; i < SIZE; i++) {
        idle.set(i, null);
      }
    }

    private static int first() {
      long mixed = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
      return (int) (mixed >>> 32 & SIZE - 1);
    }
  }
}
