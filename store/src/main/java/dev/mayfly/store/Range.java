package dev.mayfly.store;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Range of keys from a lower bound, inclusive, to an upper bound, exclusive; either may be absent.
 * Arrays are not copied: the range is immutable as long as the caller does not change them.
 *
 * <pre>{@code
 * Range.prefix(new byte[] {7});                      // from 07 to 08, exclusive
 * Range.of(new byte[] {1}, new byte[] {3});          // 01, 01 00, 02 FF; not 03
 * Range.from(new byte[] {1}).contains(new byte[0]);  // false
 * }</pre>
 */
public final class Range {
  private static final Range ALL = new Range(null, null);

  private final byte @Nullable [] from;
  private final byte @Nullable [] to;

  private Range(byte @Nullable [] from, byte @Nullable [] to) {
    this.from = from;
    this.to = to;
  }

  public static Range all() {
    return ALL;
  }

  /** Keys at or after {@code from} and before {@code to}; empty unless from is less than to. */
  public static Range of(byte[] from, byte[] to) {
    return new Range(from, to);
  }

  /** Keys at or after {@code from}. */
  public static Range from(byte[] from) {
    return new Range(from, null);
  }

  /** Keys before {@code to}. */
  public static Range to(byte[] to) {
    return new Range(null, to);
  }

  /** Keys that begin with the prefix, including the prefix itself. */
  public static Range prefix(byte[] prefix) {
    return new Range(prefix, successor(prefix));
  }

  /** Returns the lower bound, inclusive; null if there is none. */
  public byte @Nullable [] from() {
    return from;
  }

  /** Returns the upper bound, exclusive; null if there is none. */
  public byte @Nullable [] to() {
    return to;
  }

  /** Returns whether the range contains no keys. */
  public boolean isEmpty() {
    return to != null
        && (to.length == 0 || (from != null && Arrays.compareUnsigned(from, to) >= 0));
  }

  public boolean contains(byte[] key) {
    return (from == null || Arrays.compareUnsigned(from, key) <= 0)
        && (to == null || Arrays.compareUnsigned(key, to) < 0);
  }

  /** Returns the first key after all that begin with the prefix; null if there is none. */
  private static byte @Nullable [] successor(byte[] prefix) {
    for (int last = prefix.length - 1; last >= 0; last--) {
      if (prefix[last] != (byte) 0xff) {
        byte[] next = Arrays.copyOf(prefix, last + 1);
        next[last]++;
        return next;
      }
    }
    return null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Range range
        && Arrays.equals(from, range.from)
        && Arrays.equals(to, range.to);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
  }

  @Override
  public String toString() {
    return "[" + text(from) + ", " + text(to) + ")";
  }

  private static String text(byte @Nullable [] key) {
    return key == null ? "open" : HexFormat.of().formatHex(key);
  }
}
