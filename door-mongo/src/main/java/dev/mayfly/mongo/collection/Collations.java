package dev.mayfly.mongo.collection;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.parser.CollationParser;
import dev.mayfly.query.Collation;
import dev.mayfly.value.Document;

/** Collations as they are kept: with all settings, or empty for byte by byte. */
public final class Collations {
  private Collations() {}

  /**
   * A collation with the settings that were left out.
   *
   * @throws CommandException when it means nothing
   */
  public static Document complete(Document syntax) {
    Collation collation = CollationParser.parse(syntax);
    return collation.simple() ? Document.EMPTY : collation.toDocument();
  }
}
