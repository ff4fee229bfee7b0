package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes many that wait for the disk share one flush. The first to come flushes, in its own thread;
 * those who come meanwhile wait, and one of them then flushes for all of them. So at most one
 * carrier of virtual threads is held up by the disk, and a lone caller pays for no hand-off.
 *
 * <p>A failed flush is final: what the disk has is unknown from then on, and trying again might
 * report success for pages that the system has already thrown away.
 */
final class GroupSync {
  private final Runnable flush;
  private final AtomicLong committed = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition flushed = lock.newCondition();
  private boolean flushing;
  private volatile long synced;
  private volatile @Nullable StoreException failure;

  /** The flush brings everything written before it was called to disk, or throws. */
  GroupSync(Runnable flush) {
    this.flush = flush;
  }

  /** A ticket for what the caller has just written. */
  long ticket() {
    return committed.incrementAndGet();
  }

  /** Fails when a flush has failed before. */
  void check() {
    StoreException e = failure;
    if (e != null) {
      throw new StoreException(e.reason(), "an earlier flush of the log failed", e);
    }
  }

  /** Returns once what the ticket stands for is on disk. */
  void await(long ticket) {
    if (ticket > committed.get()) {
      throw new IllegalArgumentException("no commit has ticket " + ticket);
    }
    if (synced >= ticket) {
      return;
    }
    lock.lock();
    try {
      while (synced < ticket) {
        check();
        if (flushing) {
          flushed.awaitUninterruptibly();
        } else {
          lead();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Flushes for all that hold a ticket by now; the lock is given up meanwhile. */
  private void lead() {
    flushing = true;
    lock.unlock();
    long reached = synced;
    try {
      long last = committed.get();
      flush.run();
      reached = last;
    } catch (StoreException e) {
      if (e.reason() != StoreException.Reason.CLOSED) {
        failure = e;
      }
      throw e;
    } finally {
      lock.lock();
      flushing = false;
      synced = reached;
      flushed.signalAll();
    }
  }
}
