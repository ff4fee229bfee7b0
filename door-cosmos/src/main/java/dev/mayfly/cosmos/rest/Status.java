package dev.mayfly.cosmos.rest;

/** Errors of the protocol: the HTTP status and the code in the body. */
public enum Status {
  BAD_REQUEST(400, "BadRequest"),
  UNAUTHORIZED(401, "Unauthorized"),
  FORBIDDEN(403, "Forbidden"),
  NOT_FOUND(404, "NotFound"),
  METHOD_NOT_ALLOWED(405, "MethodNotAllowed"),
  REQUEST_TIMEOUT(408, "RequestTimeout"),
  CONFLICT(409, "Conflict"),
  GONE(410, "Gone"),
  PRECONDITION_FAILED(412, "PreconditionFailed"),
  TOO_LARGE(413, "RequestEntityTooLarge"),
  URI_TOO_LONG(414, "RequestUriTooLong"),
  LOCKED(423, "Locked"),
  FAILED_DEPENDENCY(424, "FailedDependency"),
  TOO_MANY_REQUESTS(429, "TooManyRequests"),
  HEADERS_TOO_LARGE(431, "RequestHeaderFieldsTooLarge"),
  RETRY_WITH(449, "RetryWith"),
  INTERNAL(500, "InternalServerError"),
  NOT_IMPLEMENTED(501, "NotImplemented"),
  UNAVAILABLE(503, "ServiceUnavailable");

  private final int number;
  private final String code;

  Status(int number, String code) {
    this.number = number;
    this.code = code;
  }

  public int number() {
    return number;
  }

  /** Returns the code in the body. */
  public String code() {
    return code;
  }
}
