package dev.mayfly.engine.index;

import java.io.Serial;

/** Rejection of an index definition, or of a document by an index. */
public final class IndexException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Reason of a rejection. */
  public enum Reason {
    /** The index definition is invalid. */
    BAD_SPEC,
    /** Two parts of the index lead into different arrays of the document. */
    CANNOT_INDEX_PARALLEL_ARRAYS,
    /** A number in a path is both an array index and a field name of an element. */
    AMBIGUOUS_FIELD_NAME,
    /** The value at a {@code 2dsphere} part is not a valid geometry. */
    BAD_GEOMETRY
  }

  private final Reason reason;

  /** Creates a failure with a constant text and a detail, such as the name of the index. */
  public IndexException(Reason reason, String message, String detail) {
    super(message + ": " + detail);
    this.reason = reason;
  }

  IndexException(Reason reason, Throwable cause) {
    super(cause.getMessage(), cause);
    this.reason = reason;
  }

  /** The reason. */
  public Reason reason() {
    return reason;
  }
}
