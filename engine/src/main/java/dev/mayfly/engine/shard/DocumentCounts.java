package dev.mayfly.engine.shard;

import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.storage.FeedFormat;
import dev.mayfly.expiry.Cutoffs;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Document counts of a shard: stored documents, and how many of them are dead at an instant.
 *
 * <p>Stored documents are counted exactly with every commit, in all and by the place at which they
 * expire ({@link LaneBuckets}). Dead documents are counted from one instant to a later one, by
 * these buckets. After a restart the buckets are unknown until {@link LaneRecount} has read the
 * lanes; until then a count reads the lanes between the two cutoffs. Guarded by the shard's lock.
 */
public final class DocumentCounts {
  /** Changes that are kept while the lanes are read; with more the reading is given up. */
  private static final int MAX_MISSED = 1 << 20;

  /** Documents that are counted by place although nobody has needed these counts yet. */
  private static final long MAX_UNASKED = 50_000_000;

  private volatile FeedFormat.Totals totals = FeedFormat.Totals.NONE;
  private Usage dead = Usage.NONE;
  private Cutoffs counted = Cutoffs.NONE;
  private long countedAt = Long.MIN_VALUE;
  private @Nullable Cutoffs pending;
  private Usage meanwhile = Usage.NONE;

  /** Whether {@link #counted} expires only documents that are swept. */
  private boolean countedSwept = true;

  /** Null while they are unknown. */
  private @Nullable LaneBuckets buckets;

  /** Null unless the lanes are being read. A group that ends may give it up. */
  private volatile @Nullable MissedChanges missed;

  /** Set under the lock. */
  private volatile boolean bucketsWanted;

  /** Changes that were made after a reading of the lanes has begun. */
  static final class MissedChanges {
    private final ExpiryLanes lanes;
    private final List<PlaceChanges> changes = new ArrayList<>();
    private long size;

    private MissedChanges(ExpiryLanes lanes) {
      this.lanes = lanes;
    }

    private void add(PlaceChanges change) {
      changes.add(change);
      size += change.size();
    }
  }

  /** Changes of the counts by one write group, before its commit. */
  public final class Delta {
    private Usage stored = Usage.NONE;
    private Usage deadChange = Usage.NONE;
    private Usage pendingChange = Usage.NONE;
    private Usage recorded = Usage.NONE;

    /** Null if nobody needs them. */
    private @Nullable PlaceChanges changes;

    private Delta() {
      LaneBuckets known = buckets;
      MissedChanges begun = missed;
      ExpiryLanes lanes = known != null ? known.lanes() : begun != null ? begun.lanes : null;
      changes = lanes == null || lanes.isEmpty() ? null : new PlaceChanges(lanes);
    }

    void added(byte[] record, long bytes) {
      count(record, new Usage(1, bytes));
    }

    void removed(byte[] record, long bytes) {
      count(record, new Usage(-1, -bytes));
    }

    private void count(byte[] record, Usage change) {
      if (changes != null) {
        changes.add(record, change.documents(), change.bytes());
      }
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
    public void swept(
        Usage removed, Usage deadAsCounted, Usage deadAsPending, PlaceChanges places) {
      changes = changes == null ? null : places;
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
    if (delta.changes != null) {
      apply(delta.changes);
    }
  }

  private void apply(PlaceChanges changes) {
    if (buckets != null) {
      changes.applyTo(buckets);
      bucketsWanted |= buckets.overfull() && missed == null;
    }
    MissedChanges begun = missed;
    if (begun != null) {
      begun.add(changes);
      missed = begun.size > MAX_MISSED ? null : begun;
    }
  }

  /** The documents by the place at which they expire; null if that is unknown. */
  @Nullable LaneBuckets buckets() {
    return buckets;
  }

  /** Starts the counts by place again: nothing is known unless there is no document. */
  void resetBuckets(CompiledCollection compiled) {
    missed = null;
    ExpiryLanes lanes = ExpiryLanes.of(compiled);
    long documents = totals.stored().documents();
    buckets = documents == 0 ? new LaneBuckets(lanes) : null;
    bucketsWanted = documents > 0 && documents <= MAX_UNASKED && !lanes.isEmpty();
  }

  /** Frees the counts by place, which are unknown from now on. */
  void forgetBuckets() {
    missed = null;
    buckets = null;
  }

  /** Keeps the counts by place if they hold in a changed collection. */
  void changed(CompiledCollection compiled) {
    ExpiryLanes lanes = ExpiryLanes.of(compiled);
    if (buckets != null && buckets.validUnder(lanes)) {
      missed = null;
      buckets = buckets.under(lanes);
    } else {
      resetBuckets(compiled);
    }
  }

  /** Returns whether somebody has needed counts by place that are unknown, or too coarse. */
  boolean bucketsWanted() {
    return bucketsWanted;
  }

  void wantBuckets() {
    bucketsWanted = true;
  }

  /** Begins to keep the changes that a reading of the lanes will not see. */
  MissedChanges beginMissing(ExpiryLanes lanes) {
    bucketsWanted = false;
    MissedChanges begun = new MissedChanges(lanes);
    missed = begun;
    return begun;
  }

  /**
   * Takes over counts by place that were read on a snapshot; returns false if too much has changed
   * since.
   *
   * @param since as begun with the snapshot
   */
  boolean install(LaneBuckets read, MissedChanges since) {
    if (missed != since) {
      return false;
    }
    since.changes.forEach(changes -> changes.applyTo(read));
    buckets = read;
    missed = null;
    bucketsWanted = false;
    return true;
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

  /** Returns whether {@link #counted()} expires only documents that are swept, and not stored. */
  boolean countedSwept() {
    return countedSwept;
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
    countedSwept = true;
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
    countedSwept = false;
    countedAt = target.now();
    pending = null;
    return true;
  }

  /** Stored documents that are not counted as dead. */
  Usage live() {
    return totals.stored().minus(dead);
  }
}
