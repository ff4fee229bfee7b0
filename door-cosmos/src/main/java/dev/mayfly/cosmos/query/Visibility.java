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
 * Which items of a container a query can find: those that were left out of the index by their ids
 * alone, or where the client allows for a scan.
 */
final class Visibility {
  private static final FieldPath ID = FieldPath.of("id");

  private Visibility() {}

  /** What is asked of items so that they are found at all. */
  static Filter of(Request request, Container container, CompiledQuery query) {
    boolean whole =
        !container.has(ContainerFlag.SELECTIVE)
            || container.indexing().mode() == IndexingMode.NONE
            || request.isTrue(HeaderNames.ENABLE_SCAN)
            || demandsId(query.filter());
    return whole ? Filter.all() : new Filter.Exists(UnindexedFlag.PATH, false);
  }

  private static boolean demandsId(Filter filter) {
    return switch (filter) {
      case Filter.And(List<Filter> members) -> members.stream().anyMatch(Visibility::demandsId);
      case Filter.Or(List<Filter> members) ->
          !members.isEmpty() && members.stream().allMatch(Visibility::demandsId);
      case Filter.Compare(FieldPath path, Operator operator, _) ->
          path.equals(ID) && operator == Operator.EQ;
      case Filter.In(FieldPath path, _) -> path.equals(ID);
      case Filter _ -> false;
    };
  }
}
