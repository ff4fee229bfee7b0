package dev.mayfly.query;

import dev.mayfly.query.geo.CellRange;
import dev.mayfly.query.geo.Region;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Index bounds of a filter: the keys on one path that matching documents can have.
 *
 * <p>A document that matches the filter has an entry in these intervals. If they are {@linkplain
 * #exact exact}, a document with an entry in them also matches the filter. Entries are those of the
 * path's values: the one value of an explicit path, or every element where arrays are expanded,
 * with {@code MISSING} for a path that leads nowhere and {@code UNDEFINED} for an empty array.
 *
 * <p>An immutable list of disjoint intervals in key order.
 */
public final class Intervals {
  /** Every key; inexact. */
  public static final Intervals ANY = new Intervals(List.of(Interval.ALL), false);

  /** Every key, for a filter that matches everything. */
  static final Intervals ALL = new Intervals(List.of(Interval.ALL), true);

  /** No key, for a filter that matches nothing. */
  static final Intervals NONE = new Intervals(List.of(), true);

  private static final Comparator<Interval> BY_START =
      (a, b) -> Arrays.compareUnsigned(a.from(), b.from());

  private final List<Interval> members;
  private final boolean exact;

  private Intervals(List<Interval> members, boolean exact) {
    this.members = members;
    this.exact = exact;
  }

  /**
   * Returns the bounds of a filter for keys of plain values.
   *
   * @param order the tags of the keys
   * @param multikey whether a document may have several entries, or met an array on the path
   */
  public static Intervals of(
      Filter filter, FieldPath path, Mode mode, Order order, boolean multikey) {
    return of(filter, path, mode, order, multikey, Collation.SIMPLE);
  }

  /**
   * Returns the bounds of a filter for keys of folded values.
   *
   * @param order the tags of the keys
   * @param multikey whether a document may have several entries, or met an array on the path
   * @param collation by which the values were folded before they became keys
   */
  public static Intervals of(
      Filter filter,
      FieldPath path,
      Mode mode,
      Order order,
      boolean multikey,
      Collation collation) {
    return switch (mode) {
      case MATCH -> new MatchIntervals(path, order, multikey, collation).of(filter);
      case SQL -> new SqlIntervals(path, order).whereTrue(filter);
    };
  }

  /**
   * Returns the cells that cover a region, in keys of numbers; all keys if the region is not on the
   * sphere. Inexact: a cell may contain other locations.
   */
  public static Intervals cells(Region region, Order order) {
    Optional<List<CellRange>> ranges = region.cells();
    if (ranges.isEmpty()) {
      return ANY;
    }
    List<Interval> intervals = new ArrayList<>();
    for (CellRange range : ranges.get()) {
      Interval from = Interval.point(Value.of(range.from()), order);
      Interval to = Interval.point(Value.of(range.to()), order);
      intervals.add(from.upTo(to));
    }
    return merged(intervals, false);
  }

  /** Returns exact bounds: a document matches if and only if it has an entry in them. */
  static Intervals of(Interval... intervals) {
    return merged(List.of(intervals), true);
  }

  /** Returns the disjoint intervals in key order. */
  public List<Interval> members() {
    return members;
  }

  /** Returns whether an entry in these intervals is sufficient to match the filter. */
  public boolean exact() {
    return exact;
  }

  /** Returns whether nothing can match. */
  public boolean isEmpty() {
    return members.isEmpty();
  }

  /** Returns whether every key is included. */
  public boolean isAll() {
    return complement().isEmpty();
  }

  /** Returns whether all intervals are points. */
  public boolean onlyPoints() {
    return members.stream().allMatch(Interval::isPoint);
  }

  /** Returns whether the key is included. */
  public boolean contains(byte[] key) {
    return members.stream().anyMatch(member -> member.contains(key));
  }

  /** Returns whether a key is in both. */
  public boolean overlaps(Interval interval) {
    return members.stream().anyMatch(member -> !member.intersect(interval).isEmpty());
  }

  /** Returns whether every key of the other is included. */
  public boolean covers(Intervals other) {
    return other.intersect(complement()).isEmpty();
  }

  /** Returns whether every key of the interval is included. */
  public boolean covers(Interval interval) {
    return covers(of(interval));
  }

  /** Returns the same keys, inexact. */
  public Intervals inexact() {
    return exact ? new Intervals(members, false) : this;
  }

  /** Returns the union; exact if both are. */
  public Intervals union(Intervals other) {
    List<Interval> both = new ArrayList<>(members);
    both.addAll(other.members);
    return merged(both, exact && other.exact);
  }

  /** Returns these keys and those of the interval. */
  public Intervals with(Interval interval) {
    return union(of(interval));
  }

  /** Returns these keys without those of the interval. */
  public Intervals without(Interval interval) {
    return intersect(of(interval).complement());
  }

  /** Returns the union of all; exact if all are. In one pass: there may be thousands. */
  static Intervals union(List<Intervals> all) {
    List<Interval> together = new ArrayList<>();
    boolean exact = true;
    for (Intervals one : all) {
      together.addAll(one.members);
      exact &= one.exact;
    }
    return merged(together, exact);
  }

  /** Returns the intersection; exact if both are. */
  public Intervals intersect(Intervals other) {
    List<Interval> common = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < members.size() && j < other.members.size()) {
      Interval mine = members.get(i);
      Interval theirs = other.members.get(j);
      Interval shared = mine.intersect(theirs);
      if (!shared.isEmpty()) {
        common.add(shared);
      }
      // the interval that ends first overlaps no further one
      if (Arrays.compareUnsigned(mine.to(), theirs.to()) <= 0) {
        i++;
      } else {
        j++;
      }
    }
    return new Intervals(List.copyOf(common), exact && other.exact);
  }

  /** Returns the intersection of all; exact if all are. */
  static Intervals intersection(List<Intervals> all) {
    List<Intervals> left = all;
    while (left.size() > 1) {
      List<Intervals> halved = new ArrayList<>();
      for (int i = 0; i < left.size(); i += 2) {
        Intervals one = left.get(i);
        halved.add(i + 1 < left.size() ? one.intersect(left.get(i + 1)) : one);
      }
      left = halved;
    }
    return left.isEmpty() ? ALL : left.getFirst();
  }

  /** Returns the complement. */
  public Intervals complement() {
    List<Interval> gaps = new ArrayList<>();
    Interval rest = Interval.ALL;
    for (Interval member : members) {
      Interval gap = rest.below(member);
      if (!gap.isEmpty()) {
        gaps.add(gap);
      }
      rest = rest.above(member);
    }
    if (!rest.isEmpty()) {
      gaps.add(rest);
    }
    return new Intervals(List.copyOf(gaps), exact);
  }

  /** Returns the cheaper bounds for a scan: nothing before points, ranges, everything. */
  public Intervals narrower(Intervals other) {
    return other.breadth() < breadth() ? other : this;
  }

  @Override
  public String toString() {
    return members + (exact ? " exactly" : "");
  }

  private int breadth() {
    if (isEmpty()) {
      return 0;
    }
    if (onlyPoints()) {
      return members.size();
    }
    return Integer.MAX_VALUE - (isAll() ? 0 : Integer.MAX_VALUE / 2);
  }

  private static Intervals merged(List<Interval> intervals, boolean exact) {
    List<Interval> sorted = new ArrayList<>(intervals);
    sorted.removeIf(Interval::isEmpty);
    sorted.sort(Interrupt.counting(BY_START));
    List<Interval> merged = new ArrayList<>();
    for (Interval next : sorted) {
      if (!merged.isEmpty() && merged.getLast().joins(next)) {
        merged.add(merged.removeLast().upTo(next));
      } else {
        merged.add(next);
      }
    }
    return new Intervals(List.copyOf(merged), exact);
  }
}
