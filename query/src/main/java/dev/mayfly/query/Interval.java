package dev.mayfly.query;

import dev.mayfly.value.Brackets;
import dev.mayfly.value.ByteRange;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Arrays;

/**
 * Range of the keys of one index component. Keys are compared including their suffix, the following
 * components. A {@linkplain #point point} contains the keys of exactly one value.
 */
public final class Interval extends ByteRange {
  private static final byte[] LOWEST = {0x10};
  private static final byte[] HIGHEST = {(byte) 0xF0};

  /** Every possible key; its inversion is itself. */
  public static final Interval ALL = new Interval(LOWEST, HIGHEST, false);

  private final boolean point;

  private Interval(byte[] from, byte[] to, boolean point) {
    super(from, to);
    this.point = point;
  }

  /** Returns the keys of one value. */
  public static Interval point(Value value, Order order) {
    byte[] key = new KeyWriter().append(value, order).bytes();
    return new Interval(key, after(key), true);
  }

  /** Returns the keys of one type and of all types that compare with it. */
  public static Interval bracket(Type type, Order order) {
    boolean single =
        switch (type) {
          case MISSING, UNDEFINED, NULL, MIN_KEY, MAX_KEY -> true;
          default -> false;
        };
    byte[] low = {Brackets.low(type, order)};
    byte[] high = {Brackets.high(type, order)};
    return new Interval(low, high, single);
  }

  /** Returns the keys that start with these bytes, which begin with a tag. */
  public static Interval startingWith(byte[] prefix) {
    return new Interval(prefix, after(prefix), false);
  }

  /** Returns the keys of the strings with this prefix. */
  static Interval prefix(String prefix, Order order) {
    return startingWith(new KeyWriter().appendPrefix(prefix, order).bytes());
  }

  /** Returns whether all keys are of one value. */
  public boolean isPoint() {
    return point;
  }

  /** Returns the interval of the same values in a descending component: with inverted bytes. */
  public Interval inverted() {
    return new Interval(after(inverted(to())), after(inverted(from())), point);
  }

  /** Returns the intersection of two intervals. */
  Interval intersect(Interval other) {
    byte[] low = Arrays.compareUnsigned(from(), other.from()) >= 0 ? from() : other.from();
    byte[] high = Arrays.compareUnsigned(to(), other.to()) <= 0 ? to() : other.to();
    // A point is indivisible: an intersection with it is the whole point.
    return new Interval(low, high, point || other.point);
  }

  /**
   * Returns the interval from the start of this to the end of the other, which must not start
   * earlier.
   */
  public Interval upTo(Interval other) {
    return Arrays.compareUnsigned(to(), other.to()) >= 0
        ? this
        : new Interval(from(), other.to(), false);
  }

  /** Returns the part below all keys of the value. */
  Interval below(Interval value) {
    return new Interval(from(), value.from(), false);
  }

  /** Returns the part above all keys of the value. */
  Interval above(Interval value) {
    return new Interval(value.to(), to(), false);
  }

  boolean isEmpty() {
    return Arrays.compareUnsigned(from(), to()) >= 0;
  }

  /**
   * Returns whether the other starts in this interval, or right after it and neither is a point.
   */
  boolean joins(Interval other) {
    int gap = Arrays.compareUnsigned(other.from(), to());
    return gap < 0 || (gap == 0 && !point && !other.point);
  }

  private static byte[] inverted(byte[] bytes) {
    byte[] result = bytes.clone();
    for (int i = 0; i < result.length; i++) {
      result[i] = (byte) ~result[i];
    }
    return result;
  }

  /** Returns the first byte string above all that start with these bytes; tags keep it finite. */
  private static byte[] after(byte[] prefix) {
    int last = prefix.length - 1;
    while (prefix[last] == (byte) 0xFF) {
      last--;
    }
    byte[] result = Arrays.copyOf(prefix, last + 1);
    result[last]++;
    return result;
  }
}
