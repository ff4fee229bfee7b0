package dev.mayfly.sql.compiler;

import dev.mayfly.sql.Function;
import dev.mayfly.sql.Functions;
import java.util.Locale;
import java.util.Map;

/** Query of a computed property: one value that depends on one item only. */
public final class ComputedQuery {
  private static final String SPATIAL = "ST_";

  private ComputedQuery() {}

  /**
   * Checks that a text is such a query.
   *
   * @throws SqlException if it is not
   */
  public static void check(String text) {
    Select query = Parser.parse(text);
    boolean ofItem =
        query.from().size() == 1
            && query.from().getFirst() instanceof Select.From.Value(Expression path, _, _)
            && path instanceof Expression.Name;
    if (!(query.projection() instanceof Select.Projection.Single(Expression value))
        || !ofItem
        || hasClauses(query)) {
      throw invalid(query.span(), "must be 'SELECT VALUE' of an expression 'FROM' the container");
    }
    check(value);
    if (Compiler.compile(query, Map.of(), Map.of()).grouping().isPresent()) {
      throw invalid(query.span(), "cannot contain aggregate functions");
    }
  }

  private static boolean hasClauses(Select query) {
    return query.distinct()
        || query.top() != null
        || query.where() != null
        || !query.groupBy().isEmpty()
        || !query.orderBy().isEmpty()
        || query.offset() != null;
  }

  private static void check(Expression value) {
    if (value instanceof Expression.Subquery) {
      throw invalid(value.span(), "cannot contain subqueries");
    }
    if (value instanceof Expression.Call(String name, boolean custom, _, Span span)
        && (custom || !isOfItem(name.toUpperCase(Locale.ROOT)))) {
      throw invalid(span, "cannot call " + name);
    }
    Children.of(value).forEach(ComputedQuery::check);
  }

  /** Whether a function is deterministic and not spatial. */
  private static boolean isOfItem(String name) {
    return !name.startsWith(SPATIAL)
        && Functions.find(name).map(Function::deterministic).orElse(true);
  }

  private static SqlException invalid(Span span, String problem) {
    return new SqlException("SC2080", span, "The query of a computed property " + problem + ".");
  }
}
