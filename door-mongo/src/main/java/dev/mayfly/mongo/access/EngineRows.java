package dev.mayfly.mongo.access;

import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Explanation;
import dev.mayfly.value.Document;
import org.jspecify.annotations.Nullable;

/** A cursor of the engine as rows; how it found them is counted in the end. */
final class EngineRows implements FoundRows {
  private final Cursor cursor;
  private final QueryTracker queryTracker;
  private final Runnable standing;

  /** Set when it is closed: how it went in the end. */
  private @Nullable Explanation ended;

  private EngineRows(Cursor cursor, QueryTracker queryTracker, Runnable standing) {
    this.cursor = cursor;
    this.queryTracker = queryTracker;
    this.standing = standing;
  }

  /**
   * @param standing throws when the cursor cannot go on
   */
  static EngineRows of(Cursor cursor, QueryTracker queryTracker, Runnable standing) {
    EngineRows rows = new EngineRows(cursor, queryTracker, standing);
    queryTracker.began(rows::explain);
    return rows;
  }

  @Override
  public boolean next() {
    standing.run();
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
