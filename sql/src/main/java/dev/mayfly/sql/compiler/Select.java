package dev.mayfly.sql.compiler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Syntax tree of a query. Immutable. */
public record Select(
    boolean distinct,
    @Nullable Expression top,
    Projection projection,
    List<From> from,
    @Nullable Expression where,
    List<Expression> groupBy,
    List<Key> orderBy,
    @Nullable Expression offset,
    @Nullable Expression limit,
    Span span) {
  public Select {
    from = List.copyOf(from);
    groupBy = List.copyOf(groupBy);
    orderBy = List.copyOf(orderBy);
  }

  /** SELECT list. */
  public sealed interface Projection {
    /** {@code SELECT *}. */
    record Everything(Span span) implements Projection {}

    /** {@code SELECT VALUE}. */
    record Single(Expression value) implements Projection {}

    /** {@code SELECT a, b}. */
    record Listed(List<Item> items) implements Projection {
      public Listed {
        items = List.copyOf(items);
      }
    }
  }

  /** A field of a result, with an optional alias. */
  public record Item(Expression value, @Nullable String alias) {}

  /** Source in FROM. */
  public sealed interface From {
    Span span();

    /**
     * A value.
     *
     * @param alias defaults to the last step of the path
     */
    record Value(Expression path, @Nullable String alias, Span span) implements From {}

    /** The elements of an array. */
    record Elements(String variable, Expression path, Span span) implements From {}

    /**
     * The results of a query.
     *
     * @param variable optional alias
     */
    record Results(Select query, @Nullable String variable, Span span) implements From {}

    /** The elements of a subquery's array results, and its other results. */
    record Spread(String variable, Select query, Span span) implements From {}
  }

  /** A key of the order. */
  public record Key(Expression value, boolean descending) {}
}
