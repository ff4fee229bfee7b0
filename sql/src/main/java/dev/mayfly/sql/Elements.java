package dev.mayfly.sql;

import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Elements of arrays, as lists and as sets. */
final class Elements {
  private Elements() {}

  static List<Value> list(Value array) {
    List<Value> elements = new ArrayList<>();
    Fields each = array.asDocument().fields();
    while (each.next()) {
      elements.add(each.value());
    }
    return elements;
  }

  /** Returns the distinct elements of an array, by the equality of the language. */
  static NavigableSet<Value> set(Value array) {
    NavigableSet<Value> set = new TreeSet<>(Interrupt.counting(Order.COSMOS));
    set.addAll(list(array));
    return set;
  }

  static int count(Value array) {
    int count = 0;
    Fields each = array.asDocument().fields();
    while (each.next()) {
      count++;
    }
    return count;
  }

  static boolean contains(Value array, Value sought) {
    Fields each = array.asDocument().fields();
    Interrupt interrupt = Interrupt.current();
    while (each.next()) {
      interrupt.step();
      if (Order.COSMOS.compare(each.value(), sought) == 0) {
        return true;
      }
    }
    return false;
  }
}
