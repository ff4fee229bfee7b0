package dev.mayfly.engine.shard;

import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Snapshot;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts what is live in a shard. Most of it is known from the last time: only what was due since
 * is counted, outside of the lock.
 */
public final class LiveCounter {
  private final ShardOwner owner;
  private final ShardLock lock;
  private final DocumentCounts documentCounts;

  /** One counts at a time; the others have the use of it. */
  private final ReentrantLock counting = new ReentrantLock();

  LiveCounter(ShardOwner owner) {
    this.owner = owner;
    this.lock = owner.lock();
    this.documentCounts = owner.documentCounts();
  }

  /** What is stored and not live at an instant; writers in between may blur it, not below zero. */
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
   * Documents and bytes live at an instant: expired ones do not count, swept or not. What has been
   * counted as dead at a later instant is not counted back: the answer is then of that instant.
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
          // what is swept from now on is in the snapshot still, and is told to the tally besides
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
   * As {@link #usage} for who holds the lock. Whoever is counting outside of it has to start again.
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
   * The instant to count for. Nothing is counted back, unless the clock has: then all is counted
   * anew.
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

  /** Counts, per lane, what is live under one predicate and dead under another. */
  public Map<Integer, Usage> between(CollectionState state, Cutoffs from, Cutoffs to) {
    SweptLanes sweptLanes = owner.sweptLanes();
    try (Snapshot snapshot = owner.shard().snapshot()) {
      return LaneCounter.between(snapshot, state, sweptLanes, from, to);
    }
  }
}
