package dev.mayfly.sql;

import dev.mayfly.query.QueryMemory;
import dev.mayfly.value.Value;
import java.util.Optional;

/**
 * A compiled SELECT: what it ranges over, what it keeps, and what it makes of that. Immutable.
 *
 * @param rows what FROM ranges over, without what WHERE refuses
 * @param grouping how rows are gathered; empty when each row gives a result of its own
 * @param projection the result for a row, or for a group; undefined gives none, nor does a number
 *     that is not finite
 * @param distinct whether equal results count once
 */
public record Selection(
    Rows rows, Optional<Grouping> grouping, Scalar projection, boolean distinct) {
  /** Is shown one result after the other. */
  @FunctionalInterface
  public interface Visitor {
    /** False when nothing more needs to be shown. */
    boolean visit(Value result);
  }

  /** Shows all results for what is bound so far; false when the visitor has had enough. */
  public boolean each(Row row, Visitor visitor) {
    try (QueryMemory.Holding seen = QueryMemory.PROCESS.holding(Row.MOST_BYTES);
        QueryMemory.Holding grouped = QueryMemory.PROCESS.holding(Row.MOST_BYTES)) {
      Visitor target = distinct ? new DistinctFilter(seen).before(visitor) : visitor;
      if (grouping.isEmpty()) {
        return rows.each(row, inner -> show(inner, target));
      }
      Groups groups = new Groups(grouping.get(), grouped);
      rows.each(row, groups::add);
      return groups.each(row, inner -> show(inner, target));
    }
  }

  /** Shows the result for a row, if it has one; false when the visitor has had enough. */
  public boolean show(Row row, Visitor visitor) {
    Value result = projection.evaluate(row);
    return !Construction.isTold(result) || visitor.visit(result);
  }
}
