package dev.mayfly.cosmos.query;

import dev.mayfly.expiry.Deadline;
import dev.mayfly.sql.DistinctFilter;
import dev.mayfly.sql.Grouping;
import dev.mayfly.sql.Groups;
import dev.mayfly.sql.Row;
import dev.mayfly.sql.Selection;
import dev.mayfly.sql.compiler.CompiledQuery;
import dev.mayfly.value.Value;
import java.util.OptionalInt;

/** Results of a query with GROUP BY or aggregate functions. */
record GroupedResults(CompiledQuery query, ItemScan scan) implements ResultSource {
  @Override
  public void each(Visitor visitor) {
    Groups groups = new Groups(grouping(), scan.memory());
    long[] earliest = {Deadline.NEVER};
    DistinctFilter seen = new DistinctFilter(scan.memory());
    OptionalInt distinct = query.distinctSource();
    scan.eachRow(
        inner -> {
          earliest[0] = Math.min(earliest[0], scan.deadline());
          boolean repeated = distinct.isPresent() && !seen.add(inner.variable(distinct.getAsInt()));
          return repeated || groups.add(inner);
        });
    Selection.Visitor all = result -> visitor.visit(result, earliest[0]);
    Selection.Visitor target =
        query.selection().distinct() ? new DistinctFilter(scan.memory()).before(all) : all;
    groups.each(scan.row(), inner -> query.selection().project(inner, target));
  }

  private Grouping grouping() {
    return query.grouping().orElseThrow();
  }

  /** Returns the result of a query that counts all items, from the count that the engine keeps. */
  ResultSource ofCount(long count) {
    return visitor -> {
      Value value = count == (int) count ? Value.of((int) count) : Value.of(count);
      Row row = scan.row();
      for (int i = 0; i < grouping().aggregates().size(); i++) {
        row.variable(grouping().firstSlot() + i, value);
      }
      query.selection().project(row, result -> visitor.visit(result, Deadline.NEVER));
    };
  }
}
