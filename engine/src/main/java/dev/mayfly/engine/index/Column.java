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
 * What a filter says about one part of an index: where the part's component must lie.
 *
 * @param path the path whose values the component holds; of a wildcard, the one asked about
 * @param values where the values lie that the component is made of, null and missing kept apart
 * @param met the conjuncts of the filter that are met by every component in there
 */
record Column(
    IndexSpec spec, Part part, FieldPath path, boolean multikey, Intervals values, BitSet met) {
  /** The column that the conjuncts give for a path of the index. */
  static Column of(
      IndexSpec spec, Part part, FieldPath path, boolean multikey, List<Filter> conjuncts) {
    Column column = new Column(spec, part, path, multikey, Intervals.ANY, new BitSet());
    for (int i = 0; i < conjuncts.size(); i++) {
      Intervals next = column.asWritten(column.of(conjuncts.get(i)));
      column = multikey ? column.orRather(i, next) : column.and(i, next);
    }
    return column;
  }

  /** The same part with nothing said about it. */
  Column unbounded() {
    return new Column(spec, part, path, multikey, Intervals.ANY, new BitSet());
  }

  /** Where the component lies, in ascending bytes. */
  Intervals intervals() {
    return folds() ? folded(values, spec.order()) : values;
  }

  /** The intervals in the order and form in which the part's component is written. */
  List<Interval> written() {
    List<Interval> members = intervals().members();
    return part.descending()
        ? members.reversed().stream().map(Interval::inverted).toList()
        : members;
  }

  /** True when all documents in the bounds have the same value here. */
  boolean isConstant() {
    Intervals intervals = intervals();
    return intervals.members().size() == 1 && intervals.onlyPoints();
  }

  /** True when the component may be written as a value of this type is. */
  boolean admits(Type type) {
    return values.overlaps(Interval.bracket(type, spec.order()));
  }

  private Intervals of(Filter conjunct) {
    IndexKind.Keys keys = new IndexKind.Keys(spec.traversal(), spec.order(), spec.collation());
    return part.kind().intervals(conjunct, path, multikey, keys);
  }

  /** A part with one value per document meets all conditions with that value. */
  private Column and(int conjunct, Intervals next) {
    BitSet both = (BitSet) met.clone();
    both.set(conjunct, isMet(next));
    return new Column(spec, part, path, multikey, values.intersect(next), both);
  }

  /** Where there may be several values, another one may meet the other condition. */
  private Column orRather(int conjunct, Intervals next) {
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

  /** Where the index writes the values that are in the given intervals, null and missing apart. */
  private Intervals asWritten(Intervals found) {
    if (spec.traversal() == Traversal.IMPLICIT) {
      return found;
    }
    return part.manyPaths() ? withMarks(found, spec.order()) : withoutMarks(found, spec.order());
  }

  /** In an explicit wildcard, all arrays have one key, and so have all objects. */
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

  /** In other explicit indexes, arrays and objects are written as missing. */
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

  /** Where missing is written as null, the two have one key. */
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
