package dev.mayfly.query;

import dev.mayfly.query.geo.CellRange;
import dev.mayfly.query.geo.Region;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The keys, on one path, that the documents passing a filter can have.
 *
 * <p>The promise: a document that passes the filter has an entry in here. When the set is
 * {@linkplain #exact exact}, a document that has an entry in here passes the filter, too. Entries
 * are those of the path's values: the one value of an explicit path, or every element where arrays
 * are fanned out, with {@code MISSING} for a path that leads nowhere and {@code UNDEFINED} for an
 * empty array.
 *
 * <p>An immutable list of disjoint intervals in key order.
 */
public final class Intervals {
  /** Every key, and nothing known about them. */
  public static final Intervals ANY = new Intervals(List.of(Interval.ALL), false);

  /** Every key, for a filter that everything passes. */
  static final Intervals ALL = new Intervals(List.of(Interval.ALL), true);

  /** No key, for a filter that nothing passes. */
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
   * Where the entries of documents that pass the filter lie, in keys of plain values.
   *
   * @param order the tags that the keys are written with
   * @param multikey true when a document may have more than one entry, or met an array on the way
   */
  public static Intervals of(
      Filter filter, FieldPath path, Mode mode, Order order, boolean multikey) {
    return of(filter, path, mode, order, multikey, Collation.SIMPLE);
  }

  /**
   * Where the entries of documents that pass the filter lie, in keys of folded values.
   *
   * @param order the tags that the keys are written with
   * @param multikey true when a document may have more than one entry, or met an array on the way
   * @param collation what the values were folded with before they became keys
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
   * Where the cells lie of places that the region holds, in keys of numbers; any where when it is
   * not about the sphere. The cells around a place do not tell that it is held.
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

  /** Exactly these keys, where a filter passes if and only if an entry is among them. */
  static Intervals of(Interval... intervals) {
    return merged(List.of(intervals), true);
  }

  /** The disjoint intervals in key order. */
  public List<Interval> members() {
    return members;
  }

  /** True when having an entry in here is enough to pass the filter. */
  public boolean exact() {
    return exact;
  }

  /** True when nothing can pass. */
  public boolean isEmpty() {
    return members.isEmpty();
  }

  /** True when every key lies in here. */
  public boolean isAll() {
    return complement().isEmpty();
  }

  /** True when there are only points. */
  public boolean onlyPoints() {
    return members.stream().allMatch(Interval::isPoint);
  }

  /** True when the key lies in here. */
  public boolean contains(byte[] key) {
    return members.stream().anyMatch(member -> member.contains(key));
  }

  /** True when some key lies in both. */
  public boolean overlaps(Interval interval) {
    return members.stream().anyMatch(member -> !member.intersect(interval).isEmpty());
  }

  /** True when every key of the other lies in here. */
  public boolean covers(Intervals other) {
    return other.intersect(complement()).isEmpty();
  }

  /** True when every key of the interval lies in here. */
  public boolean covers(Interval interval) {
    return covers(of(interval));
  }

  /** The same keys, no longer enough to pass the filter. */
  public Intervals inexact() {
    return exact ? new Intervals(members, false) : this;
  }

  /** The keys of both; exact when both are. */
  public Intervals union(Intervals other) {
    List<Interval> both = new ArrayList<>(members);
    both.addAll(other.members);
    return merged(both, exact && other.exact);
  }

  /** These keys and those of the interval. */
  public Intervals with(Interval interval) {
    return union(of(interval));
  }

  /** These keys without those of the interval. */
  public Intervals without(Interval interval) {
    return intersect(of(interval).complement());
  }

  /** The keys of any of these; exact when all are. At one go: there may be thousands. */
  static Intervals union(List<Intervals> all) {
    List<Interval> together = new ArrayList<>();
    boolean exact = true;
    for (Intervals one : all) {
      together.addAll(one.members);
      exact &= one.exact;
    }
    return merged(together, exact);
  }

  /** The keys that are in both; exact when both are. */
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
      // what ends first meets nothing further
      if (Arrays.compareUnsigned(mine.to(), theirs.to()) <= 0) {
        i++;
      } else {
        j++;
      }
    }
    return new Intervals(List.copyOf(common), exact && other.exact);
  }

  /** The keys that are in all of these; exact when all are. */
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

  /** The keys that are not in here. */
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

  /** The one of the two that a scan would rather read: nothing, points, ranges, everything. */
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
