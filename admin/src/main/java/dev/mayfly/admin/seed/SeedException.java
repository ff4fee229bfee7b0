package dev.mayfly.admin.seed;

/** A seed that cannot be applied; the message names the file and the reason. */
public final class SeedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  SeedException(String message) {
    super(message);
  }

  SeedException(String message, Throwable cause) {
    super(message, cause);
  }
}
