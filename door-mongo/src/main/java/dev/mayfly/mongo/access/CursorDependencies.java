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
 * What an open cursor stands on: its collection by the name it had, and the indexes it reads.
 *
 * <p>Asked before every document: looks at references alone as long as nothing has changed.
 */
final class CursorDependencies {
  private final Collection collection;
  private final Supplier<Explanation> way;
  private final Namespace name;
  private CollectionSpec spec;

  /**
   * @param way how the documents are found
   */
  CursorDependencies(Collection collection, Supplier<Explanation> way) {
    this.collection = collection;
    this.way = way;
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

  private static boolean holds(CollectionSpec spec, String index) {
    return spec.indexes().stream().anyMatch(one -> one.name().equals(index));
  }

  /**
   * Goes on as long as the collection has its name and the indexes are there.
   *
   * @throws CommandException QUERY_PLAN_KILLED
   */
  // what has not been replaced is the same object, and that is asked for every row
  @SuppressWarnings("ReferenceEquality")
  void check() {
    if (collection.dropped()) {
      throw killed("collection dropped: " + name);
    }
    Namespace today = collection.namespace();
    if (today != name && !today.equals(name)) {
      throw killed("collection renamed from '" + name + "' to '" + today + "'");
    }
    CollectionSpec current = collection.spec();
    if (current != spec) {
      checkIndexes(current);
      spec = current;
    }
  }

  private void checkIndexes(CollectionSpec current) {
    for (IndexSpec index : indexes(way.get().access())) {
      if (holds(spec, index.name()) && !holds(current, index.name())) {
        throw killed("index '" + index.name() + "' dropped");
      }
    }
  }

  private static CommandException killed(String why) {
    return new CommandException(ErrorCode.QUERY_PLAN_KILLED, why);
  }
}
