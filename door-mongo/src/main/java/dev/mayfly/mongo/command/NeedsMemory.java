package dev.mayfly.mongo.command;

/**
 * Thrown by a request that has read a large document and has no memory for its reply. The request
 * is to be repeated when there is memory: many requests that wait must not hold a document each.
 *
 * <p>An {@link Error}, so that code that handles failed commands does not catch it.
 */
public final class NeedsMemory extends Error {
  private static final long serialVersionUID = 1L;

  private final transient Request request;
  private final long bytes;

  NeedsMemory(Request request, long bytes) {
    super("the reply needs memory", null, false, false);
    this.request = request;
    this.bytes = bytes;
  }

  /**
   * Waits for the memory. The connection holds it when the request is repeated.
   *
   * @throws dev.mayfly.mql.CommandException if the request is stopped or its connection was closed
   *     while it waited
   */
  public void await() {
    ReplyMemory.await(request, bytes);
  }
}
