package dev.mayfly.query;

import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Value;

/**
 * Memory of the values that an evaluation keeps while it computes others.
 *
 * <p>Values are released in reverse order: take a {@link #mark} before keeping values, and release
 * to it at the end. For one thread at a time.
 */
public final class ValueMemory {
  private static final int EXCEEDED_MEMORY = 146;

  private final QueryMemory.Holding holding;
  private long held;

  /**
   * Creates the account of one evaluation.
   *
   * @param most maximum in bytes
   */
  public ValueMemory(long most) {
    this.holding = QueryMemory.PROCESS.holding(most);
  }

  /** Returns the current size. */
  public long mark() {
    return held;
  }

  /**
   * Adds a value.
   *
   * @throws QueryException LIMIT_EXCEEDED
   */
  public void keep(Value value) {
    keep(value.isMissing() ? 0 : value.length());
  }

  /**
   * Adds a number of bytes.
   *
   * @throws QueryException LIMIT_EXCEEDED
   */
  public void keep(long bytes) {
    held += bytes;
    if (!holding.hold(held)) {
      throw exceeded();
    }
  }

  /** Releases everything since the mark. */
  public void release(long mark) {
    held = mark;
    holding.hold(mark);
  }

  /** Returns the failure for exceeding the limit. */
  public static QueryException exceeded() {
    return new QueryException(
        Reason.LIMIT_EXCEEDED,
        EXCEEDED_MEMORY,
        "The values that the query computes use too much memory and cannot spill to disk.");
  }
}
