package dev.mayfly.mongo.write;

import dev.mayfly.cluster.CellLoss;
import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.command.Failures;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The {@code writeErrors} of a command: failed statements and their indexes. For one thread. */
final class WriteErrors {
  /** Codes that fail the whole command, not one statement; 40324 is an unknown pipeline stage. */
  private static final Set<ErrorCode> ENDS_COMMAND =
      Set.of(
          ErrorCode.INTERRUPTED,
          ErrorCode.INTERRUPTED_AT_SHUTDOWN,
          ErrorCode.CLIENT_DISCONNECT,
          ErrorCode.MAX_TIME_MS_EXPIRED,
          ErrorCode.location(40324),
          ErrorCode.WRITE_CONFLICT);

  private final List<WriteError> errors = new ArrayList<>();

  private record WriteError(int index, CommandException failure) {}

  void add(int index, CommandException failure) {
    errors.add(new WriteError(index, failure));
  }

  boolean isEmpty() {
    return errors.isEmpty();
  }

  /** If a statement failed, aborts the transaction of the command, if any. */
  void abort(Request request, CollectionAccess access) {
    if (!errors.isEmpty()) {
      access.abortTransaction(request);
    }
  }

  /** Throws the first failure, if there is one. */
  void rethrow() {
    if (!errors.isEmpty()) {
      throw errors.getFirst().failure();
    }
  }

  /** Writes {@code writeErrors} in the order of the statements. */
  void report(DocumentWriter reply) {
    if (errors.isEmpty()) {
      return;
    }
    errors.sort(Comparator.comparingInt(WriteError::index));
    reply.startArray("writeErrors");
    for (WriteError one : errors) {
      reply.startDocument().put("index", one.index());
      describe(one.failure(), reply);
      reply.end();
    }
    reply.end();
  }

  /**
   * Translates the failure of a statement.
   *
   * @throws RuntimeException the failure itself if the server has lost the cell: the others of the
   *     command fail as well, and it may be repeated elsewhere
   * @throws CommandException if the failure ends the whole command
   */
  static CommandException of(RuntimeException failure) {
    if (CellLoss.of(failure) != CellLoss.NONE) {
      throw failure;
    }
    CommandException translated = Failures.translate(failure);
    if (ENDS_COMMAND.contains(translated.code())) {
      throw translated;
    }
    return translated;
  }

  /** Writes the fields of one failure. */
  static void describe(CommandException failure, DocumentWriter to) {
    to.put("code", failure.code().number()).put("errmsg", failure.message());
    to.putAll(failure.details());
  }
}
