package dev.mayfly.mongo.command;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.net.ByteBudget;

/** Waits for memory for the reply of a request, where the memory for replies is used up. */
public final class ReplyMemory {
  private ReplyMemory() {}

  /**
   * Waits for the memory of a reply whose size is known and of which nothing has been built yet.
   *
   * @throws CommandException when the request is to stop, or its connection was closed
   */
  public static void await(Request request, long bytes) {
    ByteBudget.Claim memory = request.client().replyMemory();
    if (memory.growReply(bytes)) {
      return;
    }
    request.operation().mayWait();
    // to wait while holding some could take forever
    memory.release();
    if (!memory.awaitReply(bytes, request::check)) {
      throw closed();
    }
  }

  /**
   * Waits for the memory of a reply that has so many bytes by now, and may grow.
   *
   * @throws CommandException when the request is to stop, or its connection was closed
   */
  public static void awaitGrowing(Request request, long bytes) {
    ByteBudget.Claim memory = request.client().replyMemory();
    if (memory.extendReply(bytes)) {
      return;
    }
    request.operation().mayWait();
    if (!memory.awaitExtended(bytes, request::check)) {
      throw closed();
    }
  }

  private static CommandException closed() {
    return new CommandException(ErrorCode.INTERRUPTED, "the connection was closed");
  }
}
