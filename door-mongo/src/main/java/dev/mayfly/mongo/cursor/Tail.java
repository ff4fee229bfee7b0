package dev.mayfly.mongo.cursor;

import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import java.util.Optional;

/** Rows that may go on after there was none: the end is a pause. */
public interface Tail extends Rows {
  /**
   * Waits until there may be another row.
   *
   * @return false when the time ran out before
   */
  boolean await(long nanos);

  /** True when no row will ever follow. */
  boolean ended();

  /** From where another cursor would go on, for those who ask in every batch. */
  default Optional<Document> resumeToken() {
    return Optional.empty();
  }
}
