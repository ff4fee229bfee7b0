package dev.mayfly.sql;

import java.util.List;

/**
 * How rows are gathered: by which values, and what is computed of each group.
 *
 * <p>For a projection, keys and aggregates are variables: those of the keys come first.
 *
 * @param keys the values that are equal within a group; without any, all rows are one group, even
 *     when there are none
 * @param firstSlot the variable of the first key; the others and the aggregates follow
 */
public record Grouping(List<Scalar> keys, List<Aggregate> aggregates, int firstSlot) {
  public Grouping {
    keys = List.copyOf(keys);
    aggregates = List.copyOf(aggregates);
  }
}
