package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import java.util.concurrent.locks.LockSupport;

/**
 * Thread that flushes the log soon after every commit, also without a call of sync: loss of power
 * costs at most the commits of the last tenth of a second. It sleeps while nothing is committed.
 */
final class Flusher implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Flusher.class.getName());
  private static final long INTERVAL_NANOS = 100_000_000;

  private final GroupSync groupSync;
  private final Thread thread =
      Thread.ofPlatform().daemon().name("mayfly-flush").unstarted(this::run);
  private volatile boolean idle;
  private volatile boolean closed;

  Flusher(GroupSync groupSync) {
    this.groupSync = groupSync;
  }

  void start() {
    thread.start();
  }

  /** Reports a commit. */
  void committed() {
    if (idle) {
      idle = false;
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!closed) {
      idle = true;
      if (groupSync.unflushed() == 0) {
        LockSupport.park(this);
      }
      idle = false;
      LockSupport.parkNanos(this, INTERVAL_NANOS);
      if (!closed) {
        flush();
      }
    }
  }

  private void flush() {
    try {
      groupSync.await(groupSync.unflushed());
    } catch (StoreException failure) {
      // commits fail from now on, or the disk is full and they fail when it is
      LOG.log(System.Logger.Level.ERROR, "the log cannot be flushed: {0}", failure.getMessage());
    }
  }

  /** Ends the thread, and waits for a flush in progress. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
