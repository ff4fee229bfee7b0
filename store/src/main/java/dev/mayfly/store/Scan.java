package dev.mayfly.store;

/**
 * A cursor over a range, starting before its first entry. Not thread-safe. Close it: it may hold
 * native memory, and data that compaction could otherwise drop.
 */
public interface Scan extends AutoCloseable {
  /** Moves to the next entry; false when there is none, and it stays so until {@link #seek}. */
  boolean next();

  /** The key of the current entry, as a new array. Only after {@link #next} returned true. */
  byte[] key();

  /** The value of the current entry, as a new array. Only after {@link #next} returned true. */
  byte[] value();

  /**
   * Leaves the current entry. The following {@link #next} moves to the first entry of the range at
   * or after the key (at or before it, when descending). Seeks may go back as well as forth; a key
   * outside of the range stands for the range's nearer end.
   */
  void seek(byte[] key);

  /** Closing again does nothing. */
  @Override
  void close();
}
