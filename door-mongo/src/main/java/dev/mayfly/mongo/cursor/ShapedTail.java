package dev.mayfly.mongo.cursor;

import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import java.util.Optional;

/**
 * Rows that go on after a pause, as others make them of a tail.
 *
 * @param tail where the rows come from
 * @param rows what is made of it, which closes it
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
