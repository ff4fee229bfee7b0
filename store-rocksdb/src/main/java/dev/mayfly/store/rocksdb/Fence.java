package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import java.util.concurrent.locks.StampedLock;

/**
 * Who may commit to a shard: whoever has its epoch. Commits go through side by side; a change of
 * owner waits for those in progress and keeps new ones out until it is done.
 */
final class Fence {
  private final StampedLock lock = new StampedLock();
  private long epoch;

  /** A change of owner, made while no commit is in progress. */
  @FunctionalInterface
  interface Change {
    /** Makes the new epoch known to the disk; if it fails, the old one stays. */
    void to(long epoch);
  }

  /** Starts from the last epoch given out, 0 when there was none. */
  Fence(long epoch) {
    this.epoch = epoch;
  }

  /** Goes in to commit, unless fenced. The stamp is for {@link #exit}. */
  long enter(long owner) {
    return admitted(owner, lock.readLock());
  }

  /** As {@link #enter}, with nobody else inside until {@link #exit}. */
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

  /** Moves on to the next epoch and returns it. */
  long advance(Change change) {
    long stamp = lock.writeLock();
    try {
      change.to(epoch + 1);
      return ++epoch;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** True when somebody owned the shard, now or in the past. */
  boolean used() {
    long stamp = lock.readLock();
    try {
      return epoch > 0;
    } finally {
      lock.unlockRead(stamp);
    }
  }
}
