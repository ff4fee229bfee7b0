package dev.mayfly.mongo.access;

import dev.mayfly.engine.Explanation;
import dev.mayfly.query.pipeline.Rows;

/** Documents that were found, with the version each had. */
public interface Found extends Rows {
  /** The version of the current document, to guard a write by. */
  long version();

  /** How they were found, and what that has taken so far. */
  Explanation explain();
}
