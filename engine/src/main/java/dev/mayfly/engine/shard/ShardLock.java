package dev.mayfly.engine.shard;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reentrant lock of one shard. {@link #lock} commits the pending write group before it returns, so
 * that its caller sees all decided writes as stored. {@link #lockWithoutSettling} and {@link
 * #tryLockWithoutSettling} do not.
 */
public final class ShardLock {
  /** Attempts before a thread sleeps: a wake-up takes longer than most holders need. */
  private static final int ATTEMPTS = 450;

  /**
   * Attempts in a row, about 2 us; after these, the thread yields between attempts. The holder of
   * the lock may be waiting for a processor.
   */
  private static final int SPINS = 50;

  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable commitPending;

  /**
   * @param commitPending commits the pending group; if it throws, the lock is not taken
   */
  ShardLock(Runnable commitPending) {
    this.commitPending = commitPending;
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
      commitPending.run();
      settled = true;
    } finally {
      if (!settled) {
        lock.unlock();
      }
    }
  }

  /**
   * Takes the lock without committing the pending group, for work that depends neither on pending
   * writes nor on the stored state.
   */
  public void lockWithoutSettling() {
    lock.lock();
  }

  /** Takes the lock without committing the pending group if it becomes free within a time. */
  @SuppressWarnings("ThreadPriorityCheck") // yielding is an optimization only
  public boolean tryLockWithoutSettling(long nanos) {
    for (int i = 0; i < ATTEMPTS; i++) {
      if (lock.tryLock()) {
        return true;
      }
      if (i < SPINS) {
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

  /** The approximate number of threads that wait for the lock. */
  public int waiting() {
    return lock.getQueueLength();
  }

  /** A condition of this lock; call {@link #settle} after a wait. */
  Condition newCondition() {
    return lock.newCondition();
  }

  boolean isHeldByCurrentThread() {
    return lock.isHeldByCurrentThread();
  }

  /** Commits the pending group. The caller holds the lock. */
  void settle() {
    assert lock.isHeldByCurrentThread();
    commitPending.run();
  }
}
