package dev.mayfly.engine.shard;

import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.liveness.SweptLanes;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Snapshot;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

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
    owner.sliding().settle(now);
    counting.lock();
    try {
      while (true) {
        Cutoffs target;
        LaneCounter between;
        ShardOwner.View then;
        Snapshot snapshot;
        lock.lock();
        try {
          then = owner.view();
          target = owner.cutoffs(instant(now));
          between = between(target);
          if (documentCounts.counted().sameAs(target) || between.isComplete()) {
            return countInLock(now);
          }
          // the snapshot contains documents that are swept from now on; their deltas subtract them
          // again
          snapshot = owner.shard().snapshot();
          if (!snapshot.consistent()) {
            snapshot.close();
            return countInLock(now);
          }
          documentCounts.begin(target);
        } finally {
          lock.unlock();
        }
        Usage found;
        try (snapshot) {
          found = LaneCounter.total(between.count(snapshot, then.sweptLanes()));
        }
        lock.lock();
        try {
          if (documentCounts.finish(target, found)) {
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

  /** Starts a count from the last one to a target. The caller holds the lock. */
  private LaneCounter between(Cutoffs target) {
    return LaneCounter.of(
        owner.compiled().state(),
        documentCounts.counted(),
        target,
        documentCounts.countedSwept(),
        buckets());
  }

  /** The counts by place; if they are unknown, they will be read. The caller holds the lock. */
  public @Nullable LaneBuckets buckets() {
    LaneBuckets known = documentCounts.buckets();
    if (known == null) {
      documentCounts.wantBuckets();
    }
    if (documentCounts.bucketsWanted()) {
      owner.wakeMaintenance();
    }
    return known;
  }

  /**
   * As {@link #usage}, for a caller that holds the lock. A count in progress without the lock
   * starts again.
   */
  Usage countInLock(long now) {
    Cutoffs target = owner.cutoffs(instant(now));
    if (!documentCounts.counted().sameAs(target)) {
      LaneCounter between = between(target);
      documentCounts.begin(target);
      documentCounts.finish(
          target, LaneCounter.total(between.count(owner.shard(), owner.sweptLanes())));
    }
    return documentCounts.live();
  }

  /**
   * Returns the instant to count for. A count never goes back in time, unless the clock does: then
   * all documents are counted again.
   */
  private long instant(long now) {
    // an operation that began before the last count is no sign that the clock went back
    if (documentCounts.countedAt() > now && documentCounts.countedAt() > owner.time()) {
      documentCounts.recount(owner.sweptLanes().cutoffs());
    }
    return Math.max(now, documentCounts.countedAt());
  }

  /** Counts, per lane, documents that are live under one predicate and dead under another. */
  public Map<Integer, Usage> between(CollectionState state, Cutoffs from, Cutoffs to) {
    LaneCounter between;
    SweptLanes sweptLanes;
    Snapshot snapshot;
    lock.lock();
    try {
      between = LaneCounter.of(state, from, to, false, buckets());
      sweptLanes = owner.sweptLanes();
      snapshot = owner.shard().snapshot();
    } finally {
      lock.unlock();
    }
    try (snapshot) {
      return between.count(snapshot, sweptLanes);
    }
  }

  /**
   * Returns a function that counts documents between two predicates, as of now. The caller holds
   * the lock.
   */
  public Between betweenAsOfNow() {
    LaneBuckets known = buckets();
    LaneBuckets frozen = known == null ? null : known.copy();
    return (state, from, to, reader, sweptLanes) ->
        LaneCounter.of(state, from, to, false, frozen).count(reader, sweptLanes);
  }

  /** Counts, per lane, documents that are live under one predicate and dead under another. */
  public interface Between {
    /**
     * Counts documents by lane.
     *
     * @param reader a snapshot of the moment for which this was made
     * @param sweptLanes of the same moment
     */
    Map<Integer, Usage> count(
        CollectionState state, Cutoffs from, Cutoffs to, Reader reader, SweptLanes sweptLanes);
  }
}
