package dev.mayfly.mongo.collection;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.parser.CollationParser;
import dev.mayfly.query.Collation;
import dev.mayfly.value.Document;

/**
 * Collation documents in the form in which they are stored: with all settings, or empty for simple
 * binary comparison.
 */
public final class Collations {
  private Collations() {}

  /**
   * Returns the collation with defaults for the settings that it omits; empty for the simple
   * collation.
   *
   * @throws CommandException if the collation is invalid
   */
  public static Document complete(Document syntax) {
    Collation collation = CollationParser.parse(syntax);
    return collation.simple() ? Document.EMPTY : collation.toDocument();
  }
}
