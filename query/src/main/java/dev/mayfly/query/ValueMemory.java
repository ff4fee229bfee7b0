package dev.mayfly.query;

import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Value;

/**
 * Memory of the values that an evaluation keeps while it computes others.
 *
 * <p>Kept values are given back in the opposite order: who keeps some takes a {@link #mark} before,
 * and goes back to it in the end. For one thread at a time.
 */
public final class ValueMemory {
  private static final int EXCEEDED_MEMORY = 146;

  private final QueryMemory.Holding holding;
  private long held;

  /** That of one evaluation at a time, which may keep so many bytes. */
  public ValueMemory(long most) {
    this.holding = QueryMemory.PROCESS.holding(most);
  }

  /** How much is kept now. */
  public long mark() {
    return held;
  }

  /**
   * Keeps a value.
   *
   * @throws QueryException LIMIT_EXCEEDED
   */
  public void keep(Value value) {
    keep(value.isMissing() ? 0 : value.length());
  }

  /**
   * Keeps so many bytes.
   *
   * @throws QueryException LIMIT_EXCEEDED
   */
  public void keep(long bytes) {
    held += bytes;
    if (!holding.hold(held)) {
      throw exceeded();
    }
  }

  /** Gives back what was kept since the mark. */
  public void release(long mark) {
    held = mark;
    holding.hold(mark);
  }

  /** What is told when values take more memory than they may. */
  public static QueryException exceeded() {
    return new QueryException(
        Reason.LIMIT_EXCEEDED,
        EXCEEDED_MEMORY,
        "The values that the query computes use too much memory and cannot spill to disk.");
  }
}
