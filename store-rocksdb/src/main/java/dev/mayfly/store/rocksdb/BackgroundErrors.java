package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.Status;

/**
 * Listener that logs and remembers failed flushes and compactions. No data is lost by these: it is
 * in the write-ahead log. RocksDB tries to recover by itself, and accepts writes only as long as
 * its memtables have room.
 */
final class BackgroundErrors extends AbstractEventListener {
  private static final System.Logger LOG = System.getLogger(BackgroundErrors.class.getName());

  private volatile @Nullable Status current;

  BackgroundErrors() {
    super(
        EnabledEventCallback.ON_BACKGROUND_ERROR, EnabledEventCallback.ON_ERROR_RECOVERY_COMPLETED);
  }

  /**
   * Fails if there is an error that RocksDB has not recovered from. The Java binding does not
   * report all kinds of errors, so the absence of one proves nothing.
   */
  void check() {
    Status status = current;
    if (status != null) {
      throw new StoreException(
          Failures.reason(status, status.getState()),
          "writes fail after a background error: " + status.getState());
    }
  }

  /** Returns whether RocksDB has reported a full disk and not recovered from it. */
  boolean full() {
    Status status = current;
    return status != null && Failures.reason(status, status.getState()) == Reason.DISK_FULL;
  }

  @Override
  public void onBackgroundError(BackgroundErrorReason reason, Status status) {
    if (current == null) {
      // Later errors are mostly consequences of the first and less informative.
      current = status;
    }
    LOG.log(
        System.Logger.Level.ERROR,
        "background {0} failed; writes may fail until the error is resolved: {1}: {2}",
        reason,
        status.getCodeString(),
        status.getState());
  }

  @Override
  public void onErrorRecoveryCompleted(Status status) {
    current = null;
    LOG.log(System.Logger.Level.INFO, "recovered from a background error");
  }
}
