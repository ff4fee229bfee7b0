package dev.mayfly.query.geo;

import java.io.Serial;

/** A value that is not the geometry it should be; the message says what is wrong with it. */
public final class GeometryException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** What is wrong. */
  public enum Reason {
    /** It is not written as a geometry is. */
    MALFORMED,
    /** A longitude is beyond 180 degrees. */
    LONGITUDE,
    /** A latitude is beyond 90 degrees. */
    LATITUDE,
    /** A ring is open, crosses itself, or does not lie where it should. */
    RING
  }

  private final Reason reason;

  GeometryException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }

  /** What is wrong, in words. */
  public String explanation() {
    return String.valueOf(getMessage());
  }
}
