package dev.mayfly.sql;

import dev.mayfly.query.Operator;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Compares values.
 *
 * <p>Equality is undefined only if a side is. Values of different types are unequal; arrays and
 * objects are compared deeply, objects without regard to the order of fields. The order is defined
 * only between scalars of the same type.
 */
public final class Comparison {
  private Comparison() {}

  public static Scalar of(Operator operator, Scalar left, Scalar right) {
    return switch (operator) {
      case EQ -> row -> equal(left.evaluate(row), right.evaluate(row), true);
      case NE -> row -> equal(left.evaluate(row), right.evaluate(row), false);
      case LT, LTE, GT, GTE -> row -> order(operator, left.evaluate(row), right.evaluate(row));
    };
  }

  /** Whether the value equals one of the others; undefined equals nothing. */
  public static Scalar in(Scalar value, List<Scalar> others) {
    Scalar[] members = others.toArray(Scalar[]::new);
    return row -> {
      Value needle = value.evaluate(row);
      return needle.isMissing() ? needle : Value.of(isAmong(needle, members, row));
    };
  }

  private static boolean isAmong(Value needle, Scalar[] members, Row row) {
    for (Scalar member : members) {
      row.step();
      Value other = member.evaluate(row);
      if (!other.isMissing() && same(needle, other)) {
        return true;
      }
    }
    return false;
  }

  /** Whether two defined values are equal. */
  static boolean same(Value a, Value b) {
    return Order.COSMOS.compare(a, b) == 0;
  }

  private static Value equal(Value a, Value b, boolean expected) {
    if (a.isMissing() || b.isMissing()) {
      return Value.MISSING;
    }
    return Value.of(same(a, b) == expected);
  }

  private static Value order(Operator operator, Value a, Value b) {
    return ordered(a, b) ? Value.of(operator.holds(Order.COSMOS.compare(a, b))) : Value.MISSING;
  }

  private static boolean ordered(Value a, Value b) {
    if (a.isNumber()) {
      return b.isNumber();
    }
    Type type = a.type();
    return type == b.type() && (type == Type.STRING || type == Type.BOOLEAN || type == Type.NULL);
  }
}
