package dev.mayfly.engine.index;

import static dev.mayfly.engine.index.IndexMatch.Direction.BACKWARD;
import static dev.mayfly.engine.index.IndexMatch.Direction.FORWARD;

import dev.mayfly.engine.index.IndexMatch.Direction;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Type;
import java.util.EnumSet;
import java.util.List;

/**
 * Whether a scan of an index gives documents in a wanted order.
 *
 * <p>The keys of the order must be parts of the index in the same sequence, after parts that are
 * the same for all documents that pass, and all in the direction of the index or all against it. A
 * part that met arrays orders its entries, not its documents, and serves no order; nor is it the
 * same for all documents unless the scan reads but one of its values. An order that compares texts
 * by another collation than that of the index is not served.
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

  /** True when the entries of the part sort as the values of documents do in the query's mode. */
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
   * Alone, arrays and objects sort last, and only a wildcard has them there; among several keys
   * they count as missing, as in the index. A unique index cannot tell missing from null.
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
