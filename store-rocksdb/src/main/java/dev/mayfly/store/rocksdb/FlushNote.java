package dev.mayfly.store.rocksdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;

/**
 * First operation of every commit in the log: a note for {@link Logs}, which RocksDB skips. It
 * contains the sequence number of RocksDB through which the log was on disk when the commit was
 * made.
 *
 * <p>Logs are overwritten, and a power failure during a flush may leave later parts of the flush on
 * disk without earlier ones. The note distinguishes such a gap from damage: a commit that was
 * flushed is never missing.
 *
 * <pre>
 * 03 09 'f' sequence (8 bytes, little-endian)
 * </pre>
 */
final class FlushNote {
  /** Size of the note as an operation of a {@code WriteBatch}. */
  static final int BYTES = 11;

  private static final byte LOG_DATA = 0x3;
  private static final byte KIND = 'f';
  private static final int PAYLOAD = 1 + Long.BYTES;

  private FlushNote() {}

  /** Returns the payload: what {@code WriteBatch.putLogData} takes. */
  static byte[] payload(long flushed) {
    return ByteBuffer.allocate(PAYLOAD)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(KIND)
        .putLong(flushed)
        .array();
  }

  /** Writes the operation to a serialized batch. */
  static void write(byte[] batch, int at, long flushed) {
    ByteBuffer.wrap(batch, at, BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(LOG_DATA)
        .put((byte) PAYLOAD)
        .put(KIND)
        .putLong(flushed);
  }

  /** Returns the sequence number if a note begins at a position of a serialized batch. */
  static OptionalLong read(byte[] batch, int at) {
    ByteBuffer note = ByteBuffer.wrap(batch, at, BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return note.get() == LOG_DATA && note.get() == PAYLOAD && note.get() == KIND
        ? OptionalLong.of(note.getLong())
        : OptionalLong.empty();
  }
}
