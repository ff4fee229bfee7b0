package dev.mayfly.mongo.read;

import dev.mayfly.mongo.cursor.Tail;
import dev.mayfly.query.expression.Scope;
import dev.mayfly.query.pipeline.Rows;
import dev.mayfly.query.projection.Projection;
import dev.mayfly.value.Document;
import java.util.Optional;

/** Rows that go on after a pause, of which only a part is shown. */
record ProjectedTail(Tail tail, Rows shown) implements Tail {
  ProjectedTail(Tail tail, Projection projection, Scope scope) {
    this(tail, new Projected(tail, projection, scope));
  }

  @Override
  public boolean next() {
    return shown.next();
  }

  @Override
  public Document current() {
    return shown.current();
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
    shown.close();
  }
}
