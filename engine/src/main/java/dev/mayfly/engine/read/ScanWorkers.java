package dev.mayfly.engine.read;

import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;

/**
 * Threads that help long scans, no more than there are processors that no long scan uses. Safe for
 * use by many threads.
 */
public final class ScanWorkers {
  private static final ThreadFactory THREADS =
      Thread.ofPlatform().daemon().name("mayfly-companion-", 0).factory();

  /** What a scan with a companion uses. */
  private static final int BOTH = 2;

  private final Semaphore processors;

  public ScanWorkers(int processors) {
    this.processors = new Semaphore(processors);
  }

  /** Starts some work beside the caller's; false when there is no processor for it. */
  boolean start(Runnable work) {
    if (!processors.tryAcquire(BOTH)) {
      return false;
    }
    THREADS
        .newThread(
            () -> {
              try {
                work.run();
              } finally {
                processors.release(BOTH);
              }
            })
        .start();
    return true;
  }
}
