package dev.mayfly.http;

import java.util.Optional;

/** Answers requests. Called by many threads at once. */
public interface Handler {
  /** The answer; never fails: what goes wrong is answered too. */
  Reply handle(Request request);

  /** The answer to what is no request at all, too large or too slow. */
  Reply refuse(int status, String reason);

  /**
   * How many bytes the body of a request may have.
   *
   * @param path of the request, perhaps with what follows a question mark
   * @param usual what the server takes
   */
  default int mostBody(String path, int usual) {
    return usual;
  }

  /**
   * The answer to a request that takes microseconds and need not wait for anything: this is called
   * by the thread that serves all connections. Empty for any other; it is then handled elsewhere.
   */
  default Optional<Reply> atOnce(Request request) {
    return Optional.empty();
  }

  /**
   * As {@link #atOnce}, for what is to be written: several that come in the same round of that
   * thread are made so together, when all of them are there.
   */
  default Optional<PendingReplies> promise(Request request) {
    return Optional.empty();
  }
}
