package dev.mayfly.cosmos.http;

/** Answers requests. Called by many threads at once. */
public interface Handler {
  /** The answer; never fails: what goes wrong is answered too. */
  Reply handle(Request request);

  /** The answer to what is no request at all, too large or too slow. */
  Reply refuse(int status, String reason);

  /**
   * Whether a request is answered at once, without waiting for anything and in microseconds: it may
   * then be handled by the thread that serves all connections.
   */
  default boolean quick(Request request) {
    return false;
  }
}
