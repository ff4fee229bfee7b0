package dev.mayfly.value;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A range of byte strings: from a first one, inclusive, to a second one, exclusive, compared as
 * unsigned bytes. Ranges are equal if they are of the same class and have the same bounds.
 *
 * <p>Immutable. Returned arrays are shared and must not be changed.
 */
public abstract class ByteRange {
  private final byte[] from;
  private final byte[] to;

  /** Keeps the arrays without copying them. */
  protected ByteRange(byte[] from, byte[] to) {
    this.from = from;
    this.to = to;
  }

  /** Returns the lower bound: the first key, or a byte string just before it. */
  public final byte[] from() {
    return from;
  }

  /** Returns the upper bound: the first byte string after the last key. */
  public final byte[] to() {
    return to;
  }

  /** Returns whether the key, with or without a suffix, is in this range. */
  public final boolean contains(byte[] key) {
    return Arrays.compareUnsigned(from, key) <= 0 && Arrays.compareUnsigned(key, to) < 0;
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof ByteRange that
        && getClass() == that.getClass()
        && Arrays.equals(from, that.from)
        && Arrays.equals(to, that.to);
  }

  @Override
  public final int hashCode() {
    return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
  }

  @Override
  public final String toString() {
    HexFormat hex = HexFormat.of();
    return "[" + hex.formatHex(from) + ", " + hex.formatHex(to) + ")";
  }
}
