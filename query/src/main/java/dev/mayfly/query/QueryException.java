package dev.mayfly.query;

import java.io.Serial;
import java.util.Objects;

/** A query that makes no sense, or a document that a query cannot be asked about. */
public final class QueryException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Why a query was refused. */
  public enum Reason {
    /** The stored form of a filter is none, or a part of a filter has no meaning. */
    BAD_FILTER,
    /** A regular expression that cannot be read. */
    BAD_PATTERN,
    /** A regular expression that takes too many steps on a text. */
    PATTERN_TOO_COSTLY,
    /** A setting of a collation that has no meaning. */
    BAD_COLLATION,
    /** Two paths of one order or index lead into different arrays of a document. */
    PARALLEL_ARRAYS,
    /** A number in a path is both a place in an array and a field of one of its elements. */
    AMBIGUOUS_FIELD_NAME,
    /** An operand of a computation is of a type that the computation is not defined for. */
    WRONG_TYPE,
    /** An operand of a computation is of the right type but outside of what is defined. */
    BAD_VALUE,
    /** The result of a computation does not fit the type that it should have. */
    OVERFLOW,
    /** A value cannot be turned into the type asked for. */
    CONVERSION_FAILURE,
    /** A computation would take more time or memory than it may. */
    LIMIT_EXCEEDED,
    /** An update leads through a value that has no fields. */
    PATH_NOT_VIABLE,
    /** An update would change what must stay as it is. */
    IMMUTABLE_FIELD,
    /** An update would give a field a name that it must not have. */
    BAD_NAME
  }

  private final Reason reason;
  private final int number;

  /** A failure for this reason; the text is constant, the detail says where. */
  public QueryException(Reason reason, String message, String detail) {
    super(message + ": " + detail);
    this.reason = reason;
    this.number = 0;
  }

  /**
   * A failure that languages which number their failures know by this number. A pair of braces in
   * the text is a place for the name of the operation, which only the language knows.
   */
  public QueryException(Reason reason, int number, String message) {
    super(message);
    this.reason = reason;
    this.number = number;
  }

  /** This failure with the name of the operation in the place that its text has left for it. */
  public QueryException of(String operation) {
    String text = Objects.requireNonNull(getMessage());
    int place = text.indexOf("{}");
    return place < 0
        ? this
        : new QueryException(
            reason, number, text.substring(0, place) + operation + text.substring(place + 2));
  }

  /** Which kind of failure this is. */
  public Reason reason() {
    return reason;
  }

  /** The number by which a language knows this very failure, or 0 when the reason says it all. */
  public int number() {
    return number;
  }
}
