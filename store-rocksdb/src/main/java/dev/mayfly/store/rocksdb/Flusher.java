package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.concurrent.locks.LockSupport;

/**
 * Thread that flushes the log: at once, and again and again, as long as commits wait for it, so
 * that the next commits are made while a flush runs; and soon after every other commit, so that
 * loss of power costs at most the commits of the last tenth of a second. It sleeps while nothing is
 * committed.
 */
final class Flusher implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Flusher.class.getName());
  private static final long INTERVAL_NANOS = 100_000_000;

  /** About 20 microseconds. */
  private static final int POLLS = 50;

  private final GroupSync groupSync;
  private final Thread thread =
      Thread.ofPlatform().daemon().name("mayfly-flush").unstarted(this::run);
  private volatile boolean idle;
  private volatile boolean closed;

  /**
   * @param flush brings everything written before the call to disk, or throws
   */
  Flusher(Runnable flush) {
    this.groupSync = new GroupSync(flush, () -> LockSupport.unpark(thread));
  }

  GroupSync groupSync() {
    return groupSync;
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
      boolean flushed = true;
      while (flushed && !closed) {
        flushed = flushWaiting();
      }
      sleep();
    }
  }

  private boolean flushWaiting() {
    try {
      return groupSync.flushWaiting();
    } catch (RuntimeException | Error failure) {
      report(failure);
      return true;
    }
  }

  /** Sleeps until a commit waits for a flush, or until it is time to flush the others. */
  private void sleep() {
    if (groupSync.unflushed() > 0) {
      if (!isAwaitedSoon()) {
        LockSupport.parkNanos(this, INTERVAL_NANOS);
        if (!closed) {
          flush();
        }
      }
      return;
    }
    idle = true;
    if (groupSync.unflushed() == 0) {
      LockSupport.park(this);
    }
    idle = false;
  }

  /** Polls for a short time: a commit that is to be durable wakes this thread before it waits. */
  @SuppressWarnings("ThreadPriorityCheck") // the yield only reduces latency
  private boolean isAwaitedSoon() {
    for (int i = 0; i < POLLS; i++) {
      if (groupSync.isAwaited()) {
        return true;
      }
      Thread.yield();
    }
    return false;
  }

  private void flush() {
    try {
      groupSync.flushAll();
    } catch (RuntimeException | Error failure) {
      report(failure);
    }
  }

  /** Commits fail from now on, or the disk is full and they fail when it is. */
  private static void report(Throwable failure) {
    LOG.log(System.Logger.Level.ERROR, "the log cannot be flushed: {0}", failure.getMessage());
  }

  /** Ends the thread after a flush in progress, and fails all that wait for one. */
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
    groupSync.fail(new StoreException(Reason.CLOSED, "the store is closed"));
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
