package dev.mayfly.mongo.access;

import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Explanation;
import dev.mayfly.value.Document;

/** A cursor of the engine as rows. */
final class EngineRows implements Found {
  private final Cursor cursor;

  EngineRows(Cursor cursor) {
    this.cursor = cursor;
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
    cursor.close();
  }
}
