package dev.mayfly.sql.compiler;

import dev.mayfly.query.Filter;
import dev.mayfly.sql.Aggregate;
import dev.mayfly.sql.Constant;
import dev.mayfly.sql.Grouping;
import dev.mayfly.sql.Scalar;
import dev.mayfly.sql.Selection;
import dev.mayfly.value.FieldPath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Compiled query. Immutable.
 *
 * @param slots number of variables of its rows; the item is the first
 * @param readsItems whether it reads items of the container at all
 * @param decorated whether it needs items with their system properties
 * @param filter for the engine
 * @param selection results from the items that pass the filter, with the rest of WHERE
 * @param distinctSource variable whose values are aggregated once each, if there is one
 * @param plain whether each item that passes the filter yields exactly one row
 * @param fansOut whether an item may yield several rows
 * @param wholeItem whether results are unchanged items
 * @param order keys of ORDER BY
 * @param correlated whether ORDER BY refers to elements of arrays: such a query can be planned, but
 *     not executed
 * @param top maximum number of results
 * @param offset number of results to skip first
 * @param limit maximum number of results after those
 * @param single whether results are values (SELECT VALUE), not objects
 */
public record CompiledQuery(
    int slots,
    boolean readsItems,
    boolean decorated,
    Filter filter,
    Selection selection,
    OptionalInt distinctSource,
    boolean plain,
    boolean fansOut,
    boolean wholeItem,
    List<Key> order,
    boolean correlated,
    long top,
    long offset,
    long limit,
    boolean single) {
  /** The variable of the item. */
  public static final int ITEM = Context.ROOT;

  /** No limit to the number of results. */
  public static final long ALL = Long.MAX_VALUE;

  public CompiledQuery {
    order = List.copyOf(order);
  }

  /**
   * A key of ORDER BY.
   *
   * @param path in the item as clients see it
   * @param stored whether the stored item has the same path
   */
  public record Key(FieldPath path, boolean stored, Scalar value, boolean descending) {}

  /** Whether the query only counts items. */
  public boolean counts() {
    return plain
        && selection
            .grouping()
            .filter(grouping -> grouping.keys().isEmpty() && isCount(grouping))
            .isPresent();
  }

  private static boolean isCount(Grouping grouping) {
    return grouping.aggregates().stream()
        .allMatch(
            aggregate ->
                aggregate.kind() == Aggregate.Kind.COUNT
                    && aggregate.operand() instanceof Constant(var value)
                    && !value.isMissing());
  }

  /** Whether each row certainly yields a result. */
  public boolean definite() {
    return wholeItem || !single;
  }

  /** Returns GROUP BY and aggregates, if there are any. */
  public Optional<Grouping> grouping() {
    return selection.grouping();
  }
}
