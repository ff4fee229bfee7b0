package dev.mayfly.http;

import java.util.Optional;

/**
 * Handler in front of another one: answers some requests itself, on threads that may block, and
 * passes all others on.
 */
public abstract class FilterHandler implements Handler {
  private final Handler next;

  protected FilterHandler(Handler next) {
    this.next = next;
  }

  /** Whether this handler answers a request. Called on the event loop. */
  protected abstract boolean isMine(Request request);

  /** Answers a request of this handler, as {@link #handle} does. */
  protected abstract Reply handleMine(Request request);

  @Override
  public final Reply handle(Request request) {
    return isMine(request) ? handleMine(request) : next.handle(request);
  }

  @Override
  public final Optional<Reply> tryHandle(Request request) {
    return isMine(request) ? Optional.empty() : next.tryHandle(request);
  }

  @Override
  public final Optional<PendingReply> tryBegin(Request request) {
    return isMine(request) ? Optional.empty() : next.tryBegin(request);
  }

  @Override
  public final int maxBodyBytes(String target, int defaultBytes) {
    return next.maxBodyBytes(target, defaultBytes);
  }

  @Override
  public final Reply refuse(int status, String reason) {
    return next.refuse(status, reason);
  }
}
