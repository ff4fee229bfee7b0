package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.Status;

/**
 * Remembers, and says in the log, that flushing or compacting has failed. Nothing is lost by that:
 * what could not be flushed is in the log of commits. RocksDB tries to recover by itself, and takes
 * writes only as long as it has room for them in memory.
 */
final class BackgroundErrors extends AbstractEventListener {
  private static final System.Logger LOG = System.getLogger(BackgroundErrors.class.getName());

  private volatile @Nullable Status current;

  BackgroundErrors() {
    super(
        EnabledEventCallback.ON_BACKGROUND_ERROR, EnabledEventCallback.ON_ERROR_RECOVERY_COMPLETED);
  }

  /**
   * Fails when there is an error that RocksDB has not recovered from. The binding does not report
   * all kinds of errors, so the absence of one is no proof.
   */
  void check() {
    Status status = current;
    if (status != null) {
      throw new StoreException(
          Failures.reason(status, status.getState()),
          "writes are refused after an error in the background: " + status.getState());
    }
  }

  /** Whether the disk was full, as far as is known, and RocksDB has not recovered from that. */
  boolean full() {
    Status status = current;
    return status != null && Failures.reason(status, status.getState()) == Reason.DISK_FULL;
  }

  @Override
  public void onBackgroundError(BackgroundErrorReason reason, Status status) {
    if (current == null) {
      // What follows is mostly in consequence of the first and says less.
      current = status;
    }
    LOG.log(
        System.Logger.Level.ERROR,
        "{0} failed in the background; writes may be refused until it is mended: {1}: {2}",
        reason,
        status.getCodeString(),
        status.getState());
  }

  @Override
  public void onErrorRecoveryCompleted(Status status) {
    current = null;
    LOG.log(System.Logger.Level.INFO, "recovered from an error in the background");
  }
}
