package dev.mayfly.query;

import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Index bounds of a filter in {@link Mode#MATCH}.
 *
 * <p>A path may have several values, and a condition matches if one of them does. If a document can
 * have several entries, two conditions may be met by different entries: only one of them may bound
 * the scan. The negation of a condition matches if no entry meets the condition, which is stronger
 * than one entry not meeting it, so its bounds are a superset at best.
 */
final class MatchIntervals {
  private final FieldPath path;
  private final Order order;
  private final boolean multikey;
  private final Collation collation;

  MatchIntervals(FieldPath path, Order order, boolean multikey, Collation collation) {
    this.path = path;
    this.order = order;
    this.multikey = multikey;
    this.collation = collation;
  }

  Intervals of(Filter filter) {
    Interrupt.steps(1);
    return switch (filter) {
      case Filter.All _ -> Intervals.ALL;
      case Filter.None _ -> Intervals.NONE;
      case Filter.And _ -> all(filter.conjuncts());
      case Filter.Or(List<Filter> members) -> any(members);
      case Filter.Not(Filter member) -> not(of(member));
      case Filter.Compare(FieldPath at, Operator operator, Value value) when at.equals(path) ->
          compare(operator, value, Collation.SIMPLE);
      case Filter.In(FieldPath at, List<Value> values) when at.equals(path) ->
          in(values, Collation.SIMPLE);
      case Filter.Collated(Collation by, Filter leaf) -> collated(leaf, by);
      case Filter.Exists(FieldPath at, boolean present) when at.equals(path) ->
          present ? exists() : not(exists());
      case Filter.OfType(FieldPath at, Set<Type> types) when at.equals(path) -> ofType(types);
      case Filter.Prefix(FieldPath at, String prefix) when at.equals(path) -> texts(prefix);
      case Filter.Regex(FieldPath at, TextPattern pattern) when at.equals(path) -> regex(pattern);
      case Filter.Mod(FieldPath at, _, _) when at.equals(path) -> numbers();
      case Filter.Bits(FieldPath at, _, _) when at.equals(path) ->
          numbers().with(Interval.bracket(Type.BINARY, order)).inexact();
      case Filter.ElementMatch(FieldPath at, Filter member) -> element(at, member);
      case Filter.Expr(DocumentPredicate test) -> computed(test.demands());
      case Filter _ -> Intervals.ANY;
    };
  }

  private Intervals all(List<Filter> members) {
    if (members.isEmpty()) {
      return Intervals.ALL;
    }
    Intervals result = of(members.getFirst());
    for (Filter member : members.subList(1, members.size())) {
      Intervals next = of(member);
      result = multikey ? result.narrower(next).inexact() : result.intersect(next);
    }
    return result;
  }

  private Intervals any(List<Filter> members) {
    return Intervals.union(members.stream().map(this::of).toList());
  }

  private Intervals not(Intervals member) {
    if (!member.exact()) {
      return Intervals.ANY;
    }
    return multikey ? member.complement().inexact() : member.complement();
  }

  private Intervals collated(Filter leaf, Collation by) {
    return switch (leaf) {
      case Filter.Compare(FieldPath at, Operator operator, Value value) when at.equals(path) ->
          compare(operator, value, by);
      case Filter.In(FieldPath at, List<Value> values) when at.equals(path) -> in(values, by);
      case Filter _ -> Intervals.ANY;
    };
  }

  private Intervals in(List<Value> values, Collation by) {
    return Intervals.union(values.stream().map(value -> compare(Operator.EQ, value, by)).toList());
  }

  private Intervals compare(Operator operator, Value value, Collation by) {
    if (operator == Operator.NE) {
      return not(compare(Operator.EQ, value, by));
    }
    if (!by.equals(collation) && Collation.holdsText(value)) {
      // The keys have another collation: bounds for all strings would cost more than a scan.
      return Intervals.ANY;
    }
    return compare(operator, collation.fold(value));
  }

  private Intervals texts(String prefix) {
    return collation.simple()
        ? Intervals.of(Interval.prefix(prefix, order))
        : Intervals.of(Interval.bracket(Type.STRING, order)).inexact();
  }

  private Intervals regex(TextPattern pattern) {
    Interval itself = Interval.point(Matcher.itself(pattern), order);
    Intervals found = texts(pattern.prefix().orElse("")).with(itself);
    return pattern.onlyPrefix() ? found : found.inexact();
  }

  private Intervals numbers() {
    return Intervals.of(Interval.bracket(Type.INT64, order)).inexact();
  }

  private Intervals exists() {
    return Intervals.of(Interval.bracket(Type.MISSING, order)).complement();
  }

  private Intervals compare(Operator operator, Value value) {
    return switch (value.type()) {
      case NULL, MISSING, UNDEFINED -> operator.holds(0) ? nullLike() : Intervals.NONE;
      case ARRAY -> operator == Operator.EQ ? array(value) : Intervals.ANY;
      case OBJECT, CODE_WITH_SCOPE -> object(operator, value);
      case MIN_KEY, MAX_KEY -> end(operator, value);
      default -> Ranges.of(operator, value, order);
    };
  }

  /**
   * Null, missing and undefined have entries of their own. But so has an empty array, and an
   * element that is not an object has one for the path it lacks; neither equals null.
   */
  private Intervals nullLike() {
    if (multikey && hasPlaces()) {
      // An object in an array may lack a field named like an index, without an entry for that.
      return Intervals.ANY;
    }
    Intervals keys =
        Intervals.of(
            Interval.bracket(Type.MISSING, order),
            Interval.bracket(Type.UNDEFINED, order),
            Interval.bracket(Type.NULL, order));
    return multikey ? keys.inexact() : keys;
  }

  /**
   * An array that equals the constant has an entry for its first element, or is one inside an
   * array.
   */
  private Intervals array(Value value) {
    Fields elements = value.asDocument().fields();
    Value first = elements.next() ? elements.value() : Value.UNDEFINED;
    return Intervals.of(Interval.point(first, order), Interval.point(value, order)).inexact();
  }

  /** The keys of objects sort like MongoDB's comparison only if written in its order. */
  private Intervals object(Operator operator, Value value) {
    boolean sorted = operator == Operator.EQ || order == Order.MONGO;
    Intervals keys =
        sorted
            ? Ranges.of(operator, value, order)
            : Intervals.of(Interval.bracket(value.type(), order));
    return keys.inexact();
  }

  /** All values are on one side of MinKey or MaxKey; but a missing value is not compared. */
  private Intervals end(Operator operator, Value end) {
    if (operator == Operator.EQ) {
      return Intervals.of(Interval.point(end, order));
    }
    int others = end.type() == Type.MIN_KEY ? 1 : -1;
    if (operator.holds(others)) {
      return Intervals.ANY;
    }
    return operator.holds(0) ? Intervals.of(Interval.point(end, order)) : Intervals.NONE;
  }

  private Intervals ofType(Set<Type> types) {
    if (types.contains(Type.ARRAY)) {
      return Intervals.ANY;
    }
    Intervals result = Ranges.ofTypes(types, order);
    boolean emptyArrays = multikey && types.contains(Type.UNDEFINED);
    return emptyArrays ? result.inexact() : result;
  }

  /**
   * Computed predicates treat an array as one value, but its entries are its elements: only a path
   * that never met an array can be bounded.
   */
  private Intervals computed(List<IndexablePredicate> demands) {
    Intervals result = Intervals.ANY;
    if (multikey || hasPlaces() || order != Order.MONGO || !collation.simple()) {
      return result;
    }
    for (IndexablePredicate indexablePredicate : demands) {
      if (indexablePredicate.path().equals(path)) {
        result = result.intersect(inTotalOrder(indexablePredicate));
      }
    }
    return result;
  }

  private Intervals inTotalOrder(IndexablePredicate indexablePredicate) {
    return Intervals.union(
        indexablePredicate.values().stream()
            .map(value -> Ranges.inTotalOrder(indexablePredicate.operator(), value, order))
            .toList());
  }

  private Intervals element(FieldPath at, Filter member) {
    // The elements of an array that is itself an element have no entries.
    boolean nested = at.length() == 0;
    if (nested || hasPlaces() || !path.startsWith(at)) {
      return Intervals.ANY;
    }
    FieldPath rest = rest(at);
    // An element is one value; its fields may be arrays again.
    boolean several = rest.length() > 0;
    return new MatchIntervals(rest, order, several, collation).of(member).inexact();
  }

  private FieldPath rest(FieldPath prefix) {
    List<String> steps = new ArrayList<>();
    for (int i = prefix.length(); i < path.length(); i++) {
      steps.add(path.step(i));
    }
    return FieldPath.of(steps);
  }

  private boolean hasPlaces() {
    for (int i = 0; i < path.length(); i++) {
      if (path.index(i) >= 0) {
        return true;
      }
    }
    return false;
  }
}
