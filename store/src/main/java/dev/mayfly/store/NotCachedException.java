package dev.mayfly.store;

/**
 * Thrown by a {@linkplain Shard#nonBlockingSnapshot non-blocking snapshot} and its scans if memory
 * does not hold the answer. Repeat the read on a thread that may block.
 *
 * <p>Has no stack trace, because it is thrown often.
 */
public final class NotCachedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotCachedException() {
    super("the answer is not in memory", null, false, false);
  }
}
