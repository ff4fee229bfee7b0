package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.sql.CompiledQuery;
import dev.mayfly.query.pipeline.Sorter;
import dev.mayfly.query.pipeline.Workspace;
import dev.mayfly.query.sql.Row;
import dev.mayfly.query.sql.Rows;
import dev.mayfly.query.sql.Seen;
import dev.mayfly.query.sql.Selection;
import dev.mayfly.value.Document;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.OptionalLong;

/**
 * Sorts results by what is not stored with items: system properties and computed ones.
 *
 * @param wanted how many of the first results are wanted; no more are kept
 */
record Sorting(CompiledQuery query, Ordering ordering, long wanted, Source source) {
  private static final String RESULT = "v";

  /** Where rows come from. */
  @FunctionalInterface
  interface Source {
    void each(Rows.Visitor visitor);
  }

  /** Shows all results in order. */
  void each(Selection.Visitor visitor) {
    Selection.Visitor target =
        query.selection().distinct()
            ? new Seen(OptionalLong.of(Run.MEMORY_BYTES)).before(visitor)
            : visitor;
    long most = query.selection().distinct() ? Long.MAX_VALUE : wanted;
    try (Sorter sorter = new Sorter(Workspace.memory(Run.MEMORY_BYTES), most)) {
      source.each(inner -> add(inner, sorter));
      sorter.finish();
      boolean more = true;
      while (more && sorter.next()) {
        more = target.visit(sorter.document().field(RESULT));
      }
    }
  }

  private boolean add(Row inner, Sorter sorter) {
    KeyWriter key = new KeyWriter();
    for (CompiledQuery.Key part : query.order()) {
      Value value = part.value().evaluate(inner);
      if (value.isMissing() && ordering.hidesUndefined()) {
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
        .show(
            inner,
            result -> {
              sorter.add(key.bytes(), Document.writer().put(RESULT, result).build());
              return true;
            });
  }
}
