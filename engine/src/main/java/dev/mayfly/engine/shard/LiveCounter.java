package dev.mayfly.engine.shard;

import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Snapshot;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counter of live documents of a shard. Each count starts from the previous one and reads only lane
 * entries that are due since, without the shard's lock. Safe for many threads.
 */
public final class LiveCounter {
  private final ShardOwner owner;
  private final ShardLock lock;
  private final DocumentCounts documentCounts;

  /** One thread counts at a time; others use its result. */
  private final ReentrantLock counting = new ReentrantLock();

  LiveCounter(ShardOwner owner) {
    this.owner = owner;
    this.lock = owner.lock();
    this.documentCounts = owner.documentCounts();
  }

  /**
   * Stored documents that are not live at an instant. Concurrent writes may make the result
   * inexact, but not negative.
   */
  public Usage backlog(long now) {
    Usage live = usage(now);
    lock.lock();
    try {
      Usage dead = documentCounts.totals().stored().minus(live);
      return new Usage(Math.max(dead.documents(), 0), Math.max(dead.bytes(), 0));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Documents and bytes live at an instant: expired documents do not count, swept or not. A count
   * never goes back in time: after a count for a later instant, the result is of that instant.
   */
  public Usage usage(long now) {
    counting.lock();
    try {
      while (true) {
        Cutoffs from;
        Cutoffs target;
        ShardOwner.View then;
        Snapshot snapshot;
        lock.lock();
        try {
          snapshot = owner.shard().snapshot();
          // the snapshot contains documents that are swept from now on; their deltas subtract them
          // again
          then = owner.view();
          target = owner.cutoffs(instant(now));
          from = documentCounts.counted();
          if (from.sameAs(target) || !snapshot.consistent()) {
            snapshot.close();
            return countInLock(now);
          }
          documentCounts.begin(target);
        } finally {
          lock.unlock();
        }
        Map<Integer, Usage> between;
        try (snapshot) {
          between = countBetween(snapshot, then, from, target);
        }
        lock.lock();
        try {
          if (documentCounts.finish(target, LaneCounter.total(between))) {
            return documentCounts.live();
          }
        } finally {
          lock.unlock();
        }
      }
    } finally {
      counting.unlock();
    }
  }

  /**
   * As {@link #usage}, for a caller that holds the lock. A count in progress without the lock
   * starts again.
   */
  Usage countInLock(long now) {
    Cutoffs target = owner.cutoffs(instant(now));
    if (!documentCounts.counted().sameAs(target)) {
      documentCounts.begin(target);
      documentCounts.finish(
          target,
          LaneCounter.total(
              countBetween(owner.shard(), owner.view(), documentCounts.counted(), target)));
    }
    return documentCounts.live();
  }

  /**
   * Returns the instant to count for. A count never goes back in time, unless the clock does: then
   * all documents are counted again.
   */
  private long instant(long now) {
    if (documentCounts.countedAt() > owner.time()) {
      documentCounts.recount(owner.sweptLanes().cutoffs());
    }
    return Math.max(now, documentCounts.countedAt());
  }

  private static Map<Integer, Usage> countBetween(
      Reader reader, ShardOwner.View view, Cutoffs from, Cutoffs to) {
    return LaneCounter.between(reader, view.compiled().state(), view.sweptLanes(), from, to);
  }

  /** Counts, per lane, documents that are live under one predicate and dead under another. */
  public Map<Integer, Usage> between(CollectionState state, Cutoffs from, Cutoffs to) {
    SweptLanes sweptLanes = owner.sweptLanes();
    try (Snapshot snapshot = owner.shard().snapshot()) {
      return LaneCounter.between(snapshot, state, sweptLanes, from, to);
    }
  }
}
