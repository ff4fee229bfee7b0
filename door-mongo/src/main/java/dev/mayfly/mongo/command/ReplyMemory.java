package dev.mayfly.mongo.command;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.net.ByteBudget;

/** Reserves memory for replies, and waits if the memory for replies is used up. */
public final class ReplyMemory {
  private static final long LARGE_BYTES = 1 << 20;

  private ReplyMemory() {}

  /** Whether a document is not kept while its request waits for memory. */
  public static boolean isLarge(long bytes) {
    return bytes > LARGE_BYTES;
  }

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
   * Reserves memory for a reply that begins with a {@linkplain #isLarge large} document, or lets
   * the request be repeated if it would have to wait.
   *
   * @param bytes size of the document
   * @throws NeedsMemory if the request is to be repeated; then it must have had no effect
   */
  public static void reserveOrRepeat(Request request, long bytes) {
    ByteBudget.Claim memory = request.client().replyMemory();
    if (!memory.growReply(bytes)) {
      request.operation().mayWait();
      throw new NeedsMemory(request, bytes);
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
