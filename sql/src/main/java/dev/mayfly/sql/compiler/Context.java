package dev.mayfly.sql.compiler;

import dev.mayfly.sql.Geospatial;
import dev.mayfly.value.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What the parts of one query share while it is compiled. For one thread. */
final class Context {
  /** The variable of the item. */
  static final int ROOT = 0;

  /** Properties that an item has without having been written with them. */
  static final Set<String> SYSTEM = Set.of("_rid", "_self", "_etag", "_ts", "_attachments");

  /** The one of them that the engine knows, too. */
  static final String WRITTEN = "_ts";

  /** As many sources as the service joins. */
  static final int MAX_JOINS = 10;

  private final Map<String, Value> parameters;
  private final Geospatial geospatial;
  private final Map<String, Expression> computed = new HashMap<>();
  private final Map<String, String> computedAliases = new HashMap<>();
  private int slots = 1;
  private int unseen;
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

  /** Where the container's geometries lie. */
  Geospatial geospatial() {
    return geospatial;
  }

  int newSlot() {
    return newSlots(1);
  }

  /** The first of so many new variables. */
  int newSlots(int count) {
    int first = slots;
    slots += count;
    return first;
  }

  /** The number of a name that is known, but of which no row has a value. */
  int unseen() {
    return --unseen;
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

  /** What a computed property is made of. */
  Expression computed(String property) {
    return Objects.requireNonNull(computed.get(property));
  }

  /** What the item is called there. */
  String computedAlias(String property) {
    return Objects.requireNonNull(computedAliases.get(property));
  }

  /** Notes that the query is about the items of the container. */
  void readItems() {
    hasItem = true;
  }

  /** True when there is an item to speak of. */
  boolean hasItem() {
    return hasItem;
  }

  /** Notes that the item is needed with its system properties. */
  void decorate() {
    decorated = true;
  }

  boolean decorated() {
    return decorated;
  }
}
