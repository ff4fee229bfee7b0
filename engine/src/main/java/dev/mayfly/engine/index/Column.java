package dev.mayfly.engine.index;

import dev.mayfly.query.Filter;
import dev.mayfly.query.Interval;
import dev.mayfly.query.Intervals;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import java.util.BitSet;
import java.util.List;

/**
 * Condition of a filter on one part of an index: the intervals that contain its component.
 * Immutable.
 *
 * @param path the path of the part; for a wildcard, the path of the condition
 * @param values the intervals of the values, with null and missing distinct
 * @param met the conjuncts of the filter that every value in the intervals meets
 */
record Column(
    IndexSpec spec, Part part, FieldPath path, boolean multikey, Intervals values, BitSet met) {
  /** Returns the column of some conjuncts for a path of the index. */
  static Column of(
      IndexSpec spec, Part part, FieldPath path, boolean multikey, List<Filter> conjuncts) {
    Column column = new Column(spec, part, path, multikey, Intervals.ANY, new BitSet());
    for (int i = 0; i < conjuncts.size(); i++) {
      Intervals next = column.asWritten(column.of(conjuncts.get(i)));
      column = multikey ? column.narrower(i, next) : column.and(i, next);
    }
    return column;
  }

  /** Returns the same part without a condition. */
  Column unbounded() {
    return new Column(spec, part, path, multikey, Intervals.ANY, new BitSet());
  }

  /** Returns the intervals of the component, ascending. */
  Intervals intervals() {
    return folds() ? folded(values, spec.order()) : values;
  }

  /** Returns the intervals as they are stored: inverted for a descending part. */
  List<Interval> written() {
    List<Interval> members = intervals().members();
    return part.descending()
        ? members.reversed().stream().map(Interval::inverted).toList()
        : members;
  }

  /** Returns whether the component has one value in the bounds. */
  boolean isConstant() {
    Intervals intervals = intervals();
    return intervals.members().size() == 1 && intervals.onlyPoints();
  }

  /** Returns whether the intervals contain values of a type. */
  boolean admits(Type type) {
    return values.overlaps(Interval.bracket(type, spec.order()));
  }

  private Intervals of(Filter conjunct) {
    IndexKind.Keys keys = new IndexKind.Keys(spec.traversal(), spec.order(), spec.collation());
    return part.kind().intervals(conjunct, path, multikey, keys);
  }

  /** Intersects: a part with one value per document meets all conditions with that value. */
  private Column and(int conjunct, Intervals next) {
    BitSet both = (BitSet) met.clone();
    both.set(conjunct, isMet(next));
    return new Column(spec, part, path, multikey, values.intersect(next), both);
  }

  /**
   * Keeps the narrower of two conditions: with several values, each condition may be met by another
   * value.
   */
  private Column narrower(int conjunct, Intervals next) {
    if (next.isAll() || next.narrower(values) != next) {
      return this;
    }
    BitSet one = new BitSet();
    one.set(conjunct, isMet(next));
    return new Column(spec, part, path, multikey, next, one);
  }

  private boolean isMet(Intervals next) {
    return next.exact() && (!folds() || folded(next, spec.order()).exact());
  }

  private boolean folds() {
    return spec.foldsMissing() && !part.manyPaths();
  }

  /** Returns the intervals in which the index stores values, with null and missing distinct. */
  private Intervals asWritten(Intervals found) {
    if (spec.traversal() == Traversal.IMPLICIT) {
      return found;
    }
    return part.manyPaths() ? withMarks(found, spec.order()) : withoutMarks(found, spec.order());
  }

  /** In an explicit wildcard, all arrays have the same key, and all objects have the same key. */
  private static Intervals withMarks(Intervals values, Order order) {
    Intervals written = values;
    for (Type type : List.of(Type.ARRAY, Type.OBJECT)) {
      Interval bracket = Interval.bracket(type, order);
      if (written.overlaps(bracket) && !written.covers(bracket)) {
        written = written.with(bracket).inexact();
      }
    }
    return written;
  }

  /** In other explicit indexes, arrays and objects are stored as missing. */
  private static Intervals withoutMarks(Intervals values, Order order) {
    Interval missing = Interval.bracket(Type.MISSING, order);
    Interval array = Interval.bracket(Type.ARRAY, order);
    Interval object = Interval.bracket(Type.OBJECT, order);
    List<Interval> same = List.of(missing, array, object);
    if (values.isAll() || same.stream().noneMatch(values::overlaps)) {
      return values;
    }
    Intervals written = values.without(array).without(object).with(missing);
    return same.stream().allMatch(values::covers) ? written : written.inexact();
  }

  /** Returns the intervals for an index that stores missing as null. */
  private static Intervals folded(Intervals values, Order order) {
    Interval missing = Interval.bracket(Type.MISSING, order);
    Interval nothing = Interval.bracket(Type.NULL, order);
    boolean neither = !values.overlaps(missing) && !values.overlaps(nothing);
    if (neither || values.isAll()) {
      return values;
    }
    Intervals written = values.without(missing).with(nothing);
    return values.overlaps(missing) && values.overlaps(nothing) ? written : written.inexact();
  }
}
