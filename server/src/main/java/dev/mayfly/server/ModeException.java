package dev.mayfly.server;

/** The data directory belongs to a server in another mode. */
public final class ModeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ModeException(String message) {
    super(message);
  }
}
