package dev.mayfly.engine.read;

import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;

/**
 * Worker threads for parallel scans: at most as many scans run in parallel as there are pairs of
 * idle processors. Safe for many threads.
 */
public final class ScanWorkers {
  private static final ThreadFactory THREADS =
      Thread.ofPlatform().daemon().name("mayfly-scan-", 0).factory();

  /** Processors of a parallel scan: its caller and one worker. */
  private static final int PER_SCAN = 2;

  private final Semaphore processors;

  public ScanWorkers(int processors) {
    this.processors = new Semaphore(processors);
  }

  /** Starts work in another thread; returns false if no processors are left for it. */
  boolean start(Runnable work) {
    if (!processors.tryAcquire(PER_SCAN)) {
      return false;
    }
    THREADS
        .newThread(
            () -> {
              try {
                work.run();
              } finally {
                processors.release(PER_SCAN);
              }
            })
        .start();
    return true;
  }
}
