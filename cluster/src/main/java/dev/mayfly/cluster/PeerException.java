package dev.mayfly.cluster;

import org.jspecify.annotations.Nullable;

/** Another server has not answered a request. */
public final class PeerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Reason of the failure; a closed list. */
  public enum Reason {
    /** The server could not be reached: the request has had no effect. */
    NOT_SENT,
    /** The connection was lost, or the time has run out: the request may have had its effect. */
    LOST,
    /** The caller has given the request up: it may have had its effect. */
    ABANDONED,
    /** The handler of the server has failed. */
    FAILED
  }

  private final Reason reason;

  public PeerException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
