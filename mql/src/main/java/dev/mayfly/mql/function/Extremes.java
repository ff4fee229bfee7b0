package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Elements;
import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.query.ElementOrder;
import dev.mayfly.query.Intermediate;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Value;
import java.util.Comparator;
import java.util.List;

/** First, last, least and greatest elements of an array, and sorted arrays. */
public final class Extremes {
  private Extremes() {}

  /** Returns the first {@code n} elements. */
  public static Value firstN(Value array, Value n) {
    requireArray(array);
    return Elements.range(array, 0, count(n));
  }

  /** Returns the last {@code n} elements. */
  public static Value lastN(Value array, Value n) {
    requireArray(array);
    int size = Elements.count(array);
    return Elements.range(array, Math.max(0, size - count(n)), size);
  }

  /** Returns the {@code n} least elements of the order, least first; null elements do not count. */
  public static Value leastN(Value array, Value n, Comparator<Value> order) {
    requireArray(array);
    List<Value> elements = Elements.list(array);
    elements.removeIf(Truthiness::nullish);
    elements.sort(Interrupt.counting(order));
    return Intermediate.array(elements.subList(0, (int) Math.min(count(n), elements.size())));
  }

  /** Returns the elements in order. */
  public static Value sorted(Value array, ElementOrder order) {
    requireSortable(array);
    List<Value> elements = Elements.list(array);
    order.sort(elements);
    return Intermediate.array(elements);
  }

  /** Parses {@code n}. */
  public static long count(Value n) {
    if (!n.isNumber()) {
      throw Operands.wrongType(5787902, "Value for 'n' must be of integral type, but found " + n);
    }
    if (!Operands.integral64(n)) {
      throw Operands.badValue(5787903, "Value for 'n' must be of integral type, but found " + n);
    }
    if (n.asLong() <= 0) {
      throw Operands.badValue(5787908, "'n' must be greater than 0, found " + n);
    }
    return n.asLong();
  }

  private static void requireArray(Value array) {
    if (!array.isArray()) {
      throw Operands.wrongType(5788200, "Input must be an array");
    }
  }

  private static void requireSortable(Value array) {
    if (!array.isArray()) {
      throw Operands.wrongType(
          2942504,
          "The input argument to {} must be an array, but was of type: "
              + Operands.typeName(array));
    }
  }
}
