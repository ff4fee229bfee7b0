package dev.mayfly.query;

import java.io.Serial;

/** A query that makes no sense, or a document that a query cannot be asked about. */
public final class QueryException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Why a query was refused. */
  public enum Reason {
    /** The stored form of a filter is none, or a part of a filter has no meaning. */
    BAD_FILTER,
    /** Two paths of one order or index lead into different arrays of a document. */
    PARALLEL_ARRAYS,
    /** A number in a path is both a place in an array and a field of one of its elements. */
    AMBIGUOUS_FIELD_NAME
  }

  private final Reason reason;

  /** A failure for this reason; the text is constant, the detail says where. */
  public QueryException(Reason reason, String message, String detail) {
    super(message + ": " + detail);
    this.reason = reason;
  }

  /** Which kind of failure this is. */
  public Reason reason() {
    return reason;
  }
}
