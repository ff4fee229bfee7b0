package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.ContainerFlag;
import dev.mayfly.cosmos.item.UnindexedFlag;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.http.Request;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.sql.compiler.CompiledQuery;
import dev.mayfly.value.FieldPath;
import java.util.List;

/**
 * Items that a query can find: an item that is excluded from the index is found only by its id, or
 * if the client allows a scan.
 */
final class Visibility {
  private static final FieldPath ID = FieldPath.of("id");

  private Visibility() {}

  /** Returns the filter for the items that a query can find. */
  static Filter of(Request request, Container container, CompiledQuery query) {
    boolean all =
        !container.has(ContainerFlag.SELECTIVE)
            || container.indexing().mode() == IndexingMode.NONE
            || request.isTrue(HeaderNames.ENABLE_SCAN)
            || requiresId(query.filter());
    return all ? Filter.all() : new Filter.Exists(UnindexedFlag.PATH, false);
  }

  private static boolean requiresId(Filter filter) {
    return switch (filter) {
      case Filter.And(List<Filter> members) -> members.stream().anyMatch(Visibility::requiresId);
      case Filter.Or(List<Filter> members) ->
          !members.isEmpty() && members.stream().allMatch(Visibility::requiresId);
      case Filter.Compare(FieldPath path, Operator operator, _) ->
          path.equals(ID) && operator == Operator.EQ;
      case Filter.In(FieldPath path, _) -> path.equals(ID);
      case Filter _ -> false;
    };
  }
}
