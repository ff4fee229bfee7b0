package dev.mayfly.engine.index;

import java.io.Serial;

/** An index that cannot be, or a document that cannot be in it. */
public final class IndexException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Why an index or a document was refused. */
  public enum Reason {
    /** The description of the index makes no sense. */
    BAD_SPEC,
    /** Two parts of the index lead into different arrays of the document. */
    CANNOT_INDEX_PARALLEL_ARRAYS,
    /** A number in a part is both a place in an array and a field of one of its elements. */
    AMBIGUOUS_FIELD_NAME,
    /** A part on the sphere leads to a value that tells no place. */
    BAD_GEOMETRY
  }

  private final Reason reason;

  /** A failure for this reason; the text is constant, the detail says where. */
  public IndexException(Reason reason, String message, String detail) {
    super(message + ": " + detail);
    this.reason = reason;
  }

  IndexException(Reason reason, Throwable cause) {
    super(cause.getMessage(), cause);
    this.reason = reason;
  }

  /** Which kind of failure this is. */
  public Reason reason() {
    return reason;
  }
}
