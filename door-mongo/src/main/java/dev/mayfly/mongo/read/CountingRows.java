package dev.mayfly.mongo.read;

import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import java.util.function.LongSupplier;

/** Counts rows and measures the time to produce them, for {@code explain}. For one thread. */
final class CountingRows implements Rows {
  private final Rows rows;
  private final LongSupplier nanos;
  private long returned;
  private long spent;

  /**
   * @param nanos monotonic nanoseconds
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

  /** The number of rows so far. */
  long returned() {
    return returned;
  }

  /** The time in {@link #next}, which includes all earlier stages. */
  long millis() {
    return spent / 1_000_000;
  }
}
