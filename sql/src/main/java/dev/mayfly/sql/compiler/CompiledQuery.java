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
 * A query that can be run. Immutable.
 *
 * @param slots how many variables its rows have; the item is the first
 * @param readsItems whether it is about the items of the container at all
 * @param decorated whether it needs items with their system properties
 * @param filter what the engine asks of stored items
 * @param selection what is made of the items that pass, the rest of WHERE included
 * @param distinctSource the variable of which no value is gathered twice, if there is one
 * @param plain whether each item that passes gives exactly one row
 * @param fansOut whether an item may give several rows
 * @param wholeItem whether results are items as they are
 * @param order the keys of ORDER BY
 * @param correlated whether ORDER BY names elements of arrays: such a query has a plan, but cannot
 *     be run
 * @param top how many results there may be
 * @param offset how many results are left out first
 * @param limit how many there may be behind those
 * @param single whether results are values, and not objects that list them
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
   * @param path where it lies in the item as clients see it
   * @param stored whether it lies there in the stored item, too
   */
  public record Key(FieldPath path, boolean stored, Scalar value, boolean descending) {}

  /** True when the query only counts its items. */
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

  /** True when each row is sure to give a result. */
  public boolean definite() {
    return wholeItem || !single;
  }

  /** How rows are gathered, if they are. */
  public Optional<Grouping> grouping() {
    return selection.grouping();
  }
}
