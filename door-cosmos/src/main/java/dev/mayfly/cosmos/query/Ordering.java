package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.IndexingPolicy;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.index.Scope;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Sort;
import dev.mayfly.sql.compiler.CompiledQuery;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;

/** ORDER BY under an indexing policy: whether it is allowed, and which items it returns. */
record Ordering(List<CompiledQuery.Key> keys, IndexingPolicy policy) {
  /** Paths that are indexed under every policy, with their lowest possible values. */
  static final Map<FieldPath, Value> ALWAYS =
      Map.of(FieldPath.of("id"), Value.of(""), IndexSpec.WRITTEN, Value.of(0));

  static Ordering of(CompiledQuery query, Container container) {
    return new Ordering(query.order(), container.indexing());
  }

  /**
   * Checks that an index serves it.
   *
   * @throws CosmosException 400
   */
  void check() {
    if (keys.size() == 1 && !isIndexed(keys.getFirst().path())) {
      throw CosmosException.wrong(
          "The index path corresponding to the specified order-by item is excluded.");
    }
    if (keys.size() > 1 && policy.composites().stream().noneMatch(this::serves)) {
      throw CosmosException.wrong(
          "The order by query does not have a corresponding composite index that it can be served"
              + " from.");
    }
  }

  private boolean isIndexed(FieldPath path) {
    return policy.mode() != IndexingMode.NONE
        && (ALWAYS.containsKey(path) || policy.includes(path));
  }

  /** Whether a composite index has the paths in order, with the same or all opposite directions. */
  private boolean serves(List<Part> composite) {
    if (composite.size() != keys.size()) {
      return false;
    }
    boolean inverted = composite.getFirst().descending() != keys.getFirst().descending();
    for (int i = 0; i < keys.size(); i++) {
      Part part = composite.get(i);
      CompiledQuery.Key key = keys.get(i);
      if (!part.path().equals(key.path()) || (part.descending() != key.descending()) != inverted) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether items without the only key are omitted: the wildcard index has no entries for them, but
   * an index of exactly this path has.
   */
  boolean omitsUndefined() {
    return keys.size() == 1
        && policy.scopes().stream()
            .noneMatch(
                scope ->
                    scope.included()
                        && scope.reach() == Scope.Reach.LEAF
                        && scope.path().equals(keys.getFirst().path()));
  }

  /** Whether all keys are stored properties, so that the engine can sort. */
  boolean isStored() {
    return keys.stream().allMatch(CompiledQuery.Key::stored);
  }

  /** Returns the filter for the items that the order includes. */
  Filter included() {
    if (!isStored() || !omitsUndefined()) {
      return Filter.all();
    }
    FieldPath path = keys.getFirst().path();
    Value lowest = ALWAYS.get(path);
    // an index of one path does not distinguish arrays from missing values; these paths have
    // neither
    return lowest == null
        ? new Filter.Exists(path, true)
        : new Filter.Compare(path, Operator.GTE, lowest);
  }

  List<Sort> sorts() {
    return keys.stream().map(key -> new Sort(key.path(), key.descending())).toList();
  }
}
