package dev.mayfly.mongo.collection;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.parser.FilterParser;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;

/**
 * Parses query filters outside of read and write commands: validators, partial indexes, filters of
 * {@code listCollections}.
 */
public final class Filters {
  private Filters() {}

  /**
   * Parses a filter that compares strings by their bytes. {@code $$NOW} is the epoch.
   *
   * @throws CommandException if the filter is invalid
   */
  public static Filter parse(Document syntax) {
    return parse(syntax, Collation.SIMPLE);
  }

  /** As {@link #parse(Document)}, with a collation. */
  public static Filter parse(Document syntax, Collation collation) {
    return parse(syntax, collation, 0);
  }

  /**
   * As {@link #parse(Document, Collation)}; {@code $$NOW} is the instant {@code now}, in
   * milliseconds.
   */
  public static Filter parse(Document syntax, Collation collation, long now) {
    return FilterParser.parse(syntax, Variables.none(now), collation);
  }
}
