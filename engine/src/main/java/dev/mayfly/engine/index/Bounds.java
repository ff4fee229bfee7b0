package dev.mayfly.engine.index;

import dev.mayfly.query.Interval;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The stretches of an index that answer a filter.
 *
 * @param ranges disjoint and in key order; empty when nothing can pass
 * @param exact true when every document with a key in here passes the filter
 * @param parts how many leading parts of the index narrow the ranges; 0 for the whole index
 * @param whole true when each range is one value of all parts, so that what follows the values can
 *     narrow it further
 */
public record Bounds(List<KeyRange> ranges, boolean exact, int parts, boolean whole) {
  /** As many ranges as a scan is split into; beyond that they are joined. */
  public static final int MAX_RANGES = 200;

  public Bounds {
    ranges = List.copyOf(ranges);
  }

  /**
   * The bounds that these columns give together.
   *
   * <p>As long as columns are made of single values, each combination of them is a prefix of its
   * own; the first column with longer intervals ends the prefixes, and what follows it cannot
   * narrow the scan.
   *
   * @param unmet the conjuncts of the filter that are still to be met
   */
  static Bounds of(IndexSpec spec, List<Column> columns, BitSet unmet) {
    List<byte[]> prefixes = List.of(new byte[0]);
    int parts = 0;
    for (Column column : columns) {
      if (column.part().manyPaths()) {
        prefixes = product(prefixes, List.of(pathKey(spec, column.path())));
      }
      if (column.intervals().isAll()) {
        break;
      }
      parts++;
      List<Interval> next = column.written();
      boolean fits = (long) prefixes.size() * next.size() <= MAX_RANGES;
      if (!fits) {
        return new Bounds(ranges(prefixes, List.of(hull(next))), false, parts, false);
      }
      unmet.andNot(column.met());
      if (!column.intervals().onlyPoints()) {
        return new Bounds(ranges(prefixes, next), unmet.isEmpty(), parts, false);
      }
      prefixes = product(prefixes, next.stream().map(Interval::from).toList());
    }
    boolean exact = unmet.isEmpty() || prefixes.isEmpty();
    boolean whole = parts == columns.size();
    return new Bounds(prefixes.stream().map(KeyRange::startingWith).toList(), exact, parts, whole);
  }

  /**
   * These bounds with whole values followed by the bytes; as they are when the values are not
   * whole.
   */
  Bounds followedBy(byte[] bytes) {
    if (!whole) {
      return this;
    }
    List<KeyRange> narrower =
        ranges.stream()
            .map(range -> KeyRange.startingWith(KeyRange.joined(range.from(), bytes)))
            .toList();
    return new Bounds(narrower, exact, parts, whole);
  }

  private static List<byte[]> product(List<byte[]> prefixes, List<byte[]> next) {
    List<byte[]> longer = new ArrayList<>();
    for (byte[] prefix : prefixes) {
      for (byte[] component : next) {
        longer.add(KeyRange.joined(prefix, component));
      }
    }
    return longer;
  }

  private static List<KeyRange> ranges(List<byte[]> prefixes, List<Interval> next) {
    List<KeyRange> ranges = new ArrayList<>();
    for (byte[] prefix : prefixes) {
      for (Interval interval : next) {
        ranges.add(KeyRange.of(prefix, interval));
      }
    }
    return ranges;
  }

  private static Interval hull(List<Interval> intervals) {
    return intervals.getFirst().upTo(intervals.getLast());
  }

  private static byte[] pathKey(IndexSpec spec, FieldPath path) {
    KeyWriter key = new KeyWriter();
    PathText.of(path).writeTo(key, spec.order());
    return key.bytes();
  }
}
