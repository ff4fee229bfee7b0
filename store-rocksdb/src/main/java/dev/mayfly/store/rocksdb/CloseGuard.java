package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Guard that keeps native memory from being freed while it is in use: users {@link #enter} before
 * and {@link #exit} after each use, and {@link #close} returns when no user is inside and none can
 * enter. Not reentrant.
 *
 * <p>Users are counted in one or several counters, each in a cache line of its own: readers and
 * writers of a store on different cores must not slow one another down.
 */
final class CloseGuard {
  /** Ints per cache line, twice: processors fetch lines in pairs. */
  private static final int LINE = 32;

  private static final int MAX_COUNTERS = 64;
  private static final long POLL_NANOS = 20_000;

  private final String what;
  private final int counters;
  private final AtomicIntegerArray inside;
  private volatile boolean closed;

  /**
   * @param what the name of the guarded object in messages
   */
  CloseGuard(String what) {
    this(what, 1);
  }

  private CloseGuard(String what, int counters) {
    this.what = what;
    this.counters = counters;
    this.inside = new AtomicIntegerArray(counters == 1 ? 1 : (counters + 1) * LINE);
  }

  /** A guard that threads of all processors use all the time. */
  static CloseGuard ofManyThreads(String what) {
    long wanted = Math.min(4L * Runtime.getRuntime().availableProcessors(), MAX_COUNTERS);
    return new CloseGuard(what, Integer.highestOneBit((int) wanted));
  }

  /** Enters, unless closed. Pass the stamp to {@link #exit}. */
  long enter() {
    int counter = counter();
    inside.incrementAndGet(counter);
    if (closed) {
      inside.decrementAndGet(counter);
      throw new StoreException(Reason.CLOSED, what + " is closed");
    }
    return counter;
  }

  void exit(long stamp) {
    int left = inside.decrementAndGet((int) stamp);
    assert left >= 0;
  }

  private int counter() {
    if (counters == 1) {
      return 0;
    }
    long mixed = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
    // the first line also contains the length of the array, which all threads read
    return ((int) (mixed >>> 32) & counters - 1) * LINE + LINE;
  }

  /**
   * Closes the guard and frees the guarded object, unless that is done already. Returns when it is
   * freed, by any caller: a second caller may free what the first still needs for that.
   */
  synchronized void close(Runnable free) {
    if (close()) {
      free.run();
    }
  }

  /** Returns true for the caller that closed it, which must free the guarded object. */
  synchronized boolean close() {
    boolean first = !closed;
    // before the users are counted: one that enters later sees it
    closed = true;
    while (isInUse()) {
      LockSupport.parkNanos(this, POLL_NANOS);
    }
    return first;
  }

  private boolean isInUse() {
    for (int i = 0; i < inside.length(); i++) {
      if (inside.get(i) != 0) {
        return true;
      }
    }
    return false;
  }
}
