package dev.mayfly.query.geo;

import java.io.Serial;

/** A value is not a valid geometry; the message explains why. */
public final class GeometryException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Reason of the failure. */
  public enum Reason {
    /** The value does not have the form of a geometry. */
    MALFORMED,
    /** A longitude is beyond 180 degrees. */
    LONGITUDE,
    /** A latitude is beyond 90 degrees. */
    LATITUDE,
    /** A ring is open, crosses itself, or is in an invalid position. */
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

  /** Returns the explanation. */
  public String explanation() {
    return String.valueOf(getMessage());
  }
}
