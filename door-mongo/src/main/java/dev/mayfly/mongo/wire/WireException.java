package dev.mayfly.mongo.wire;

/** A peer that does not keep to the protocol; nothing more can be said on its connection. */
public final class WireException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public WireException(String what) {
    super(what);
  }

  WireException(String what, Throwable cause) {
    super(what, cause);
  }
}
