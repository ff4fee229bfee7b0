package dev.mayfly.store;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Function;

/**
 * Cursor over a range, initially before its first entry. Not thread-safe. Close it: it may hold
 * native memory, and data that compaction could otherwise drop.
 *
 * <pre>{@code
 * try (Scan scan = reader.scan(Space.ENTRIES, Range.all(), Direction.UP)) {
 *   while (scan.next()) {
 *     use(scan.key(), scan.value());
 *     scan.seek(afterAllWithPrefixOf(scan.key())); // the next entry is at or after it
 *   }
 * }
 * }</pre>
 */
public interface Scan extends AutoCloseable {
  /** Moves to the next entry; returns false after the last one, until {@link #seek}. */
  boolean next();

  /**
   * Returns the key of the current entry, as a new array. Only after {@link #next} returned true.
   */
  byte[] key();

  /**
   * Returns the value of the current entry, as a new array. Only after {@link #next} returned true.
   */
  byte[] value();

  /**
   * Passes the value of the current entry to a function without copying it. Only after {@link
   * #next} returned true.
   *
   * @param look receives the value, which is readable during the call only; must not use the scan
   * @return the result of the function
   */
  default <T> T look(Function<MemorySegment, T> look) {
    try (Arena call = Arena.ofConfined()) {
      return look.apply(call.allocateFrom(ValueLayout.JAVA_BYTE, value()).asReadOnly());
    }
  }

  /**
   * Leaves the current entry. The following {@link #next} moves to the first entry of the range at
   * or after the key (at or before it, if descending). Seeks may go in both directions; a key
   * outside the range means the nearer end of the range.
   */
  void seek(byte[] key);

  /** Closing again does nothing. */
  @Override
  void close();
}
