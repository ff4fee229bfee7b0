package dev.mayfly.mongo.wire;

/** Protocol violation by a peer; its connection is closed. */
public final class WireException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public WireException(String message) {
    super(message);
  }

  WireException(String message, Throwable cause) {
    super(message, cause);
  }
}
