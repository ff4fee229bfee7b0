package dev.mayfly.engine.index;

import static dev.mayfly.engine.index.IndexMatch.Direction.BACKWARD;
import static dev.mayfly.engine.index.IndexMatch.Direction.FORWARD;

import dev.mayfly.engine.index.IndexMatch.Direction;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Type;
import java.util.EnumSet;
import java.util.List;

/**
 * Sort by index: decides whether an index scan yields documents in the order of a query.
 *
 * <p>The sort keys must be parts of the index in the same sequence, all in the direction of the
 * index or all in reverse. Parts with one value in the bounds may come before or between them. A
 * multikey part orders entries, not documents, and gives no order; it counts as constant only if
 * the scan reads a single value of it. The collation of the order must be that of the index.
 */
final class SortService {
  private final IndexSpec spec;
  private final List<Column> columns;

  SortService(IndexSpec spec, List<Column> columns) {
    this.spec = spec;
    this.columns = columns;
  }

  Direction direction(List<Sort> order) {
    if (order.stream().anyMatch(key -> !key.collation().equals(spec.collation()))) {
      return Direction.UNORDERED;
    }
    EnumSet<Direction> possible = EnumSet.of(FORWARD, BACKWARD);
    boolean pinned = true;
    int served = 0;
    for (Column column : columns) {
      if (served == order.size()) {
        break;
      }
      Sort key = order.get(served);
      boolean constant = column.isConstant() && (pinned || !column.multikey());
      boolean wanted = column.path().equals(key.path()) && !column.multikey();
      if (!constant && !(wanted && ordersLikeSort(column, order.size()))) {
        return Direction.UNORDERED;
      }
      if (!constant) {
        possible.remove(column.part().descending() == key.descending() ? BACKWARD : FORWARD);
      }
      pinned &= column.isConstant();
      served += wanted ? 1 : 0;
    }
    return served == order.size() && !possible.isEmpty()
        ? possible.iterator().next()
        : Direction.UNORDERED;
  }

  /** Returns whether the entries of a part have the order of the values in the query's mode. */
  private boolean ordersLikeSort(Column column, int keys) {
    if (spec.order() != spec.traversal().mode().order()) {
      return false;
    }
    return switch (spec.traversal()) {
      case IMPLICIT -> true;
      case EXPLICIT -> explicitOrdersLikeSort(column, keys);
    };
  }

  /**
   * Cosmos DB: in a sort by one key, arrays and objects are last, as in a wildcard index only. In a
   * sort by several keys they count as missing, as in the index. A unique index does not
   * distinguish missing from null.
   */
  private boolean explicitOrdersLikeSort(Column column, int keys) {
    if (column.part().manyPaths()) {
      return keys == 1;
    }
    if (keys == 1) {
      return !column.admits(Type.MISSING);
    }
    return !spec.unique() || !(column.admits(Type.MISSING) && column.admits(Type.NULL));
  }
}
