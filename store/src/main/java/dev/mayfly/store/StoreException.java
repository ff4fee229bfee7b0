package dev.mayfly.store;

import org.jspecify.annotations.Nullable;

/** The one way in which a store fails. What a caller can do about it depends on the reason. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why, from a closed list. */
  public enum Reason {
    /** Somebody else owns the shard now, or it was dropped; nothing was written. */
    FENCED,
    /** Stored bytes do not match their checksum or make no sense. */
    CORRUPT,
    /** No room is left; nothing was written. Reading goes on. */
    DISK_FULL,
    /** Another process, or another store of this one, has the data open. */
    IN_USE,
    /** The data was written by a newer version and is left untouched. */
    NEWER_FORMAT,
    /** The store, snapshot or scan was closed. */
    CLOSED,
    /** Anything else that went wrong beneath. */
    IO
  }

  private final Reason reason;

  public StoreException(Reason reason, String message) {
    this(reason, message, null);
  }

  public StoreException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
