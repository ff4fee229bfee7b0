package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.concurrent.locks.StampedLock;

/**
 * Keeps native memory from being freed under the hands of its users: they {@link #enter} before and
 * {@link #exit} after each use, and {@link #close} returns once nobody is inside and nobody ever
 * will be. Not reentrant: whoever is inside must not enter again.
 */
final class CloseGuard {
  private final String what;
  private final StampedLock lock = new StampedLock();
  private boolean closed;

  /** A gate before something that messages call {@code what}. */
  CloseGuard(String what) {
    this.what = what;
  }

  /** Goes in, unless closed. The stamp is for {@link #exit}. */
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
   * Closes, and frees what is behind unless that was done. Returns once it is freed, by whomever: a
   * caller who is the second may free what the first still needs for that.
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

  /** True for the caller that closed it: the one to free what is behind. */
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
