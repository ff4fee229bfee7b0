package dev.mayfly.query;

import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

/**
 * Immutable list of the constants of a membership test, which may be hundreds of thousands.
 *
 * <p>Caches its hash code and its values in each requested order, so that they are sorted once for
 * all matchers of a filter. Equal to any list of equal values. Safe for many threads.
 */
final class ConstantList extends AbstractList<Value> implements RandomAccess {
  private final Value[] values;
  private final Map<Order, Value[]> sorted = new EnumMap<>(Order.class);
  private volatile int hash;

  private ConstantList(Value[] values) {
    this.values = values;
  }

  static ConstantList of(List<Value> values) {
    return values instanceof ConstantList constants
        ? constants
        : new ConstantList(values.toArray(Value[]::new));
  }

  /** Returns the values in this order; the array must not be changed. */
  synchronized Value[] sorted(Order order) {
    return sorted.computeIfAbsent(
        order,
        by -> {
          Value[] copy = values.clone();
          Arrays.sort(copy, Interrupt.counting(by));
          return copy;
        });
  }

  @Override
  public Value get(int index) {
    return values[index];
  }

  @Override
  public int size() {
    return values.length;
  }

  @Override
  public boolean equals(Object other) {
    return this == other || super.equals(other);
  }

  @Override
  public int hashCode() {
    int known = hash;
    if (known == 0) {
      known = super.hashCode();
      hash = known;
    }
    return known;
  }
}
