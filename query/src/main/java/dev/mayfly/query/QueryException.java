package dev.mayfly.query;

import java.io.Serial;
import java.util.Objects;

/** A query is invalid, or cannot be evaluated on a document. */
public final class QueryException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Reason of a failure. */
  public enum Reason {
    /** The stored form of a filter is invalid, or a part of a filter has no meaning. */
    BAD_FILTER,
    /** A regular expression is invalid. */
    BAD_PATTERN,
    /** A regular expression takes too many steps on a string. */
    PATTERN_TOO_COSTLY,
    /** A setting of a collation is invalid. */
    BAD_COLLATION,
    /** Two paths of one sort order or index lead into different arrays of a document. */
    PARALLEL_ARRAYS,
    /** A number in a path is both an array index and a field of an element. */
    AMBIGUOUS_FIELD_NAME,
    /** An operand has a type for which the operation is not defined. */
    WRONG_TYPE,
    /** An operand has the right type but is out of range. */
    BAD_VALUE,
    /** The result of an operation does not fit its type. */
    OVERFLOW,
    /** A value cannot be converted to the requested type. */
    CONVERSION_FAILURE,
    /** A computation would exceed its limit of time or memory. */
    LIMIT_EXCEEDED,
    /** An update path leads through a value that has no fields. */
    PATH_NOT_VIABLE,
    /** An update would change an immutable field. */
    IMMUTABLE_FIELD,
    /** An update would create a field with an invalid name. */
    BAD_NAME
  }

  private final Reason reason;
  private final int number;

  /**
   * @param message constant text
   * @param detail the place of the failure
   */
  public QueryException(Reason reason, String message, String detail) {
    super(message + ": " + detail);
    this.reason = reason;
    this.number = 0;
  }

  /**
   * Creates a failure with the error number of a query language.
   *
   * @param message may contain a pair of braces as a placeholder for the name of the operation,
   *     which only the language knows
   */
  public QueryException(Reason reason, int number, String message) {
    super(message);
    this.reason = reason;
    this.number = number;
  }

  /** Returns this failure with the name of the operation in the placeholder of its message. */
  public QueryException of(String operation) {
    String text = Objects.requireNonNull(getMessage());
    int place = text.indexOf("{}");
    return place < 0
        ? this
        : new QueryException(
            reason, number, text.substring(0, place) + operation + text.substring(place + 2));
  }

  /** Returns the reason. */
  public Reason reason() {
    return reason;
  }

  /** Returns the error number of a query language, or 0 if the reason is sufficient. */
  public int number() {
    return number;
  }
}
