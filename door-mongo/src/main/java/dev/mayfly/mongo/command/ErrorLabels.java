package dev.mayfly.mongo.command;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;

/**
 * Error labels of failures, by which drivers decide whether to retry or resume. No other code
 * assigns labels, except to failures that carry their own.
 */
public final class ErrorLabels {
  private static final String RETRYABLE = "RetryableWriteError";
  private static final String TRANSIENT = "TransientTransactionError";
  private static final String RESUMABLE = "ResumableChangeStreamError";

  /** Codes after which the same request may succeed. */
  private static final Set<Integer> RETRYABLE_CODES =
      Set.of(6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436);

  /** Codes after which the whole transaction may be retried: it has no effects. */
  private static final Set<Integer> TRANSIENT_CODES = Set.of(24, 112, 239, 246, 267);

  /** Further codes after which a driver may resume a change stream. */
  private static final Set<Integer> RESUMABLE_CODES = Set.of(63, 133, 150, 234, 13388);

  private static final Set<String> END_COMMANDS = Set.of("commitTransaction", "abortTransaction");

  private ErrorLabels() {}

  /** The labels of a failure: its own if it has some, otherwise those of its code. */
  public static List<String> of(Document command, CommandException failure) {
    return failure.labels().orElseGet(() -> of(command, failure.code().number()));
  }

  private static List<String> of(Document command, int code) {
    boolean ends = endsTransaction(command);
    if (inTransaction(command) && isTransient(code, ends)) {
      return List.of(TRANSIENT);
    }
    if (isRetryable(command) && RETRYABLE_CODES.contains(code)) {
      return List.of(RETRYABLE);
    }
    return opensChangeStream(command) ? ofChangeStream(code) : List.of();
  }

  /** The labels of a reply with a write concern error. */
  public static List<String> ofWriteConcern(Document command, int code) {
    return isRetryable(command) && RETRYABLE_CODES.contains(code) ? List.of(RETRYABLE) : List.of();
  }

  /** The labels of a failure of a change stream. */
  public static List<String> ofChangeStream(int code) {
    return RETRYABLE_CODES.contains(code) || RESUMABLE_CODES.contains(code)
        ? List.of(RESUMABLE)
        : List.of();
  }

  /** Writes the labels, if there are any. */
  public static void write(List<String> labels, DocumentWriter reply) {
    if (!labels.isEmpty()) {
      reply.put("errorLabels", Value.array(labels.stream().map(Value::of).toList()));
    }
  }

  private static boolean isTransient(int code, boolean ends) {
    return TRANSIENT_CODES.contains(code)
        || code == ErrorCode.NO_SUCH_TRANSACTION.number()
        || (!ends && RETRYABLE_CODES.contains(code));
  }

  /** Whether a command is a retryable write outside a transaction. */
  public static boolean isRetryableWrite(Document command) {
    return hasTxnNumber(command) && command.field("autocommit").isMissing();
  }

  private static boolean inTransaction(Document command) {
    return hasTxnNumber(command) && !command.field("autocommit").isMissing();
  }

  private static boolean isRetryable(Document command) {
    return isRetryableWrite(command) || (inTransaction(command) && endsTransaction(command));
  }

  private static boolean hasTxnNumber(Document command) {
    return command.field("txnNumber").type() == Type.INT64;
  }

  private static boolean endsTransaction(Document command) {
    return END_COMMANDS.contains(nameOf(command));
  }

  private static String nameOf(Document command) {
    Fields fields = command.fields();
    return fields.next() ? fields.name() : "";
  }

  /** Whether a command opens a change stream. */
  private static boolean opensChangeStream(Document command) {
    Value pipeline = command.field("pipeline");
    if (!nameOf(command).equals("aggregate") || !pipeline.isArray()) {
      return false;
    }
    Fields stages = pipeline.asDocument().fields();
    return stages.next()
        && stages.type() == Type.OBJECT
        && !stages.value().asDocument().field("$changeStream").isMissing();
  }
}
