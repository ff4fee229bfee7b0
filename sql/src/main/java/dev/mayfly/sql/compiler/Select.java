package dev.mayfly.sql.compiler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query as it is written. Immutable. */
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

  /** What a result is made of. */
  public sealed interface Projection {
    /** The whole row. */
    record Everything(Span span) implements Projection {}

    /** A value. */
    record Single(Expression value) implements Projection {}

    /** An object. */
    record Listed(List<Item> items) implements Projection {
      public Listed {
        items = List.copyOf(items);
      }
    }
  }

  /** A field of a result; it names itself when it has no alias. */
  public record Item(Expression value, @Nullable String alias) {}

  /** What a variable ranges over. */
  public sealed interface From {
    Span span();

    /**
     * A value.
     *
     * @param alias what it is called; the last step of the path when that is missing
     */
    record Value(Expression path, @Nullable String alias, Span span) implements From {}

    /** The elements of an array. */
    record Elements(String variable, Expression path, Span span) implements From {}

    /**
     * The results of a query.
     *
     * @param variable what they are called, if anything
     */
    record Results(Select query, @Nullable String variable, Span span) implements From {}

    /** The elements of the arrays that a query results in, and its other results as they are. */
    record Spread(String variable, Select query, Span span) implements From {}
  }

  /** A key of the order. */
  public record Key(Expression value, boolean descending) {}
}
