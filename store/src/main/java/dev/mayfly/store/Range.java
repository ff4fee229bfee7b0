package dev.mayfly.store;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The keys from one, inclusive, to another, exclusive, either of which may be open. Immutable as
 * long as nobody writes to the arrays, which are not copied.
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

  /** Keys at or after {@code from} and before {@code to}: none, unless from is less than to. */
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

  /** Keys that begin with the prefix, the prefix itself among them. */
  public static Range prefix(byte[] prefix) {
    return new Range(prefix, successor(prefix));
  }

  /** The lowest key, inclusive; null when there is no lower bound. */
  public byte @Nullable [] from() {
    return from;
  }

  /** The first key beyond, exclusive; null when there is no upper bound. */
  public byte @Nullable [] to() {
    return to;
  }

  /** True when no key can be in the range. */
  public boolean isEmpty() {
    return to != null
        && (to.length == 0 || (from != null && Arrays.compareUnsigned(from, to) >= 0));
  }

  public boolean contains(byte[] key) {
    return (from == null || Arrays.compareUnsigned(from, key) <= 0)
        && (to == null || Arrays.compareUnsigned(key, to) < 0);
  }

  /** The first key after all that begin with the prefix; null when none is. */
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
