package dev.mayfly.mongo.access;

import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Explanation;
import dev.mayfly.value.Document;
import org.jspecify.annotations.Nullable;

/**
 * Rows of an engine cursor; counts the index usage of its plan when it is closed. For one thread.
 */
final class EngineRows implements FoundRows {
  private final Cursor cursor;
  private final QueryTracker queryTracker;
  private final Runnable check;

  /** The final explanation, set by {@link #close}. */
  private @Nullable Explanation ended;

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
    Explanation known = ended;
    return known == null ? cursor.explain() : known;
  }

  @Override
  public void close() {
    if (ended == null) {
      ended = cursor.explain();
      queryTracker.ended(ended);
      cursor.close();
    }
  }
}
