package dev.mayfly.engine.storage;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Signal that wakes threads waiting for a change of any shard. While no thread waits, a commit pays
 * for one volatile read only. Safe for many threads.
 */
public final class ChangeSignal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition signalled = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile long last;

  /** Guarded by the lock. */
  private long signals;

  /** Reports a change; positions of different shards may come in any order. */
  public void report(long position) {
    last = position;
    if (waiting.get() > 0) {
      wakeAll();
    }
  }

  /** Wakes all waiting threads, whatever they wait for. */
  public void wakeAll() {
    lock.lock();
    try {
      signals++;
      signalled.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the next signal unless a change after the position was reported.
   *
   * @return the nanoseconds that are left; 0 or less on timeout
   */
  public long await(long after, long nanos) throws InterruptedException {
    lock.lock();
    try {
      // before the position is read: a later report then sees a waiting thread
      waiting.incrementAndGet();
      long seen = signals;
      long left = nanos;
      while (last <= after && signals == seen && left > 0) {
        left = signalled.awaitNanos(left);
      }
      return left;
    } finally {
      waiting.decrementAndGet();
      lock.unlock();
    }
  }
}
