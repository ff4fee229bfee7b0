package dev.mayfly.engine.shard;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lock of one shard, with two modes. Write groups share it: each holds the keys that it uses in
 * {@link KeyLocks}, so groups that have no key in common run concurrently. Everything else (rule
 * changes, the sweep, index builds, transactions, capped collections) takes it exclusively and
 * finds the shard at rest: no group is in progress, and pending groups are committed.
 *
 * <p>Shared holders are counted in several counters, each in a cache line of its own, so that
 * writers on different cores do not slow one another down. The exclusive mode is reentrant; a
 * thread with a shared hold must not take it.
 */
public final class ShardLock {
  /** Attempts in a row, then attempts with a yield between them, before a thread sleeps. */
  private static final int SPINS = 50;

  private static final int YIELDS = 400;
  private static final long SLEEP_NANOS = 20_000;

  /** Ints per cache line. */
  private static final int LINE = 16;

  private static final int COUNTERS =
      Integer.highestOneBit(Math.clamp(2L * Runtime.getRuntime().availableProcessors() - 1, 1, 32))
          * 2;

  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicIntegerArray shared = new AtomicIntegerArray(COUNTERS * LINE);
  private final Runnable commitPending;
  private final Runnable recover;

  /** Whether a thread holds the lock exclusively or waits for shared holders to leave. */
  private volatile boolean exclusive;

  /** Start of the time for which the lock is held exclusively. Guarded by the lock. */
  private long heldSince;

  /**
   * @param commitPending commits pending groups, so that their shared holds end; throws nothing
   * @param recover reads the stored state again if it is in doubt; if it throws, the lock is not
   *     taken
   */
  ShardLock(Runnable commitPending, Runnable recover) {
    this.commitPending = commitPending;
    this.recover = recover;
  }

  /** Takes the lock exclusively. The state in memory is what is stored. */
  public void lock() {
    lockWithoutRecovery();
    if (lock.getHoldCount() == 1) {
      boolean recovered = false;
      try {
        recover.run();
        recovered = true;
      } finally {
        if (!recovered) {
          unlock();
        }
      }
    }
  }

  /** Takes the lock exclusively, for work that does not depend on the stored state. */
  public void lockWithoutRecovery() {
    lock.lock();
    if (lock.getHoldCount() == 1) {
      exclude();
    }
  }

  /** Keeps new shared holders out and waits for those that are in. */
  @SuppressWarnings("ThreadPriorityCheck") // yielding is an optimization only
  private void exclude() {
    exclusive = true;
    long start = HeldTime.start();
    for (int i = 0; isShared(); i++) {
      commitPending.run();
      if (i < SPINS) {
        Thread.onSpinWait();
      } else if (i < SPINS + YIELDS) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(this, SLEEP_NANOS);
      }
    }
    HeldTime.end(HeldTime.Section.DRAIN, start);
    heldSince = HeldTime.start();
  }

  private boolean isShared() {
    for (int i = 0; i < shared.length(); i += LINE) {
      if (shared.get(i) != 0) {
        return true;
      }
    }
    return false;
  }

  public void unlock() {
    if (lock.getHoldCount() == 1) {
      HeldTime.end(HeldTime.Section.EXCLUSIVE, heldSince);
      exclusive = false;
    }
    lock.unlock();
  }

  /**
   * Takes the lock in shared mode unless a thread has it exclusively.
   *
   * @return the hold, for {@link #unlockShared}; negative if the lock was not taken
   */
  int tryLockShared() {
    int counter = counter();
    shared.incrementAndGet(counter);
    if (exclusive) {
      shared.decrementAndGet(counter);
      return -1;
    }
    return counter;
  }

  /** As {@link #tryLockShared}, after waiting for an exclusive holder. */
  int lockShared() {
    int hold = tryLockShared();
    if (hold >= 0) {
      return hold;
    }
    lock.lock();
    try {
      int counter = counter();
      shared.incrementAndGet(counter);
      return counter;
    } finally {
      lock.unlock();
    }
  }

  void unlockShared(int hold) {
    int left = shared.decrementAndGet(hold);
    assert left >= 0;
  }

  private static int counter() {
    long mixed = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32 & COUNTERS - 1) * LINE;
  }

  /** Waits until the thread that holds the lock exclusively now has released it. */
  void awaitExclusive() {
    lock.lock();
    try {
      assert !exclusive || lock.getHoldCount() > 1;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether this thread holds the lock exclusively. */
  boolean isHeldByCurrentThread() {
    return lock.isHeldByCurrentThread();
  }

  /** Returns whether no thread holds the lock, in either mode. */
  public boolean isFree() {
    return !lock.isLocked() && !isShared();
  }

  /** The approximate number of threads that wait for the lock. */
  public int waiting() {
    return lock.getQueueLength();
  }

  /** A condition of the exclusive mode; wait for it with {@link #await}. */
  Condition newCondition() {
    return lock.newCondition();
  }

  /**
   * Waits for a condition. Others may take the lock meanwhile, in either mode. The caller holds the
   * lock exclusively, once.
   *
   * @return the nanoseconds that are left
   */
  @SuppressWarnings("WaitNotInLoop") // the caller repeats it
  long await(Condition condition, long nanos) throws InterruptedException {
    assert lock.getHoldCount() == 1;
    HeldTime.end(HeldTime.Section.EXCLUSIVE, heldSince);
    exclusive = false;
    try {
      return condition.awaitNanos(nanos);
    } finally {
      exclude();
      recover.run();
    }
  }
}
