package dev.mayfly.sql.compiler;

import dev.mayfly.sql.Geospatial;
import dev.mayfly.value.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** State of the compilation of one query. For one thread. */
final class Context {
  /** The variable of the item. */
  static final int ROOT = 0;

  /** System properties, which are not stored. */
  static final Set<String> SYSTEM = Set.of("_rid", "_self", "_etag", "_ts", "_attachments");

  /** The system property that the engine provides. */
  static final String WRITTEN = "_ts";

  /** Maximum number of joins, as in Cosmos DB. */
  static final int MAX_JOINS = 10;

  private final Map<String, Value> parameters;
  private final Geospatial geospatial;
  private final Map<String, Expression> computed = new HashMap<>();
  private final Map<String, String> computedAliases = new HashMap<>();
  private int slots = 1;
  private int newPlaceholder;
  private int joins;
  private boolean decorated;
  private boolean hasItem;

  Context(Map<String, Value> parameters, Map<String, Select> computed, Geospatial geospatial) {
    this.parameters = parameters;
    this.geospatial = geospatial;
    computed.forEach(
        (name, query) -> {
          if (query.projection() instanceof Select.Projection.Single(Expression value)
              && query.from().size() == 1
              && query.from().getFirst()
                  instanceof Select.From.Value(Expression path, String alias, _)
              && path instanceof Expression.Name(String container, _)) {
            this.computed.put(name, value);
            this.computedAliases.put(name, alias == null ? container : alias);
          }
        });
  }

  /** Returns the type of the container's geometries. */
  Geospatial geospatial() {
    return geospatial;
  }

  int newSlot() {
    return newSlots(1);
  }

  /** Allocates variables and returns the first. */
  int newSlots(int count) {
    int first = slots;
    slots += count;
    return first;
  }

  /** Returns a variable for a name that is known but never has a value. */
  int newPlaceholder() {
    return --newPlaceholder;
  }

  int slots() {
    return slots;
  }

  void join(Span span) {
    if (++joins > MAX_JOINS) {
      throw new SqlException(
          "SC3003",
          span,
          "The query exceeded the maximum number of joins that can be allowed. The allowed "
              + "limit is "
              + MAX_JOINS
              + ".");
    }
  }

  Value parameter(Expression.Parameter parameter) {
    Value value = parameters.get(parameter.name());
    if (value == null) {
      throw SqlException.unresolved(parameter.span(), parameter.name());
    }
    return value;
  }

  boolean isComputed(String property) {
    return computed.containsKey(property);
  }

  /** Returns the expression of a computed property. */
  Expression computed(String property) {
    return Objects.requireNonNull(computed.get(property));
  }

  /** Returns the alias of the item in the query of a computed property. */
  String computedAlias(String property) {
    return Objects.requireNonNull(computedAliases.get(property));
  }

  /** Records that the query reads items. */
  void readItems() {
    hasItem = true;
  }

  /** Whether the query reads items. */
  boolean hasItem() {
    return hasItem;
  }

  /** Records that the query needs system properties. */
  void decorate() {
    decorated = true;
  }

  boolean decorated() {
    return decorated;
  }
}
