package dev.mayfly.sql;

import dev.mayfly.query.QueryMemory;
import dev.mayfly.value.Value;
import java.util.Optional;

/**
 * Compiled SELECT. Immutable.
 *
 * @param rows rows of FROM that pass WHERE
 * @param grouping GROUP BY and aggregates; empty if each row yields its own result
 * @param projection result of a row or group; no result if it is undefined or not finite
 * @param distinct whether equal results are returned once
 */
public record Selection(
    Rows rows, Optional<Grouping> grouping, Scalar projection, boolean distinct) {
  /** Receives results one by one. */
  @FunctionalInterface
  public interface Visitor {
    /** Returns false if no further results are needed. */
    boolean visit(Value result);
  }

  /** Visits all results, given the bindings so far; returns false if the visitor did. */
  public boolean each(Row row, Visitor visitor) {
    try (QueryMemory.Holding seen = QueryMemory.PROCESS.holding(Row.MAX_BYTES);
        QueryMemory.Holding grouped = QueryMemory.PROCESS.holding(Row.MAX_BYTES)) {
      Visitor target = distinct ? new DistinctFilter(seen).before(visitor) : visitor;
      if (grouping.isEmpty()) {
        return rows.each(row, inner -> project(inner, target));
      }
      Groups groups = new Groups(grouping.get(), grouped);
      rows.each(row, groups::add);
      return groups.each(row, inner -> project(inner, target));
    }
  }

  /** Visits the result of a row, if it has one; returns false if the visitor did. */
  public boolean project(Row row, Visitor visitor) {
    Value result = projection.evaluate(row);
    return !Construction.isRepresentable(result) || visitor.visit(result);
  }
}
