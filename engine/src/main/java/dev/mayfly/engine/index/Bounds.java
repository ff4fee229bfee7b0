package dev.mayfly.engine.index;

import dev.mayfly.query.Interval;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Index bounds of a filter: the key ranges to scan. Immutable.
 *
 * @param ranges disjoint and in key order; empty if no document can match
 * @param exact whether every document with a key in the ranges matches the filter
 * @param parts how many leading parts of the index narrow the ranges; 0 for the whole index
 * @param whole whether each range is one value of all parts, so that the bytes after the values can
 *     narrow it further
 */
public record Bounds(List<KeyRange> ranges, boolean exact, int parts, boolean whole) {
  /** Maximum number of ranges; more are joined into one. */
  public static final int MAX_RANGES = 200;

  public Bounds {
    ranges = List.copyOf(ranges);
  }

  /**
   * Returns the bounds of several columns.
   *
   * <p>While columns consist of single values, each combination of them is a prefix. The first
   * column with longer intervals ends the prefixes, and the columns after it do not narrow the
   * scan.
   *
   * @param unmet the conjuncts of the filter that no column guarantees yet
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
   * Returns these bounds narrowed to keys with some bytes after the values; unchanged if the values
   * are not whole.
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
