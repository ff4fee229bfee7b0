package dev.mayfly.admin.console;

import dev.mayfly.admin.AdminException;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;

/** A refused request of the console. The message is a sentence for the user. */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1;

  static final int WRONG = 400;
  static final int NOT_LOGGED_IN = 401;
  static final int FORBIDDEN = 403;
  static final int MISSING = 404;
  static final int CONFLICT = 409;
  static final int TOO_MANY = 429;

  /** Not of the standard, but widely used: the client has stopped the request. */
  static final int CANCELLED = 499;

  private final int status;
  private final transient Document details;

  private Refusal(int status, String message, Document details) {
    super(message);
    this.status = status;
    this.details = details;
  }

  /**
   * Creates a refusal.
   *
   * @param status HTTP status
   */
  static Refusal of(int status, String message) {
    return new Refusal(status, message, Document.EMPTY);
  }

  /**
   * Creates a refusal that pages can distinguish from others.
   *
   * @param code a word
   */
  static Refusal of(int status, String code, String message) {
    return new Refusal(status, message, Document.writer().put("code", code).build());
  }

  /** Returns the refusal for a failure of the admin API. */
  static Refusal of(AdminException failure) {
    return new Refusal(failure.status(), String.valueOf(failure.getMessage()), failure.details());
  }

  AdminException toAdminException() {
    return new AdminException(status, String.valueOf(getMessage()), details);
  }

  static Refusal wrong(String message) {
    return of(WRONG, message);
  }

  static Refusal forbidden(String message) {
    return of(FORBIDDEN, "FORBIDDEN", message);
  }

  static Refusal readOnly() {
    return of(
        FORBIDDEN,
        "READ_ONLY",
        "The console of this server may only read: it was started with --console-access read.");
  }

  /** Returns this with one more member in the reply. */
  Refusal with(String name, String value) {
    return with(Document.writer().put(name, value).build());
  }

  Refusal with(Document members) {
    DocumentWriter all = Document.writer();
    all.putAll(details).putAll(members);
    return new Refusal(status, String.valueOf(getMessage()), all.build());
  }

  int status() {
    return status;
  }

  /** The body of the reply. */
  Document body() {
    DocumentWriter body = Document.writer().put("error", String.valueOf(getMessage()));
    return body.putAll(details).build();
  }
}
