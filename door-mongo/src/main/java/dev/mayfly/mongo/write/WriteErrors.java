package dev.mayfly.mongo.write;

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

/** The statements of a command that were refused, by their place in it. */
final class WriteErrors {
  /** Failures that are not those of one statement; a stage that nobody knows is among them. */
  private static final Set<ErrorCode> ENDS =
      Set.of(
          ErrorCode.INTERRUPTED,
          ErrorCode.INTERRUPTED_AT_SHUTDOWN,
          ErrorCode.CLIENT_DISCONNECT,
          ErrorCode.MAX_TIME_MS_EXPIRED,
          ErrorCode.location(40324),
          ErrorCode.WRITE_CONFLICT);

  private final List<Refused> refused = new ArrayList<>();

  private record Refused(int index, CommandException failure) {}

  void add(int index, CommandException failure) {
    refused.add(new Refused(index, failure));
  }

  boolean isEmpty() {
    return refused.isEmpty();
  }

  /** Aborts the transaction of a command, if it has one, when a statement failed. */
  void abort(Request request, CollectionAccess access) {
    if (!refused.isEmpty()) {
      access.statementFailed(request);
    }
  }

  /** Throws the first failure, if there is one. */
  void rethrow() {
    if (!refused.isEmpty()) {
      throw refused.getFirst().failure();
    }
  }

  /** Writes them in the order of their places. */
  void report(DocumentWriter reply) {
    if (refused.isEmpty()) {
      return;
    }
    refused.sort(Comparator.comparingInt(Refused::index));
    reply.startArray("writeErrors");
    for (Refused one : refused) {
      reply.startDocument().put("index", one.index());
      describe(one.failure(), reply);
      reply.end();
    }
    reply.end();
  }

  /**
   * What is told of a statement that failed.
   *
   * @throws CommandException when the failure ends the whole command
   */
  static CommandException of(RuntimeException failure) {
    CommandException told = Failures.translate(failure);
    if (ENDS.contains(told.code())) {
      throw told;
    }
    return told;
  }

  /** Writes the fields of one failure. */
  static void describe(CommandException failure, DocumentWriter to) {
    to.put("code", failure.code().number()).put("errmsg", failure.message());
    to.putAll(failure.details());
  }
}
