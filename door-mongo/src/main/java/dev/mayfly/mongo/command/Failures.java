package dev.mayfly.mongo.command;

import dev.mayfly.cluster.MovedException;
import dev.mayfly.cluster.PeerException;
import dev.mayfly.engine.EngineException;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.QueryErrors;
import dev.mayfly.query.QueryException;
import dev.mayfly.store.StoreException;
import dev.mayfly.value.ValueException;
import java.util.List;

/**
 * Translates failures of engine, store, query language and value model to error codes and messages
 * of the protocol. No other code does this.
 */
public final class Failures {
  private Failures() {}

  /** The error that a client receives for a failure. */
  public static CommandException translate(RuntimeException failure) {
    return switch (failure) {
      case CommandException translated -> translated;
      case EngineException engine -> ofEngine(engine);
      case QueryException query -> QueryErrors.translate(query);
      case ValueException value -> ofValue(value);
      case StoreException store -> ofStore(store);
      case MovedException moved -> unreachable(moved);
      case PeerException lost -> unreachable(lost);
      default ->
          new CommandException(
              ErrorCode.INTERNAL_ERROR,
              failure.getClass().getSimpleName() + ": " + failure.getMessage());
    };
  }

  /** No server answers for a cell, or the outcome of a request is unknown. */
  private static CommandException unreachable(RuntimeException failure) {
    return new CommandException(ErrorCode.HOST_UNREACHABLE, String.valueOf(failure.getMessage()));
  }

  private static CommandException ofEngine(EngineException failure) {
    ErrorCode code =
        switch (failure.reason()) {
          case NO_SUCH_COLLECTION -> ErrorCode.NAMESPACE_NOT_FOUND;
          case COLLECTION_EXISTS -> ErrorCode.NAMESPACE_EXISTS;
          case BAD_SPEC, TTL_NEEDS_INDEXING -> ErrorCode.INVALID_OPTIONS;
          case BAD_TTL, NOTHING_TO_UNDO, UNREADABLE -> ErrorCode.BAD_VALUE;
          case BAD_HINT -> ErrorCode.NO_QUERY_EXECUTION_PLANS;
          case BAD_KEY -> ErrorCode.INVALID_ID_FIELD;
          case CANNOT_INDEX -> ErrorCode.CANNOT_INDEX_PARALLEL_ARRAYS;
          case AMBIGUOUS_FIELD -> ErrorCode.location(16746);
          case BAD_GEOMETRY -> ErrorCode.location(16755);
          case DUPLICATE_ID, DUPLICATE_KEY -> ErrorCode.DUPLICATE_KEY;
          case NOT_FOUND, EXPIRES_TOO_MUCH, RULES_CHANGED, REJECTED -> ErrorCode.OPERATION_FAILED;
          case VERSION_MISMATCH, WRITE_CONFLICT -> ErrorCode.WRITE_CONFLICT;
          case TRANSACTION_TOO_OLD -> ErrorCode.TRANSACTION_TOO_OLD;
          case NO_SUCH_TRANSACTION -> ErrorCode.NO_SUCH_TRANSACTION;
          case SNAPSHOT_TOO_OLD -> ErrorCode.SNAPSHOT_TOO_OLD;
          case DROPPED -> ErrorCode.QUERY_PLAN_KILLED;
          case TRANSACTION_TOO_LARGE -> new ErrorCode(257, "TransactionTooLarge");
          case NOT_SUPPORTED -> ErrorCode.COMMAND_NOT_SUPPORTED;
          case THROTTLED -> ErrorCode.location(16500);
          case TRIMMED -> ErrorCode.CHANGE_STREAM_HISTORY_LOST;
          case SORT_TOO_LARGE -> ErrorCode.EXCEEDED_MEMORY_LIMIT;
          case FAILED -> ErrorCode.INTERNAL_ERROR;
          case OUTCOME_UNKNOWN -> ErrorCode.of(64);
          case CLOSED -> ErrorCode.INTERRUPTED_AT_SHUTDOWN;
        };
    CommandException translated =
        new CommandException(code, prefix(failure.reason()) + failure.detail());
    return switch (failure.reason()) {
      case TRIMMED -> translated.labelled(List.of("NonResumableChangeStreamError"));
      // a retry executes the write at most once; drivers report a commit as of unknown result
      case OUTCOME_UNKNOWN -> translated.labelled(List.of("RetryableWriteError"));
      default -> translated;
    };
  }

  /** The beginning of MongoDB's message, where clients recognise the failure by it. */
  private static String prefix(EngineException.Reason reason) {
    return switch (reason) {
      case BAD_GEOMETRY -> "Can't extract geo keys: ";
      case AMBIGUOUS_FIELD ->
          "Ambiguous field name found in array (do not use numeric field names in embedded elements"
              + " in an array): ";
      case BAD_HINT ->
          "error processing query: planner returned error :: caused by :: $hint: refusing to build"
              + " whole-index solution: ";
      case TRIMMED ->
          "Resume of change stream was not possible, as the resume point may no longer be in the"
              + " history: ";
      default -> "";
    };
  }

  private static CommandException ofValue(ValueException failure) {
    ErrorCode code =
        switch (failure.reason()) {
          case TOO_LARGE -> ErrorCode.BSON_OBJECT_TOO_LARGE;
          case MALFORMED, TOO_DEEP -> new ErrorCode(22, "InvalidBSON");
          case WRONG_TYPE -> ErrorCode.TYPE_MISMATCH;
          case NOT_JSON -> ErrorCode.FAILED_TO_PARSE;
        };
    return new CommandException(code, String.valueOf(failure.getMessage()));
  }

  private static CommandException ofStore(StoreException failure) {
    ErrorCode code =
        switch (failure.reason()) {
          case DISK_FULL -> ErrorCode.OUT_OF_DISK_SPACE;
          case CLOSED -> ErrorCode.INTERRUPTED_AT_SHUTDOWN;
          case FENCED -> new ErrorCode(10107, "NotWritablePrimary");
          case UNAVAILABLE, UNSURE, SNAPSHOT_GONE -> new ErrorCode(6, "HostUnreachable");
          case CORRUPT, IN_USE, NEWER_FORMAT, IO -> ErrorCode.INTERNAL_ERROR;
        };
    return new CommandException(code, String.valueOf(failure.getMessage()));
  }
}
