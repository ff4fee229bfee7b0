package dev.mayfly.cosmos.http;

/** Answers requests. Called by many threads at once. */
public interface Handler {
  /** The answer; never fails: what goes wrong is answered too. */
  Reply handle(Request request);

  /**
   * Whether a request is answered at once, without waiting for anything and in microseconds: it may
   * then be handled by the thread that serves all connections.
   */
  default boolean quick(Request request) {
    return false;
  }
}
