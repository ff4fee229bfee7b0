package dev.mayfly.engine;

/**
 * Thrown by non-blocking calls that would have to wait for a disk, a lock or long work. Nothing was
 * done: repeat the call in a thread that may block.
 *
 * <p>An error, so that handlers of exceptions do not treat it as a failure.
 */
public final class WouldBlock extends Error {
  private static final long serialVersionUID = 1L;

  /** Has no stack trace, because it is thrown often. */
  public WouldBlock() {
    super("the call would block", null, false, false);
  }
}
