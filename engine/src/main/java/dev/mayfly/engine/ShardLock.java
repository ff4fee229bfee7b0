package dev.mayfly.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of a shard. Who takes it finds the shard at rest: writes that were decided in advance of
 * their commit are committed first.
 */
final class ShardLock {
  /** How often to look again before going to sleep: about 10 us, for which most have the lock. */
  private static final int LOOKS = 200;

  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable settling;

  /**
   * @param settling commits what was decided in advance; throws nothing
   */
  ShardLock(Runnable settling) {
    this.settling = settling;
  }

  void lock() {
    lock.lock();
    if (lock.getHoldCount() == 1) {
      settling.run();
    }
  }

  /** Takes the lock if it is free within a time, and leaves what was decided as it is. */
  boolean tryEnter(long nanos) {
    for (int i = 0; i < LOOKS; i++) {
      if (lock.tryLock()) {
        return true;
      }
      Thread.onSpinWait();
    }
    try {
      return lock.tryLock(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  void unlock() {
    lock.unlock();
  }

  /** How many threads wait for it, about. */
  int waiting() {
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
