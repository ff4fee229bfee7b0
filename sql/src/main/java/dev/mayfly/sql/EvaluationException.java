package dev.mayfly.sql;

import java.io.Serial;

/** Failure of a query that depends on the documents it reads. */
public final class EvaluationException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Reasons. */
  public enum Reason {
    /** A scalar subquery has more than one row. */
    SEVERAL_ROWS,
    /** Groups or distinct rows exceed the memory of a query. */
    TOO_LARGE,
    /** Joins within one document have too many combinations. */
    TOO_LONG
  }

  private final Reason reason;

  public EvaluationException(Reason reason) {
    super(reason.toString());
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
