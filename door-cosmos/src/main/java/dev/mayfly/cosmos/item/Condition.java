package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.sql.EvaluationException;
import dev.mayfly.sql.Geospatial;
import dev.mayfly.sql.Row;
import dev.mayfly.sql.compiler.CompiledQuery;
import dev.mayfly.sql.compiler.Compiler;
import dev.mayfly.sql.compiler.Parser;
import dev.mayfly.sql.compiler.SqlException;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Condition of a patch or touch in the query language: {@code from c where c.n > 5}. For one
 * thread.
 */
final class Condition {
  /** Prefix that makes a condition a query: one row for an item that matches. */
  private static final String SELECT = "SELECT VALUE 1 ";

  /** Name of the request, in messages. */
  private final String request;

  private final CompiledQuery query;
  private final Matcher matcher;
  private final long now;

  private Condition(String request, CompiledQuery query, long now) {
    this.request = request;
    this.query = query;
    this.matcher = query.filter().matcher(Mode.SQL);
    this.now = now;
  }

  /**
   * Parses a condition.
   *
   * @param request {@code patch} or {@code touch}, for messages
   * @param now epoch milliseconds for functions of the current time
   * @throws CosmosException 400 if it is malformed
   */
  static Condition parse(String request, String text, Geospatial geospatial, long now) {
    try {
      return new Condition(
          request,
          Compiler.compile(Parser.parse(SELECT + text), Map.of(), Map.of(), geospatial),
          now);
    } catch (SqlException invalid) {
      throw CosmosException.wrong(
          "Invalid " + request + " request: the condition is invalid: " + invalid.text());
    }
  }

  /** Returns a filter that all items match for which it holds. */
  Filter filter() {
    return query.filter();
  }

  /**
   * Whether it holds for an item with its system properties.
   *
   * @throws CosmosException 400 if the evaluation fails
   */
  boolean holds(Document item) {
    try {
      return matcher.matches(item) && hasRow(item);
    } catch (EvaluationException failed) {
      throw CosmosException.wrong(
          "Invalid "
              + request
              + " request: "
              + switch (failed.reason()) {
                case SEVERAL_ROWS -> "a subquery of the condition has several rows";
                case TOO_LARGE, TOO_LONG -> "the condition takes too long for this item";
              });
    }
  }

  private boolean hasRow(Document item) {
    Row row = Row.of(query.slots(), now);
    row.document(CompiledQuery.ITEM, Value.of(item));
    AtomicBoolean found = new AtomicBoolean();
    query
        .selection()
        .rows()
        .each(
            row,
            _ -> {
              found.set(true);
              return false;
            });
    return found.get();
  }
}
