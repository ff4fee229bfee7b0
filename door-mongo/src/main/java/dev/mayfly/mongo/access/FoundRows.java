package dev.mayfly.mongo.access;

import dev.mayfly.engine.Explanation;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;

/** Documents that were found, with the version each had. */
public interface FoundRows extends Rows {
  /** The version of the current document, to guard a write by. */
  long version();

  /** A number that no other document of the collection has, and that stays when it is changed. */
  long number();

  /** The values of the key by which the current document was found; empty when none led to it. */
  Document indexKey();

  /** How they were found, and what that has taken so far. */
  Explanation explain();
}
