package dev.mayfly.sql;

import java.util.List;

/**
 * GROUP BY: keys and aggregates.
 *
 * <p>The projection reads keys and aggregates as variables, keys first.
 *
 * @param keys values that are equal within a group; without keys, all rows are one group, even if
 *     there are no rows
 * @param firstSlot variable of the first key; the other keys and the aggregates follow
 */
public record Grouping(List<Scalar> keys, List<Aggregate> aggregates, int firstSlot) {
  public Grouping {
    keys = List.copyOf(keys);
    aggregates = List.copyOf(aggregates);
  }
}
