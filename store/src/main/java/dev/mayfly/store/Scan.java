package dev.mayfly.store;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Function;

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
   * Has the value of the current entry looked at where it lies, so that what is not wanted of it
   * need not be copied. Only after {@link #next} returned true.
   *
   * @param look is given the value, which cannot be read any more once it has returned; it must not
   *     use the scan
   * @return what it returns
   */
  default <T> T look(Function<MemorySegment, T> look) {
    try (Arena call = Arena.ofConfined()) {
      return look.apply(call.allocateFrom(ValueLayout.JAVA_BYTE, value()).asReadOnly());
    }
  }

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
