package dev.mayfly.mongo.access;

import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Explanation;
import dev.mayfly.value.Document;

/**
 * Rows of an engine cursor; counts the index usage of its plan when it is closed. For one thread.
 */
final class EngineRows implements FoundRows {
  private final Cursor cursor;
  private final QueryTracker queryTracker;
  private final Runnable check;

  private boolean closed;

  private EngineRows(Cursor cursor, QueryTracker queryTracker, Runnable check) {
    this.cursor = cursor;
    this.queryTracker = queryTracker;
    this.check = check;
  }

  /**
   * @param check runs before every row and throws if the cursor must end
   */
  static EngineRows of(Cursor cursor, QueryTracker queryTracker, Runnable check) {
    EngineRows rows = new EngineRows(cursor, queryTracker, check);
    queryTracker.began(rows::explain);
    return rows;
  }

  @Override
  public boolean next() {
    check.run();
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
  public long number() {
    return cursor.arrival();
  }

  @Override
  public Document indexKey() {
    return cursor.indexKey();
  }

  @Override
  public Explanation explain() {
    return cursor.explain();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      queryTracker.ended(cursor.indexes());
      cursor.close();
    }
  }
}
