package dev.mayfly.mongo.collection;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.parser.FilterParser;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;

/** Queries that are kept with a collection or asked about descriptions of one. */
public final class Filters {
  private Filters() {}

  /**
   * The filter that a query means.
   *
   * @throws CommandException when it means nothing
   */
  public static Filter parse(Document syntax) {
    return parse(syntax, Collation.SIMPLE);
  }

  /** As {@link #parse(Document)}, with texts that compare as the collation says. */
  public static Filter parse(Document syntax, Collation collation) {
    return parse(syntax, collation, 0);
  }

  /** As {@link #parse(Document, Collation)}, for one instant that expressions may ask for. */
  public static Filter parse(Document syntax, Collation collation, long now) {
    return FilterParser.parse(syntax, Variables.none(now), collation);
  }
}
