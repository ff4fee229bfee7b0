package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.concurrent.locks.StampedLock;

/**
 * Guard that keeps native memory from being freed while it is in use: users {@link #enter} before
 * and {@link #exit} after each use, and {@link #close} returns when no user is inside and none can
 * enter. Not reentrant.
 */
final class CloseGuard {
  private final String what;
  private final StampedLock lock = new StampedLock();
  private boolean closed;

  /**
   * @param what the name of the guarded object in messages
   */
  CloseGuard(String what) {
    this.what = what;
  }

  /** Enters, unless closed. Pass the stamp to {@link #exit}. */
  long enter() {
    long stamp = lock.readLock();
    if (closed) {
      lock.unlockRead(stamp);
      throw new StoreException(Reason.CLOSED, what + " is closed");
    }
    return stamp;
  }

  void exit(long stamp) {
    lock.unlockRead(stamp);
  }

  /**
   * Closes the guard and frees the guarded object, unless that is done already. Returns when it is
   * freed, by any caller: a second caller may free what the first still needs for that.
   */
  void close(Runnable free) {
    long stamp = lock.writeLock();
    try {
      if (!closed) {
        closed = true;
        free.run();
      }
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Returns true for the caller that closed it, which must free the guarded object. */
  boolean close() {
    long stamp = lock.writeLock();
    try {
      boolean first = !closed;
      closed = true;
      return first;
    } finally {
      lock.unlockWrite(stamp);
    }
  }
}
