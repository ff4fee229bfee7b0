package dev.mayfly.sql;

import java.io.Serial;

/** A query that cannot be answered, for a reason that lies in the documents it met. */
public final class EvaluationException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    /** A subquery that stands for one value has more rows than one. */
    SEVERAL_ROWS,
    /** Groups, or rows that must be told apart, take more memory than a query may use. */
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
