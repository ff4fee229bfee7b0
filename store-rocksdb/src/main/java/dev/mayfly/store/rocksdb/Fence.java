package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.concurrent.locks.StampedLock;

/**
 * Fence of a shard: only the owner with the current epoch may commit. Commits are concurrent; a
 * change of owner waits for those in progress and blocks new ones until it is done.
 */
final class Fence {
  private final StampedLock lock = new StampedLock();
  private long epoch;

  /** A change of owner, made while no commit is in progress. */
  @FunctionalInterface
  interface Change {
    /** Stores the new epoch; if it fails, the old one stays. */
    void to(long epoch);
  }

  /** Starts from the last epoch, 0 if there was none. */
  Fence(long epoch) {
    this.epoch = epoch;
  }

  /** Enters to commit, unless fenced. Pass the stamp to {@link #exit}. */
  long enter(long owner) {
    return admitted(owner, lock.readLock());
  }

  /** Like {@link #enter}, exclusively until {@link #exit}. */
  long enterAlone(long owner) {
    return admitted(owner, lock.writeLock());
  }

  private long admitted(long owner, long stamp) {
    if (owner != epoch) {
      long current = epoch;
      lock.unlock(stamp);
      throw new StoreException(
          Reason.FENCED, "epoch " + owner + " was followed by epoch " + current);
    }
    return stamp;
  }

  void exit(long stamp) {
    lock.unlock(stamp);
  }

  /** Advances to the next epoch and returns it. */
  long advance(Change change) {
    long stamp = lock.writeLock();
    try {
      change.to(epoch + 1);
      return ++epoch;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Returns whether the shard has or had an owner. */
  boolean used() {
    long stamp = lock.readLock();
    try {
      return epoch > 0;
    } finally {
      lock.unlockRead(stamp);
    }
  }
}
