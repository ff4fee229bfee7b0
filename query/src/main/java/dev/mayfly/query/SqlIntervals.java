package dev.mayfly.query;

import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Index bounds of a filter on an explicit path, in {@link Mode#SQL}.
 *
 * <p>The path leads to one value, so conditions on it intersect, unless it has the step {@link
 * #ELEMENTS}: then it has a value for every element, and different elements may meet different
 * conditions. Logic has three values: the keys for which a filter is false are not the complement
 * of those for which it is true, so both sets are derived together and a negation swaps them.
 */
final class SqlIntervals {
  /** The step for the elements of an array at any index. */
  private static final String ELEMENTS = "[]";

  private final FieldPath path;
  private final boolean several;
  private final Order order;
  private final Intervals nothing;
  private final Intervals defined;

  SqlIntervals(FieldPath path, Order order) {
    this.path = path;
    this.several = stepsBefore(path) < path.length();
    this.order = order;
    this.nothing =
        Intervals.of(
            Interval.bracket(Type.MISSING, order), Interval.bracket(Type.UNDEFINED, order));
    this.defined = nothing.complement();
  }

  Intervals whereTrue(Filter filter) {
    return of(filter).yes();
  }

  /** The keys for which a filter can be true, and those for which it can be false. */
  private record Sets(Intervals yes, Intervals no) {
    static final Sets UNKNOWN = new Sets(Intervals.ANY, Intervals.ANY);

    Sets swapped() {
      return new Sets(no, yes);
    }

    Sets inexact() {
      return new Sets(yes.inexact(), no.inexact());
    }
  }

  private Sets of(Filter filter) {
    Interrupt.steps(1);
    return switch (filter) {
      case Filter.All _ -> new Sets(Intervals.ALL, Intervals.NONE);
      case Filter.None _ -> new Sets(Intervals.NONE, Intervals.ALL);
      case Filter.And(List<Filter> members) -> all(members);
      case Filter.Or(List<Filter> members) -> any(members);
      case Filter.Not(Filter member) -> of(member).swapped();
      case Filter.Compare(FieldPath at, Operator operator, Value value) when at.equals(path) ->
          operator.ordering() ? ordered(operator, value) : equality(operator, value);
      case Filter.In(FieldPath at, List<Value> values) when at.equals(path) -> in(values);
      case Filter.Exists(FieldPath at, boolean present) when at.equals(path) ->
          present ? new Sets(defined, nothing) : new Sets(nothing, defined);
      case Filter.OfType(FieldPath at, Set<Type> types) when at.equals(path) -> ofType(types);
      case Filter.Prefix(FieldPath at, String prefix) when at.equals(path) -> {
        Interval texts = Interval.bracket(Type.STRING, order);
        yield within(texts, Intervals.of(Interval.prefix(prefix, order)));
      }
      case Filter.Regex(FieldPath at, TextPattern pattern) when at.equals(path) -> {
        Interval texts = Interval.bracket(Type.STRING, order);
        Interval itself = Interval.point(Matcher.itself(pattern), order);
        Intervals found = Intervals.of(Interval.prefix(pattern.prefix().orElse(""), order), itself);
        Intervals others = Intervals.of(texts, Interval.bracket(Type.REGEX, order));
        yield new Sets(found, others).inexact();
      }
      case Filter.Size(FieldPath at, _) when at.equals(path) -> {
        Intervals arrays = Intervals.of(Interval.bracket(Type.ARRAY, order));
        yield new Sets(arrays, arrays).inexact();
      }
      case Filter.ElementMatch(FieldPath at, _) when at.equals(path) ->
          new Sets(Intervals.of(Interval.bracket(Type.ARRAY, order)), Intervals.ALL).inexact();
      case Filter.ElementMatch(FieldPath at, Filter member)
          when several && path.startsWith(at.child(ELEMENTS)) ->
          new Sets(ofElement(at.length() + 1, member), Intervals.ANY);
      case Filter _ -> Sets.UNKNOWN;
    };
  }

  /**
   * Returns the bounds of an element that matches; a field named like an element has the same key,
   * so they are inexact.
   */
  private Intervals ofElement(int steps, Filter member) {
    List<String> rest = new ArrayList<>();
    for (int i = steps; i < path.length(); i++) {
      rest.add(path.step(i));
    }
    return new SqlIntervals(FieldPath.of(rest), order).whereTrue(member).inexact();
  }

  private static int stepsBefore(FieldPath path) {
    int steps = 0;
    while (steps < path.length() && !path.step(steps).equals(ELEMENTS)) {
      steps++;
    }
    return steps;
  }

  /** Combines the bounds of conditions that all hold. */
  private Intervals each(List<Intervals> conditions) {
    if (!several) {
      return Intervals.intersection(conditions);
    }
    Intervals result = Intervals.ALL;
    for (Intervals condition : conditions) {
      result = result.narrower(condition).inexact();
    }
    return result;
  }

  private Sets all(List<Filter> members) {
    List<Sets> sets = members.stream().map(this::of).toList();
    return new Sets(
        each(sets.stream().map(Sets::yes).toList()),
        Intervals.union(sets.stream().map(Sets::no).toList()));
  }

  private Sets any(List<Filter> members) {
    List<Sets> sets = members.stream().map(this::of).toList();
    return new Sets(
        Intervals.union(sets.stream().map(Sets::yes).toList()),
        each(sets.stream().map(Sets::no).toList()));
  }

  private Sets equality(Operator operator, Value value) {
    Sets equal =
        switch (value.type()) {
          case MISSING, UNDEFINED -> new Sets(Intervals.NONE, Intervals.NONE);
          case OBJECT, ARRAY, CODE_WITH_SCOPE ->
              new Sets(Intervals.of(Interval.bracket(value.type(), order)), defined).inexact();
          default -> {
            Interval point = Interval.point(value, order);
            yield new Sets(Intervals.of(point), defined.without(point));
          }
        };
    return operator == Operator.EQ ? equal : equal.swapped();
  }

  private Sets ordered(Operator operator, Value value) {
    return switch (value.type()) {
      case MISSING, UNDEFINED, OBJECT, ARRAY -> new Sets(Intervals.NONE, Intervals.NONE);
      case CODE_WITH_SCOPE -> {
        Intervals codes = Intervals.of(Interval.bracket(value.type(), order));
        yield new Sets(codes, codes).inexact();
      }
      default -> within(Interval.bracket(value.type(), order), Ranges.of(operator, value, order));
    };
  }

  private Sets in(List<Value> values) {
    List<Intervals> yes = new ArrayList<>();
    List<Intervals> no = new ArrayList<>();
    no.add(defined);
    for (Value value : values) {
      if (value.type() != Type.MISSING && value.type() != Type.UNDEFINED) {
        Sets next = equality(Operator.EQ, value);
        yes.add(next.yes);
        no.add(next.no);
      }
    }
    return new Sets(Intervals.union(yes), Intervals.intersection(no));
  }

  private Sets ofType(Set<Type> types) {
    Set<Type> wanted = EnumSet.noneOf(Type.class);
    wanted.addAll(types);
    wanted.remove(Type.UNDEFINED);
    Intervals yes = Ranges.ofTypes(wanted, order);
    Set<Type> others = EnumSet.allOf(Type.class);
    others.removeAll(wanted);
    return new Sets(yes, Ranges.ofTypes(others, order));
  }

  /**
   * Returns sets that are true for the given keys, false for the rest of the bracket, undefined
   * elsewhere.
   */
  private Sets within(Interval bracket, Intervals yes) {
    return new Sets(yes, Intervals.of(bracket).intersect(yes.complement()));
  }
}
