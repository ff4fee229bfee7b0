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

  /** Every key there can be; its inversion is itself. */
  public static final Interval ALL = new Interval(LOWEST, HIGHEST, false);

  private final boolean point;

  private Interval(byte[] from, byte[] to, boolean point) {
    super(from, to);
    this.point = point;
  }

  /** The keys of one value. */
  public static Interval point(Value value, Order order) {
    byte[] key = new KeyWriter().append(value, order).bytes();
    return new Interval(key, after(key), true);
  }

  /** The keys of one type and of those that compare with it. */
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

  /** The keys that start with these bytes, which begin with a tag. */
  public static Interval startingWith(byte[] prefix) {
    return new Interval(prefix, after(prefix), false);
  }

  /** The keys of the texts that start so. */
  static Interval prefix(String prefix, Order order) {
    return startingWith(new KeyWriter().appendPrefix(prefix, order).bytes());
  }

  /** True when all keys in here are of one value. */
  public boolean isPoint() {
    return point;
  }

  /** The same values where the component is written descending: its bytes inverted. */
  public Interval inverted() {
    return new Interval(after(inverted(to())), after(inverted(from())), point);
  }

  /** What lies in here and before the other one's end, from the other one's beginning. */
  Interval intersect(Interval other) {
    byte[] low = Arrays.compareUnsigned(from(), other.from()) >= 0 ? from() : other.from();
    byte[] high = Arrays.compareUnsigned(to(), other.to()) <= 0 ? to() : other.to();
    // A point has no parts: what is left of it is all of it.
    return new Interval(low, high, point || other.point);
  }

  /** From the beginning of this to the end of the other, which must not lie before it. */
  public Interval upTo(Interval other) {
    return Arrays.compareUnsigned(to(), other.to()) >= 0
        ? this
        : new Interval(from(), other.to(), false);
  }

  /** What lies in here below all keys of the value. */
  Interval below(Interval value) {
    return new Interval(from(), value.from(), false);
  }

  /** What lies in here above all keys of the value. */
  Interval above(Interval value) {
    return new Interval(value.to(), to(), false);
  }

  boolean isEmpty() {
    return Arrays.compareUnsigned(from(), to()) >= 0;
  }

  /** True when the other begins in here, or right after it without either being a point. */
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

  /** The first byte string above everything that starts with these bytes; tags keep it finite. */
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
