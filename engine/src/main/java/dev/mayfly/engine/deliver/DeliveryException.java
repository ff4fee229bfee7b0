package dev.mayfly.engine.deliver;

/** Failure of a delivery; it is repeated later. The message is for operators. */
public final class DeliveryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final long retryAfterNanos;

  DeliveryException(String message) {
    this(message, 0);
  }

  /**
   * @param retryAfterNanos how long the target wants to be left alone; 0 if unknown
   */
  DeliveryException(String message, long retryAfterNanos) {
    super(message);
    this.retryAfterNanos = retryAfterNanos;
  }

  DeliveryException(String message, Throwable cause) {
    super(message + ": " + cause, cause);
    this.retryAfterNanos = 0;
  }

  /** How long the target wants to be left alone, in nanoseconds; 0 if unknown. */
  public long retryAfterNanos() {
    return retryAfterNanos;
  }
}
