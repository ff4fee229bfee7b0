package dev.mayfly.mql;

import dev.mayfly.query.QueryException;

/** Translates failures of queries to MongoDB's error codes. */
public final class QueryErrors {
  private QueryErrors() {}

  /** Returns the error that clients receive for a failure. */
  public static CommandException translate(QueryException failure) {
    ErrorCode code =
        switch (failure.reason()) {
          case BAD_FILTER -> ErrorCode.BAD_VALUE;
          case AMBIGUOUS_FIELD_NAME -> ErrorCode.location(16746);
          case PARALLEL_ARRAYS -> ErrorCode.BAD_VALUE;
          case BAD_COLLATION -> ErrorCode.BAD_VALUE;
          case BAD_PATTERN -> ErrorCode.location(51091);
          case PATTERN_TOO_COSTLY -> ErrorCode.location(51156);
          case PATH_NOT_VIABLE -> numbered(failure, ErrorCode.PATH_NOT_VIABLE);
          case IMMUTABLE_FIELD -> numbered(failure, ErrorCode.IMMUTABLE_FIELD);
          case BAD_NAME -> numbered(failure, ErrorCode.DOLLAR_PREFIXED_FIELD_NAME);
          case WRONG_TYPE -> numbered(failure, ErrorCode.TYPE_MISMATCH);
          case BAD_VALUE -> numbered(failure, ErrorCode.BAD_VALUE);
          case OVERFLOW -> numbered(failure, ErrorCode.OVERFLOW);
          case CONVERSION_FAILURE -> numbered(failure, ErrorCode.CONVERSION_FAILURE);
          case LIMIT_EXCEEDED -> numbered(failure, ErrorCode.EXCEEDED_MEMORY_LIMIT_TOTAL);
        };
    String message =
        failure.reason() == QueryException.Reason.PARALLEL_ARRAYS
            ? "cannot sort with keys that are parallel arrays"
            : String.valueOf(failure.getMessage());
    return new CommandException(code, message);
  }

  /** Returns the failure's own number, or else the usual code of its reason. */
  private static ErrorCode numbered(QueryException failure, ErrorCode usual) {
    boolean own = failure.number() != 0 && failure.number() != usual.number();
    return own ? ErrorCode.of(failure.number()) : usual;
  }
}
