package dev.mayfly.mongo.cursor;

import dev.mayfly.engine.OperationContext;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import java.util.Optional;

/**
 * Tailable rows after a projection or pipeline.
 *
 * @param tail the source
 * @param rows the transformed rows; closing them closes the source
 */
public record ShapedTail(Tail tail, Rows rows) implements Tail {
  @Override
  public boolean next() {
    return rows.next();
  }

  @Override
  public Document current() {
    return rows.current();
  }

  @Override
  public void begin(OperationContext operation) {
    tail.begin(operation);
  }

  @Override
  public boolean await(long nanos) {
    return tail.await(nanos);
  }

  @Override
  public boolean ended() {
    return tail.ended();
  }

  @Override
  public Optional<Document> resumeToken() {
    return tail.resumeToken();
  }

  @Override
  public void close() {
    rows.close();
  }
}
