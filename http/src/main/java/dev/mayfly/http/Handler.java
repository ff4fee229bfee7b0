package dev.mayfly.http;

import java.util.Optional;

/**
 * Answers requests. Called by many threads at once.
 *
 * <p>For each request the server calls, on the event loop, {@link #tryHandle} and then {@link
 * #tryBegin}; if both return empty, it calls {@link #handle} on a virtual thread, which may block.
 */
public interface Handler {
  /** Returns the reply. May block. Reports failures as replies; what it throws becomes a 500. */
  Reply handle(Request request);

  /**
   * Returns the reply to input that never reaches {@link #handle}: malformed, too large, too slow,
   * or failed with an exception.
   *
   * @param status of HTTP, such as 400 or 413
   */
  Reply refuse(int status, String reason);

  /**
   * Returns how many bytes the body of a request may have. Called on the event loop, before the
   * body is read.
   *
   * @param target path of the request, with the query string if there is one
   * @param defaultBytes limit of the server
   */
  default int maxBodyBytes(String target, int defaultBytes) {
    return defaultBytes;
  }

  /**
   * Returns the reply to a request that takes microseconds and does not block; empty for any other
   * request. Called on the event loop, so all its connections wait meanwhile.
   */
  default Optional<Reply> tryHandle(Request request) {
    return Optional.empty();
  }

  /**
   * As {@link #tryHandle}, for writes: begins a write and returns a reply that is pending until the
   * commit. Writes that arrive in the same round of the event loop share a commit.
   */
  default Optional<PendingReply> tryBegin(Request request) {
    return Optional.empty();
  }
}
