package dev.mayfly.query;

import dev.mayfly.value.Brackets;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Set;

/**
 * Key ranges of single values for one condition within one type bracket: the same in both modes.
 */
final class Ranges {
  private static final Value NAN = Value.of(Double.NaN);

  private Ranges() {}

  /** Returns the keys of comparable values that satisfy the comparison. */
  static Intervals of(Operator operator, Value value, Order order) {
    Interval point = Interval.point(value, order);
    Interval bracket = Interval.bracket(value.type(), order);
    return switch (operator) {
      case EQ -> Intervals.of(point);
      case NE -> Intervals.of(bracket).without(point);
      case LT -> value.isNaN() ? Intervals.NONE : Intervals.of(numbers(value, order).below(point));
      case LTE ->
          value.isNaN()
              ? Intervals.of(point)
              : Intervals.of(numbers(value, order).below(point).upTo(point));
      case GT -> value.isNaN() ? Intervals.NONE : Intervals.of(bracket.above(point));
      case GTE -> value.isNaN() ? Intervals.of(point) : Intervals.of(point, bracket.above(point));
    };
  }

  /** Returns the keys of all values that satisfy the comparison, regardless of their types. */
  static Intervals inTotalOrder(Operator operator, Value value, Order order) {
    Interval point = Interval.point(value, order);
    return switch (operator) {
      case EQ -> Intervals.of(point);
      case NE -> Intervals.of(point).complement();
      case LT -> Intervals.of(Interval.ALL.below(point));
      case LTE -> Intervals.of(Interval.ALL.below(point).upTo(point));
      case GT -> Intervals.of(Interval.ALL.above(point));
      case GTE -> Intervals.of(point, Interval.ALL.above(point));
    };
  }

  /** Returns the keys of values of these types; inexact if other types share their brackets. */
  static Intervals ofTypes(Set<Type> types, Order order) {
    Intervals result = Intervals.NONE;
    for (Type type : types) {
      Intervals bracket = Intervals.of(Interval.bracket(type, order));
      result = result.union(isWhole(type, types, order) ? bracket : bracket.inexact());
    }
    return result;
  }

  /** Returns whether all types that share the bracket of this one are given. */
  static boolean isWhole(Type type, Set<Type> types, Order order) {
    for (Type other : Type.values()) {
      boolean shares = Brackets.low(other, order) == Brackets.low(type, order);
      if (shares && !types.contains(other)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the bracket of the value, without NaN for numbers. */
  private static Interval numbers(Value value, Order order) {
    Interval bracket = Interval.bracket(value.type(), order);
    return value.isNumber() ? bracket.above(Interval.point(NAN, order)) : bracket;
  }
}
