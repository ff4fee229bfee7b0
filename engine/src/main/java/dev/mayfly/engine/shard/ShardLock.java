package dev.mayfly.engine.shard;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of a shard. Who takes it finds the shard at rest: writes that were decided in advance of
 * their commit are committed first.
 */
public final class ShardLock {
  /** How often to look again before going to sleep: to be woken takes longer than most have it. */
  private static final int LOOKS = 450;

  /**
   * How many of these follow each other, about 2 us; then others run in between. Whoever has the
   * lock may be one of those who wait for a processor.
   */
  private static final int LOOKS_IN_A_ROW = 50;

  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable settling;

  /**
   * @param settling commits what was decided in advance; when it throws, nobody gets the lock
   */
  ShardLock(Runnable settling) {
    this.settling = settling;
  }

  public void lock() {
    lock.lock();
    if (lock.getHoldCount() == 1) {
      settleOrUnlock();
    }
  }

  private void settleOrUnlock() {
    boolean settled = false;
    try {
      settling.run();
      settled = true;
    } finally {
      if (!settled) {
        lock.unlock();
      }
    }
  }

  /** Takes the lock for something that depends neither on what is decided nor on what is stored. */
  public void lockAsItIs() {
    lock.lock();
  }

  /** Takes the lock if it is free within a time, and leaves what was decided as it is. */
  @SuppressWarnings("ThreadPriorityCheck") // it is faster, not more right, by the scheduler's grace
  public boolean tryEnter(long nanos) {
    for (int i = 0; i < LOOKS; i++) {
      if (lock.tryLock()) {
        return true;
      }
      if (i < LOOKS_IN_A_ROW) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
    try {
      return lock.tryLock(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  public void unlock() {
    lock.unlock();
  }

  /** How many threads wait for it, about. */
  public int waiting() {
    return lock.getQueueLength();
  }

  /** A condition to wait for; who has waited finds the shard at rest by {@link #settle}. */
  Condition newCondition() {
    return lock.newCondition();
  }

  /** Commits what was decided in advance. The caller holds the lock. */
  void settle() {
    settling.run();
  }
}
