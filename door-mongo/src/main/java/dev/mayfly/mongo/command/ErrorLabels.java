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

/** By which drivers know what they may do about a failure: the one place where that is decided. */
public final class ErrorLabels {
  private static final String RETRYABLE = "RetryableWriteError";
  private static final String TRANSIENT = "TransientTransactionError";
  private static final String RESUMABLE = "ResumableChangeStreamError";

  /** Failures that may be gone when the same is tried again. */
  private static final Set<Integer> PASSING =
      Set.of(6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436);

  /** Failures of a transaction that leave nothing behind: it may be tried again as a whole. */
  private static final Set<Integer> WITHOUT_TRACE = Set.of(24, 112, 239, 246, 267);

  /** Failures after which a change stream can go on elsewhere, or later. */
  private static final Set<Integer> ELSEWHERE = Set.of(63, 133, 150, 234, 13388);

  private static final Set<String> ENDS = Set.of("commitTransaction", "abortTransaction");

  private ErrorLabels() {}

  /** The labels of a failure, unless it says which it has. */
  public static List<String> of(Document command, CommandException failure) {
    return failure.labels().orElseGet(() -> of(command, failure.code().number()));
  }

  private static List<String> of(Document command, int code) {
    boolean ends = ends(command);
    if (inTransaction(command) && isTransient(code, ends)) {
      return List.of(TRANSIENT);
    }
    if (mayBeSentAgain(command) && PASSING.contains(code)) {
      return List.of(RETRYABLE);
    }
    return watches(command) ? ofChangeStream(code) : List.of();
  }

  /** The labels of a reply that says so of its write concern. */
  public static List<String> ofWriteConcern(Document command, int code) {
    return mayBeSentAgain(command) && PASSING.contains(code) ? List.of(RETRYABLE) : List.of();
  }

  /** The labels of a failure of a change stream. */
  public static List<String> ofChangeStream(int code) {
    return PASSING.contains(code) || ELSEWHERE.contains(code) ? List.of(RESUMABLE) : List.of();
  }

  /** Writes the labels, if there are any. */
  public static void write(List<String> labels, DocumentWriter reply) {
    if (!labels.isEmpty()) {
      reply.put("errorLabels", Value.array(labels.stream().map(Value::of).toList()));
    }
  }

  private static boolean isTransient(int code, boolean ends) {
    return WITHOUT_TRACE.contains(code)
        || code == ErrorCode.NO_SUCH_TRANSACTION.number()
        || (!ends && PASSING.contains(code));
  }

  /** Whether a command is a write by itself that is known when it comes again. */
  public static boolean isRetryableWrite(Document command) {
    return numbered(command) && command.field("autocommit").isMissing();
  }

  private static boolean inTransaction(Document command) {
    return numbered(command) && !command.field("autocommit").isMissing();
  }

  private static boolean mayBeSentAgain(Document command) {
    return isRetryableWrite(command) || (inTransaction(command) && ends(command));
  }

  private static boolean numbered(Document command) {
    return command.field("txnNumber").type() == Type.INT64;
  }

  private static boolean ends(Document command) {
    return ENDS.contains(nameOf(command));
  }

  private static String nameOf(Document command) {
    Fields fields = command.fields();
    return fields.next() ? fields.name() : "";
  }

  /** Whether a command begins a change stream. */
  private static boolean watches(Document command) {
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
