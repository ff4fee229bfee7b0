package dev.mayfly.mongo.command;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.net.ByteBudget;

/** Reserves memory for replies, and waits if the memory for replies is used up. */
public final class ReplyMemory {
  private ReplyMemory() {}

  /**
   * Reserves memory for a reply of known size, before any of it is built.
   *
   * @throws CommandException if the request is stopped or its connection was closed while it waited
   */
  public static void await(Request request, long bytes) {
    ByteBudget.Claim memory = request.client().replyMemory();
    if (memory.growReply(bytes)) {
      return;
    }
    request.operation().mayWait();
    // waiting with memory reserved could deadlock
    memory.release();
    if (!memory.awaitReply(bytes, request::check)) {
      throw closed();
    }
  }

  /**
   * Reserves memory for a reply that is being built.
   *
   * @param bytes its size so far
   * @throws CommandException if the request is stopped or its connection was closed while it waited
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
