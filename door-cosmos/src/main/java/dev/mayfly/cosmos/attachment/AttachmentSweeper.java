package dev.mayfly.cosmos.attachment;

import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Looks once a minute for attachments whose items are gone. */
public final class AttachmentSweeper implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(AttachmentSweeper.class.getName());
  private static final long PAUSE_SECONDS = 60;

  private final AttachmentStore store;
  private final CountDownLatch closed = new CountDownLatch(1);

  private AttachmentSweeper(AttachmentStore store) {
    this.store = store;
  }

  /** One that works until it is closed. */
  public static AttachmentSweeper start(AttachmentStore store) {
    AttachmentSweeper attachmentSweeper = new AttachmentSweeper(store);
    Thread.ofVirtual().name("cosmos-attachments").start(attachmentSweeper::work);
    return attachmentSweeper;
  }

  private void work() {
    try {
      while (!closed.await(PAUSE_SECONDS, TimeUnit.SECONDS)) {
        tend();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** What fails once may succeed in a minute. */
  private void tend() {
    try {
      store.collect();
    } catch (RuntimeException failure) {
      LOG.log(Level.WARNING, "attachments of items that are gone were not taken away", failure);
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
