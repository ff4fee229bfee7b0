package dev.mayfly.mongo.read;

import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import java.util.function.LongSupplier;

/** Rows as they come, with how many came and how long that took. */
final class CountingRows implements Rows {
  private final Rows rows;
  private final LongSupplier nanos;
  private long returned;
  private long spent;

  /**
   * @param nanos how far time has come
   */
  CountingRows(Rows rows, LongSupplier nanos) {
    this.rows = rows;
    this.nanos = nanos;
  }

  @Override
  public boolean next() {
    long started = nanos.getAsLong();
    boolean any = rows.next();
    spent += nanos.getAsLong() - started;
    returned += any ? 1 : 0;
    return any;
  }

  @Override
  public Document current() {
    return rows.current();
  }

  @Override
  public void close() {
    rows.close();
  }

  /** How many rows there were so far. */
  long returned() {
    return returned;
  }

  /** How long they took to come, with all that they are made of. */
  long millis() {
    return spent / 1_000_000;
  }
}
