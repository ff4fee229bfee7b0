package dev.mayfly.engine.shard;

import dev.mayfly.engine.Usage;
import dev.mayfly.engine.storage.FeedFormat;
import dev.mayfly.expiry.Cutoffs;
import org.jspecify.annotations.Nullable;

/**
 * Document counts of a shard: stored documents, and how many of them are dead at an instant.
 *
 * <p>Stored documents are counted exactly with every commit. Dead documents are counted by a scan
 * of the lanes between the previous and the current cutoffs. Guarded by the shard's lock.
 */
public final class DocumentCounts {
  private volatile FeedFormat.Totals totals = FeedFormat.Totals.NONE;
  private Usage dead = Usage.NONE;
  private Cutoffs counted = Cutoffs.NONE;
  private long countedAt = Long.MIN_VALUE;
  private @Nullable Cutoffs pending;
  private Usage meanwhile = Usage.NONE;

  /** Changes of the counts by one write group, before its commit. */
  public final class Delta {
    private Usage stored = Usage.NONE;
    private Usage deadChange = Usage.NONE;
    private Usage pendingChange = Usage.NONE;
    private Usage recorded = Usage.NONE;

    void added(byte[] record, long bytes) {
      count(record, new Usage(1, bytes));
    }

    void removed(byte[] record, long bytes) {
      count(record, new Usage(-1, -bytes));
    }

    private void count(byte[] record, Usage change) {
      count(change, counted.expired(record), pending != null && pending.expired(record));
    }

    /** Counts a document whose state under the counted and the pending cutoffs is known. */
    void count(Usage change, boolean deadAsCounted, boolean deadAsPending) {
      stored = stored.plus(change);
      if (deadAsCounted) {
        deadChange = deadChange.plus(change);
      } else if (deadAsPending) {
        pendingChange = pendingChange.plus(change);
      }
    }

    /** Counts documents that the sweep removes. */
    public void swept(Usage removed, Usage deadAsCounted, Usage deadAsPending) {
      stored = stored.minus(removed);
      deadChange = deadChange.minus(deadAsCounted);
      pendingChange = pendingChange.minus(deadAsPending);
    }

    /** Returns the change of stored documents since the last call, for a feed entry. */
    Usage takeUnrecorded() {
      Usage since = stored.minus(recorded);
      recorded = stored;
      return since;
    }

    /** The live documents after the commit, as far as counted. */
    Usage liveAfter() {
      return storedAfter().minus(dead).minus(deadChange);
    }

    /** The stored documents after the commit. */
    Usage storedAfter() {
      return totals.stored().plus(stored);
    }
  }

  Delta delta() {
    return new Delta();
  }

  /** Adds the changes of a committed group. */
  void apply(Delta delta, long feedBytes) {
    assert delta.recorded.equals(delta.stored) : "a change of the counts is not in the feed";
    totals = new FeedFormat.Totals(totals.stored().plus(delta.stored), totals.offset() + feedBytes);
    dead = dead.plus(delta.deadChange);
    meanwhile = meanwhile.plus(delta.pendingChange);
  }

  void restore(FeedFormat.Totals stored) {
    totals = stored;
  }

  public FeedFormat.Totals totals() {
    return totals;
  }

  /** The cutoffs up to which dead documents have been counted. */
  public Cutoffs counted() {
    return counted;
  }

  /** The latest instant of a count under the current rules. */
  long countedAt() {
    return countedAt;
  }

  /** The cutoffs of a count in progress, or null. */
  @Nullable
  public Cutoffs pending() {
    return pending;
  }

  /** Resets the count of dead documents. */
  void recount(Cutoffs swept) {
    dead = Usage.NONE;
    counted = swept;
    countedAt = Long.MIN_VALUE;
    pending = null;
    meanwhile = Usage.NONE;
  }

  void begin(Cutoffs target) {
    pending = target;
    meanwhile = Usage.NONE;
  }

  /**
   * Adds the count between {@link #counted()} and the target; returns false if the count was reset
   * or started again meanwhile.
   */
  boolean finish(Cutoffs target, Usage between) {
    if (pending != target) {
      return false;
    }
    dead = dead.plus(between).plus(meanwhile);
    counted = target;
    countedAt = target.now();
    pending = null;
    return true;
  }

  /** Stored documents that are not counted as dead. */
  Usage live() {
    return totals.stored().minus(dead);
  }
}
