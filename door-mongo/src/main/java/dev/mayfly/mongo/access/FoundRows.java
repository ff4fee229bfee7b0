package dev.mayfly.mongo.access;

import dev.mayfly.engine.Explanation;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;

/** Documents that a query found, with their versions and record ids. */
public interface FoundRows extends Rows {
  /** The version of the current document, for a conditional write. */
  long version();

  /** The record id of the current document: unique in the collection, unchanged by updates. */
  long number();

  /** The index key by which the current document was found; empty without an index. */
  Document indexKey();

  /** The plan, with what it has examined so far. */
  Explanation explain();
}
