package dev.mayfly.store.rocksdb;

import dev.mayfly.store.NotCachedException;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Translates failures of RocksDB to failures of a store. */
final class Failures {
  private Failures() {}

  /**
   * @param doing the attempted action, as in "commit to shard 3"
   */
  static StoreException translate(String doing, RocksDBException e) {
    String text = "cannot " + doing + ": " + e.getMessage();
    return new StoreException(reason(e.getStatus(), e.getMessage()), text, e);
  }

  /** As {@link #translate}, for a read that may have had to wait and must not. */
  static RuntimeException ofRead(String doing, RocksDBException e) {
    return isStall(e) ? new NotCachedException() : translate(doing, e);
  }

  static Reason reason(@Nullable Status status, @Nullable String message) {
    if (status == null) {
      return Reason.IO;
    }
    return switch (status.getCode()) {
      case Corruption -> Reason.CORRUPT;
      case ShutdownInProgress -> Reason.CLOSED;
      default -> full(status, message) ? Reason.DISK_FULL : Reason.IO;
    };
  }

  /** The status code of the Java binding does not identify all cases. */
  private static boolean full(Status status, @Nullable String message) {
    return status.getSubCode() == Status.SubCode.NoSpace
        || (message != null && message.contains("No space left on device"));
  }

  /** Returns whether RocksDB rejected the call to avoid waiting. */
  static boolean isStall(RocksDBException e) {
    Status status = e.getStatus();
    return status != null && status.getCode() == Status.Code.Incomplete;
  }

  /** Returns the failure to open a directory. */
  static StoreException opening(String directory, RocksDBException e) {
    String message = e.getMessage();
    if (message != null && message.contains("/LOCK: ")) {
      return new StoreException(
          Reason.IN_USE, "another store has the directory open: " + directory, e);
    }
    return translate("open the directory " + directory, e);
  }
}
