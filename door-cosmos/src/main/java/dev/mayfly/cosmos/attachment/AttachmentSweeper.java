package dev.mayfly.cosmos.attachment;

import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Background task that deletes attachments of items that are gone, once a minute. */
public final class AttachmentSweeper implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(AttachmentSweeper.class.getName());
  private static final long PAUSE_SECONDS = 60;

  private final AttachmentStore store;
  private final CountDownLatch closed = new CountDownLatch(1);

  private AttachmentSweeper(AttachmentStore store) {
    this.store = store;
  }

  /** Starts a sweeper, which runs until it is closed. */
  public static AttachmentSweeper start(AttachmentStore store) {
    AttachmentSweeper attachmentSweeper = new AttachmentSweeper(store);
    Thread.ofVirtual().name("cosmos-attachments").start(attachmentSweeper::work);
    return attachmentSweeper;
  }

  private void work() {
    try {
      while (!closed.await(PAUSE_SECONDS, TimeUnit.SECONDS)) {
        sweep();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** A failure is logged; the next run tries again. */
  private void sweep() {
    try {
      store.collect();
    } catch (RuntimeException failure) {
      LOG.log(
          Level.WARNING,
          "cannot delete attachments of deleted items; trying again in a minute",
          failure);
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
