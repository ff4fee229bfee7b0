package dev.mayfly.cosmos.query;

import dev.mayfly.query.QueryMemory;
import dev.mayfly.query.sort.Sorter;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.sql.DistinctFilter;
import dev.mayfly.sql.Row;
import dev.mayfly.sql.compiler.CompiledQuery;
import dev.mayfly.value.Document;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;

/**
 * Results in an order that the engine cannot provide: by system properties and computed properties,
 * which are not stored.
 *
 * @param needed number of results that are needed; the sort keeps only the first ones
 */
record SortedResults(CompiledQuery query, Ordering ordering, long needed, ItemScan scan)
    implements ResultSource {
  private static final String RESULT = "v";
  private static final String DEADLINE = "d";

  @Override
  public void each(Visitor visitor) {
    long max = query.selection().distinct() ? Long.MAX_VALUE : needed;
    try (QueryMemory.Holding distinct = QueryMemory.PROCESS.holding(ItemScan.MEMORY_BYTES);
        Sorter sorter = new Sorter(Workspace.memory(ItemScan.MEMORY_BYTES), max)) {
      scan.eachRow(inner -> add(inner, sorter));
      sorter.finish();
      DistinctFilter distinctFilter = new DistinctFilter(distinct);
      boolean more = true;
      while (more && sorter.next()) {
        Value result = sorter.document().field(RESULT);
        boolean repeated = query.selection().distinct() && !distinctFilter.add(result);
        more = repeated || visitor.visit(result, sorter.document().field(DEADLINE).asLong());
      }
    }
  }

  private boolean add(Row inner, Sorter sorter) {
    KeyWriter key = new KeyWriter();
    for (CompiledQuery.Key part : query.order()) {
      Value value = part.value().evaluate(inner);
      if (value.isMissing() && ordering.omitsUndefined()) {
        return true;
      }
      if (part.descending()) {
        key.appendDescending(value, Order.COSMOS);
      } else {
        key.append(value, Order.COSMOS);
      }
    }
    return query
        .selection()
        .project(
            inner,
            result -> {
              long until = scan.deadline();
              sorter.add(
                  key.bytes(), Document.writer().put(RESULT, result).put(DEADLINE, until).build());
              return true;
            });
  }
}
