package dev.mayfly.mongo.access;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import java.util.List;
import java.util.function.Supplier;

/**
 * The collection and indexes that an open cursor depends on; the cursor fails once one of them is
 * dropped or the collection is renamed.
 *
 * <p>{@link #check} runs before every document, so it only compares references while nothing has
 * changed. For one thread.
 */
final class CursorDependencies {
  private final Collection collection;
  private final Supplier<Explanation> explanation;
  private final Namespace name;
  private CollectionSpec spec;

  /**
   * @param explanation returns the plan of the cursor
   */
  CursorDependencies(Collection collection, Supplier<Explanation> explanation) {
    this.collection = collection;
    this.explanation = explanation;
    this.name = collection.namespace();
    this.spec = collection.spec();
  }

  private static List<IndexSpec> indexes(Explanation.Access access) {
    return switch (access) {
      case Explanation.Access.Point _, Explanation.Access.Scan _ -> List.of();
      case Explanation.Access.Index index -> List.of(index.index());
      case Explanation.Access.Union(var members) ->
          members.stream().map(Explanation.Access.Index::index).toList();
    };
  }

  private static boolean hasIndex(CollectionSpec spec, String index) {
    return spec.indexes().stream().anyMatch(one -> one.name().equals(index));
  }

  /**
   * Fails if the collection was dropped or renamed, or an index of the plan was dropped.
   *
   * @throws CommandException QUERY_PLAN_KILLED
   */
  // runs for every row; an unchanged name or spec is the same object
  @SuppressWarnings("ReferenceEquality")
  void check() {
    if (collection.dropped()) {
      throw killed("collection dropped: " + name);
    }
    Namespace currentName = collection.namespace();
    if (currentName != name && !currentName.equals(name)) {
      throw killed("collection renamed from '" + name + "' to '" + currentName + "'");
    }
    CollectionSpec current = collection.spec();
    if (current != spec) {
      checkIndexes(current);
      spec = current;
    }
  }

  private void checkIndexes(CollectionSpec current) {
    for (IndexSpec index : indexes(explanation.get().access())) {
      if (hasIndex(spec, index.name()) && !hasIndex(current, index.name())) {
        throw killed("index '" + index.name() + "' dropped");
      }
    }
  }

  private static CommandException killed(String reason) {
    return new CommandException(ErrorCode.QUERY_PLAN_KILLED, reason);
  }
}
