package dev.mayfly.engine.shard;

import dev.mayfly.engine.Usage;
import dev.mayfly.engine.storage.FeedFormat;
import dev.mayfly.expiry.Cutoffs;
import org.jspecify.annotations.Nullable;

/**
 * How many documents a shard holds, and how many of them are dead at an instant.
 *
 * <p>Stored documents are counted exactly with every commit. The dead among them are counted along
 * the lanes: each lane entry once, when the cutoff has moved over it. Guarded by the shard's lock.
 */
public final class DocumentCounts {
  private FeedFormat.Totals totals = FeedFormat.Totals.NONE;
  private Usage dead = Usage.NONE;
  private Cutoffs counted = Cutoffs.NONE;
  private long countedAt = Long.MIN_VALUE;
  private @Nullable Cutoffs pending;
  private Usage meanwhile = Usage.NONE;

  /** What one group of writes will change, gathered before it commits. */
  public final class Delta {
    private Usage stored = Usage.NONE;
    private Usage deadChange = Usage.NONE;
    private Usage pendingChange = Usage.NONE;

    void added(byte[] record, long bytes) {
      count(record, new Usage(1, bytes));
    }

    void removed(byte[] record, long bytes) {
      count(record, new Usage(-1, -bytes));
    }

    private void count(byte[] record, Usage change) {
      count(change, counted.expired(record), pending != null && pending.expired(record));
    }

    /**
     * Counts a document of which is known whether it is dead under what was, and will be counted.
     */
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

    /** What will be live, as far as counted, once this is applied. */
    Usage liveAfter() {
      return storedAfter().minus(dead).minus(deadChange);
    }

    /** What will be stored once this is applied. */
    Usage storedAfter() {
      return totals.stored().plus(stored);
    }
  }

  Delta delta() {
    return new Delta();
  }

  void apply(Delta delta, long feedOffset) {
    totals = new FeedFormat.Totals(delta.storedAfter(), feedOffset);
    dead = dead.plus(delta.deadChange);
    meanwhile = meanwhile.plus(delta.pendingChange);
  }

  void restore(FeedFormat.Totals stored) {
    totals = stored;
  }

  public FeedFormat.Totals totals() {
    return totals;
  }

  /** Up to where the dead have been counted. */
  public Cutoffs counted() {
    return counted;
  }

  /** The latest instant for which they have been counted under the rules of now. */
  long countedAt() {
    return countedAt;
  }

  /** Up to where they are being counted just now, if they are. */
  @Nullable
  public Cutoffs pending() {
    return pending;
  }

  /** Forgets what was counted: the rules have changed. */
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

  /** Takes what was counted between {@link #counted()} and the target, unless rules changed. */
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

  /** Stored documents that are not dead as far as counted. */
  Usage live() {
    return totals.stored().minus(dead);
  }
}
