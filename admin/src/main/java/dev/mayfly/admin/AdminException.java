package dev.mayfly.admin;

import dev.mayfly.value.Document;

/** A rejected request. The message is a sentence for the user. */
public final class AdminException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final transient Document details;

  public AdminException(int status, String message) {
    this(status, message, Document.EMPTY);
  }

  /** A rejected request with further fields for the reply. */
  public AdminException(int status, String message, Document details) {
    super(message);
    this.status = status;
    this.details = details;
  }

  static AdminException wrong(String message) {
    return new AdminException(400, message);
  }

  static AdminException missing(String message) {
    return new AdminException(404, message);
  }

  /** Fields of the reply beside the message. */
  public Document details() {
    return details;
  }

  /** HTTP status. */
  public int status() {
    return status;
  }
}
