package dev.mayfly.store.rocksdb;

import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.Status;

/**
 * Says in the log when flushing or compacting has failed. RocksDB refuses writes from then on, with
 * the same status, until it has recovered; nothing is lost without a word.
 */
final class BackgroundErrors extends AbstractEventListener {
  private static final System.Logger LOG = System.getLogger(BackgroundErrors.class.getName());

  BackgroundErrors() {
    super(
        EnabledEventCallback.ON_BACKGROUND_ERROR, EnabledEventCallback.ON_ERROR_RECOVERY_COMPLETED);
  }

  @Override
  public void onBackgroundError(BackgroundErrorReason reason, Status status) {
    LOG.log(
        System.Logger.Level.ERROR,
        "writes are refused after an error in the background: {0} ({1}): {2}",
        reason,
        status.getCodeString(),
        status.getState());
  }

  @Override
  public void onErrorRecoveryCompleted(Status status) {
    LOG.log(System.Logger.Level.INFO, "recovered from an error in the background");
  }
}
