package dev.mayfly.engine.index;

import dev.mayfly.query.Interval;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * A stretch of the keys of an index: from a first byte string up to, but without, a second.
 *
 * <p>Immutable; the arrays given out are shared and not to be changed.
 */
public final class KeyRange {
  /** Every key of an index. */
  public static final KeyRange ALL = new KeyRange(Interval.ALL.from(), Interval.ALL.to());

  private static final Comparator<KeyRange> BY_START =
      (a, b) -> Arrays.compareUnsigned(a.from, b.from);

  private final byte[] from;
  private final byte[] to;

  private KeyRange(byte[] from, byte[] to) {
    this.from = from;
    this.to = to;
  }

  /** The keys that start with the prefix and go on inside the interval. */
  static KeyRange of(byte[] prefix, Interval next) {
    return new KeyRange(joined(prefix, next.from()), joined(prefix, next.to()));
  }

  /** The keys that start with the prefix; every key when it is empty. */
  static KeyRange startingWith(byte[] prefix) {
    if (prefix.length == 0) {
      return ALL;
    }
    Interval keys = Interval.startingWith(prefix);
    return new KeyRange(keys.from(), keys.to());
  }

  /**
   * The keys at or behind some values of all parts and before others.
   *
   * @param from empty for all from the first
   * @param below empty for all to the last
   * @throws IndexException BAD_SPEC when there is not a value for each part
   */
  static KeyRange between(IndexSpec spec, List<Value> from, List<Value> below) {
    return new KeyRange(
        from.isEmpty() ? ALL.from : key(spec, from), below.isEmpty() ? ALL.to : key(spec, below));
  }

  private static byte[] key(IndexSpec spec, List<Value> values) {
    if (values.size() != spec.parts().size()) {
      throw new IndexException(
          IndexException.Reason.BAD_SPEC, "a key has a value for each part", spec.name());
    }
    KeyWriter key = new KeyWriter();
    for (int i = 0; i < values.size(); i++) {
      Value value = spec.collation().fold(values.get(i));
      if (spec.parts().get(i).descending()) {
        key.appendDescending(value, spec.order());
      } else {
        key.append(value, spec.order());
      }
    }
    return key.bytes();
  }

  /** The same keys in ranges that are disjoint and in key order; ranges that touch stay two. */
  static List<KeyRange> merged(List<KeyRange> ranges) {
    List<KeyRange> merged = new ArrayList<>();
    for (KeyRange next : ranges.stream().sorted(BY_START).toList()) {
      boolean joins =
          !merged.isEmpty() && Arrays.compareUnsigned(next.from, merged.getLast().to) < 0;
      merged.add(joins ? merged.removeLast().upTo(next) : next);
    }
    return merged;
  }

  private KeyRange upTo(KeyRange other) {
    return new KeyRange(from, Arrays.compareUnsigned(to, other.to) < 0 ? other.to : to);
  }

  static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** The first key, or a byte string just before it. */
  public byte[] from() {
    return from;
  }

  /** The first byte string after the last key. */
  public byte[] to() {
    return to;
  }

  /** True when the key, with or without what the engine puts behind it, lies in here. */
  public boolean contains(byte[] key) {
    return Arrays.compareUnsigned(from, key) <= 0 && Arrays.compareUnsigned(key, to) < 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyRange that
        && Arrays.equals(from, that.from)
        && Arrays.equals(to, that.to);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return "[" + hex.formatHex(from) + ", " + hex.formatHex(to) + ")";
  }
}
