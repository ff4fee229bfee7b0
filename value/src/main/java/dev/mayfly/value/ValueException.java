package dev.mayfly.value;

import java.io.Serial;

/**
 * Failure: a value, document or text is invalid.
 *
 * <p>The message is constant per cause; {@link #position()} is the place.
 */
public final class ValueException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Reason of a failure. */
  public enum Reason {
    /** The bytes or the text of a value break its format. */
    MALFORMED,
    /** More bytes than the limits allow. */
    TOO_LARGE,
    /** More levels of nesting than the limits allow. */
    TOO_DEEP,
    /** The value is of another type than requested. */
    WRONG_TYPE,
    /** The text is not JSON, or not the JSON of a document. */
    NOT_JSON
  }

  private final Reason reason;
  private final long position;

  /** A failure that has no place in an input. */
  public ValueException(Reason reason, String message) {
    super(message);
    this.reason = reason;
    this.position = -1;
  }

  /** A failure at a place of the input: a byte offset in BSON, a character or byte in JSON. */
  public ValueException(Reason reason, String message, long position) {
    super(message + " (at " + position + ")");
    this.reason = reason;
    this.position = position;
  }

  /** Returns the reason. */
  public Reason reason() {
    return reason;
  }

  /** Returns the position in the input, or -1 if there is none. */
  public long position() {
    return position;
  }
}
