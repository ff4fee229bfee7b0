package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Elements;
import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.query.Intermediate;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Set functions on arrays: elements that compare as equal are the same.
 *
 * <p>Results that are sets are arrays in the order of the values.
 */
public final class Sets {
  private Sets() {}

  /** Returns the union; null if an array is null or missing. */
  public static Value union(Value[] arrays, Comparator<Value> order) {
    NavigableSet<Value> union = new TreeSet<>(Interrupt.counting(order));
    for (Value array : arrays) {
      if (Truthiness.nullish(array)) {
        return Value.NULL;
      }
      requireOperand(array, 17043);
      union.addAll(Elements.list(array));
    }
    return Intermediate.array(union);
  }

  /** Returns the intersection; null if an array is null or missing. */
  public static Value intersection(Value[] arrays, Comparator<Value> order) {
    NavigableSet<Value> shared = new TreeSet<>(Interrupt.counting(order));
    for (int i = 0; i < arrays.length; i++) {
      if (Truthiness.nullish(arrays[i])) {
        return Value.NULL;
      }
      requireOperand(arrays[i], 17047);
      NavigableSet<Value> next = of(arrays[i], order);
      if (i == 0) {
        shared = next;
      } else {
        shared.removeIf(element -> !next.contains(element));
      }
    }
    return Intermediate.array(shared);
  }

  /** Returns the elements of the first that are not in the second, in the order of the first. */
  public static Value difference(Value left, Value right, Comparator<Value> order) {
    requireSide(left, "First", 17048);
    requireSide(right, "Second", 17049);
    NavigableSet<Value> seen = of(right, order);
    List<Value> rest = new ArrayList<>();
    for (Value element : Elements.list(left)) {
      if (seen.add(element)) {
        rest.add(element);
      }
    }
    return Intermediate.array(rest);
  }

  /** Returns whether all arrays have the same elements. */
  public static Value equal(Value[] arrays, Comparator<Value> order) {
    requireMember(arrays, 0);
    NavigableSet<Value> first = of(arrays[0], order);
    for (int i = 1; i < arrays.length; i++) {
      requireMember(arrays, i);
      NavigableSet<Value> next = of(arrays[i], order);
      if (first.size() != next.size() || !first.containsAll(next)) {
        return Value.FALSE;
      }
    }
    return Value.TRUE;
  }

  private static void requireMember(Value[] arrays, int place) {
    if (!arrays[place].isArray()) {
      throw Operands.wrongType(
          17044,
          "All operands of {} must be arrays. "
              + (place + 1)
              + "-th argument is of type: "
              + Operands.typeName(arrays[place]));
    }
  }

  /** Returns whether every element of the first is in the second. */
  public static Value isSubset(Value left, Value right, Comparator<Value> order) {
    requireSide(left, "First", 17046);
    requireSide(right, "Second", 17042);
    return Value.of(of(right, order).containsAll(Elements.list(left)));
  }

  /** Returns whether an element is truthy. */
  public static Value anyTrue(Value array) {
    Operands.requireArray(array, 17041, "{}'s argument must be an array, but is ");
    Fields each = Elements.cursor(array);
    while (each.next()) {
      if (Truthiness.truthy(each.value())) {
        return Value.TRUE;
      }
    }
    return Value.FALSE;
  }

  /** Returns whether all elements are truthy. */
  public static Value allTrue(Value array) {
    Operands.requireArray(array, 17040, "{}'s argument must be an array, but is ");
    Fields each = Elements.cursor(array);
    while (each.next()) {
      if (!Truthiness.truthy(each.value())) {
        return Value.FALSE;
      }
    }
    return Value.TRUE;
  }

  private static NavigableSet<Value> of(Value array, Comparator<Value> order) {
    NavigableSet<Value> set = new TreeSet<>(Interrupt.counting(order));
    set.addAll(Elements.list(array));
    return set;
  }

  private static void requireOperand(Value array, int number) {
    Operands.requireArray(
        array, number, "All operands of {} must be arrays. One argument is of type: ");
  }

  private static void requireSide(Value array, String which, int number) {
    Operands.requireArray(
        array, number, "both operands of {} must be arrays. " + which + " argument is of type: ");
  }
}
