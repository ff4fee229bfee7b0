package dev.mayfly.engine.index;

import dev.mayfly.query.Interval;
import dev.mayfly.value.ByteRange;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Range of the keys of an index. */
public final class KeyRange extends ByteRange {
  /** Every key of an index. */
  public static final KeyRange ALL = new KeyRange(Interval.ALL.from(), Interval.ALL.to());

  private static final Comparator<KeyRange> BY_START =
      (a, b) -> Arrays.compareUnsigned(a.from(), b.from());

  private KeyRange(byte[] from, byte[] to) {
    super(from, to);
  }

  /** Returns the keys that start with the prefix and continue inside the interval. */
  static KeyRange of(byte[] prefix, Interval next) {
    return new KeyRange(joined(prefix, next.from()), joined(prefix, next.to()));
  }

  /** Returns the keys that start with the prefix; every key if it is empty. */
  static KeyRange startingWith(byte[] prefix) {
    if (prefix.length == 0) {
      return ALL;
    }
    Interval keys = Interval.startingWith(prefix);
    return new KeyRange(keys.from(), keys.to());
  }

  /**
   * Returns the keys between two bounds, each with a value for every part of the index.
   *
   * @param from inclusive; empty for no lower bound
   * @param below exclusive; empty for no upper bound
   * @throws IndexException BAD_SPEC if a bound does not have one value per part
   */
  static KeyRange between(IndexSpec spec, List<Value> from, List<Value> below) {
    return new KeyRange(
        from.isEmpty() ? ALL.from() : key(spec, from),
        below.isEmpty() ? ALL.to() : key(spec, below));
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

  /** Returns the same keys as disjoint ranges in key order; adjacent ranges stay separate. */
  static List<KeyRange> merged(List<KeyRange> ranges) {
    List<KeyRange> merged = new ArrayList<>();
    for (KeyRange next : ranges.stream().sorted(BY_START).toList()) {
      boolean joins =
          !merged.isEmpty() && Arrays.compareUnsigned(next.from(), merged.getLast().to()) < 0;
      merged.add(joins ? merged.removeLast().upTo(next) : next);
    }
    return merged;
  }

  private KeyRange upTo(KeyRange other) {
    return new KeyRange(from(), Arrays.compareUnsigned(to(), other.to()) < 0 ? other.to() : to());
  }

  static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
