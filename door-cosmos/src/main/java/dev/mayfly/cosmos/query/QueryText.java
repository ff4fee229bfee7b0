package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.sql.EvaluationException;
import dev.mayfly.sql.compiler.CompiledQuery;
import dev.mayfly.sql.compiler.Compiler;
import dev.mayfly.sql.compiler.Select;
import dev.mayfly.sql.compiler.SqlException;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Text and parameters of a query.
 *
 * @param parameters values by name, including the leading {@code @}
 */
record QueryText(String text, Map<String, Value> parameters) {
  private static final byte OBJECT = '{';
  private static final String TOO_LARGE =
      "Query exceeded the maximum allowed memory usage of "
          + (ItemScan.MEMORY_BYTES >> 20)
          + " MB. Please consider adding more filters to reduce the query response size.";

  QueryText {
    parameters = Map.copyOf(parameters);
  }

  /**
   * Parses a body: an object with the text and its parameters, or the text alone.
   *
   * @throws CosmosException 400 if there is no query
   */
  static QueryText of(byte[] body) {
    int first = 0;
    while (first < body.length && body[first] <= ' ') {
      first++;
    }
    if (first < body.length && body[first] != OBJECT) {
      return new QueryText(new String(body, StandardCharsets.UTF_8), Map.of());
    }
    try {
      return of(Json.parse(body, Limits.COSMOS));
    } catch (ValueException invalid) {
      throw malformed();
    }
  }

  static QueryText of(Document body) {
    Value text = body.field("query");
    if (text.type() != Type.STRING) {
      throw malformed();
    }
    Map<String, Value> parameters = new HashMap<>();
    Value list = body.field("parameters");
    if (!list.isArray() && !list.isMissing() && !list.isNull()) {
      throw malformed();
    }
    Fields elements = list.isArray() ? list.asDocument().fields() : Document.EMPTY.fields();
    while (elements.next()) {
      Document parameter =
          elements.type() == Type.OBJECT ? elements.value().asDocument() : Document.EMPTY;
      if (parameter.field("name").type() != Type.STRING) {
        throw malformed();
      }
      // a parameter without a value is undefined
      parameters.put(parameter.field("name").asString(), parameter.field("value"));
    }
    return new QueryText(text.asString(), parameters);
  }

  private static CosmosException malformed() {
    return CosmosException.wrong(
        "One of the specified inputs is invalid: the body must be an object with a 'query' and, if"
            + " it has any, 'parameters' with names.");
  }

  Select parse() {
    return translated(() -> Syntax.of(text));
  }

  /** Compiles the query for a container. */
  CompiledQuery compile(Container container) {
    return runnable(plan(container));
  }

  /** As {@link #compile(Container)}, also for queries that can be planned but not executed. */
  CompiledQuery plan(Container container) {
    Select query = parse();
    return translated(
        () ->
            Compiler.compile(
                query, parameters, computed(container), container.definition().geospatial()));
  }

  /** Compiles the query for resources that are not items. */
  CompiledQuery compile() {
    Select query = parse();
    return runnable(translated(() -> Compiler.compile(query, parameters, Map.of())));
  }

  private static CompiledQuery runnable(CompiledQuery query) {
    if (query.correlated()) {
      throw CosmosException.wrong("Order-by over correlated collections is not supported.");
    }
    return query;
  }

  private static Map<String, Select> computed(Container container) {
    Value list = container.definition().form().field("computedProperties");
    if (!list.isArray()) {
      return Map.of();
    }
    Map<String, Select> queries = new HashMap<>();
    Fields elements = list.asDocument().fields();
    while (elements.next()) {
      Document property = elements.value().asDocument();
      queries.put(property.field("name").asString(), Syntax.of(property.field("query").asString()));
    }
    return queries;
  }

  /** Runs work and translates errors of the query into those of Cosmos DB. */
  static <T> T translated(Supplier<T> work) {
    try {
      return work.get();
    } catch (SqlException invalid) {
      throw new CosmosException(Status.BAD_REQUEST, "Message: " + invalid.json());
    } catch (EvaluationException failed) {
      throw CosmosException.wrong(
          switch (failed.reason()) {
            case SEVERAL_ROWS ->
                "Cardinality of a scalar subquery result set cannot be greater than one.";
            case TOO_LARGE -> TOO_LARGE;
            case TOO_LONG ->
                "Query exceeded the maximum allowed time, or number of combinations of its joins,"
                    + " for one item.";
          });
    } catch (QueryException failed) {
      throw failed.reason() == Reason.LIMIT_EXCEEDED ? CosmosException.wrong(TOO_LARGE) : failed;
    }
  }
}
