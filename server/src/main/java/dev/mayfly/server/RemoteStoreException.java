package dev.mayfly.server;

/** A remote store cannot be opened; the message is a sentence for users. */
public final class RemoteStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RemoteStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
