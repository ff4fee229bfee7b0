package dev.mayfly.mongo.cursor;

import dev.mayfly.engine.OperationContext;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import java.util.Optional;

/**
 * Tailable rows: after {@link #next} has returned false, more rows may follow later. For one thread
 * at a time.
 */
public interface Tail extends Rows {
  /** Sets the operation that fetches the next rows: each getMore is one. */
  default void begin(OperationContext operation) {}

  /**
   * Waits until there may be another row.
   *
   * @return false if the time ran out
   */
  boolean await(long nanos);

  /** Whether no more rows will follow. */
  boolean ended();

  /** The resume token after the current row; empty if the rows are not a change stream. */
  default Optional<Document> resumeToken() {
    return Optional.empty();
  }
}
