package dev.mayfly.mongo.access;

import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Explanation;
import dev.mayfly.value.Document;

/** A cursor of the engine as rows; how it found them is counted in the end. */
final class EngineRows implements Found {
  private final Cursor cursor;
  private final Uses.OfCollection uses;
  private boolean closed;

  EngineRows(Cursor cursor, Uses.OfCollection uses) {
    this.cursor = cursor;
    this.uses = uses;
  }

  @Override
  public boolean next() {
    return cursor.next();
  }

  @Override
  public Document current() {
    return cursor.document();
  }

  @Override
  public long version() {
    return cursor.current().version();
  }

  @Override
  public Explanation explain() {
    return cursor.explain();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      uses.took(cursor.explain().access());
      cursor.close();
    }
  }
}
