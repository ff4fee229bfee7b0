package dev.mayfly.engine;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes those who wait for a change of whatever collection. Costs a commit one read while nobody
 * waits.
 */
final class Pulse {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition beat = lock.newCondition();
  private volatile int waiting;
  private volatile long last;

  /** Something has changed; positions of different shards may come in any order. */
  void told(long position) {
    last = position;
    if (waiting > 0) {
      beat();
    }
  }

  /** Wakes all who wait, whatever they wait for. */
  void beat() {
    lock.lock();
    try {
      beat.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the next change unless one behind the position was told.
   *
   * @return how much of the time is left; none when it has run out
   */
  long await(long after, long nanos) throws InterruptedException {
    lock.lock();
    try {
      waiting++;
      return last > after ? nanos : beat.awaitNanos(nanos);
    } finally {
      waiting--;
      lock.unlock();
    }
  }
}
