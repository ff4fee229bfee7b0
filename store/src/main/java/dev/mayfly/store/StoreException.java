package dev.mayfly.store;

import org.jspecify.annotations.Nullable;

/** Failure of a store. The reason decides what a caller can do about it. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Reason of a failure; a closed list. */
  public enum Reason {
    /** Another owner has the shard, or it was dropped; nothing was written. */
    FENCED,
    /** Stored bytes do not match their checksum or are invalid. */
    CORRUPT,
    /** The disk is full; nothing was written. Reads continue to work. */
    DISK_FULL,
    /** Another process, or another store of this one, has the data open. */
    IN_USE,
    /** The data was written by a newer version and is left untouched. */
    NEWER_FORMAT,
    /** The store, snapshot or scan was closed. */
    CLOSED,
    /** A networked store does not answer; reads can be repeated. */
    UNAVAILABLE,
    /** A networked store did not answer a commit: it may have been written or not. */
    UNSURE,
    /** A snapshot was open for too long, and the store could no longer keep it. */
    SNAPSHOT_GONE,
    /** Any other failure of the underlying system. */
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
