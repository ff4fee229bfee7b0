package dev.mayfly.engine.storage;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes those who wait for a change of whatever collection. Costs a commit one read while nobody
 * waits.
 */
public final class ChangeSignal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition beat = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile long last;

  /** Guarded by the lock. */
  private long beats;

  /** Something has changed; positions of different shards may come in any order. */
  public void told(long position) {
    last = position;
    if (waiting.get() > 0) {
      beat();
    }
  }

  /** Wakes all who wait, whatever they wait for. */
  public void beat() {
    lock.lock();
    try {
      beats++;
      beat.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the next beat unless a change behind the position was told.
   *
   * @return how much of the time is left; none, or less, when it has run out
   */
  public long await(long after, long nanos) throws InterruptedException {
    lock.lock();
    try {
      // Before the position is looked at: who tells one later sees somebody waiting.
      waiting.incrementAndGet();
      long heard = beats;
      long left = nanos;
      while (last <= after && beats == heard && left > 0) {
        left = beat.awaitNanos(left);
      }
      return left;
    } finally {
      waiting.decrementAndGet();
      lock.unlock();
    }
  }
}
