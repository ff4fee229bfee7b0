package dev.mayfly.admin;

/** A rejected request. The message is a sentence for the user. */
public final class AdminException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;

  public AdminException(int status, String message) {
    super(message);
    this.status = status;
  }

  static AdminException wrong(String message) {
    return new AdminException(400, message);
  }

  static AdminException missing(String message) {
    return new AdminException(404, message);
  }

  /** HTTP status. */
  public int status() {
    return status;
  }
}
