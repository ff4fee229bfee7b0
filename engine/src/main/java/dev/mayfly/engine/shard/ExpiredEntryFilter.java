package dev.mayfly.engine.shard;

import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.liveness.SweptLanes;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.CompactionFilter;
import dev.mayfly.store.Space;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Compaction filter: drops records and index entries of documents that have been swept.
 *
 * <p>It evaluates the expiry predicate with the marks of the sweep only. It keeps an expired
 * document that is not swept yet, because its expiry is not in the feed.
 *
 * <p>It uses a mark only once the mark survives a power failure, as the files of a compaction do.
 * Otherwise a document could be lost that, after the failure, was never swept. Safe for many
 * threads.
 */
public final class ExpiredEntryFilter implements CompactionFilter {
  /** The unknown ticket of marks that were read from the store. */
  private static final long NO_TICKET = Long.MAX_VALUE;

  private final Map<Integer, Progress> shards = new ConcurrentHashMap<>();

  /**
   * Sweep progress of a shard: on disk for certain, and as committed later. Immutable, except for
   * the counter.
   *
   * @param older the oldest committed progress that is not on disk for certain; with the newest
   *     alone, a busy sweep would always be ahead of the disk
   * @param dropped bytes of documents whose records were dropped since the last call of {@link
   *     #takeDropped}
   */
  private record Progress(
      SweptLanes onDisk,
      SweptLanes older,
      long olderTicket,
      SweptLanes newer,
      long newerTicket,
      LongAdder dropped) {
    Progress {
      assert olderTicket <= newerTicket;
      assert newer != onDisk || older == onDisk;
    }

    Progress with(
        SweptLanes disk, SweptLanes first, long firstTicket, SweptLanes last, long lastTicket) {
      return new Progress(disk, first, firstTicket, last, lastTicket, dropped);
    }

    Progress swept(SweptLanes next, long ticket) {
      return older == onDisk || olderTicket == NO_TICKET
          ? with(onDisk, next, ticket, next, ticket)
          : with(onDisk, older, olderTicket, next, ticket);
    }

    Progress synced(long through) {
      if (newerTicket <= through) {
        return with(newer, newer, newerTicket, newer, newerTicket);
      }
      return olderTicket <= through ? with(older, newer, newerTicket, newer, newerTicket) : this;
    }

    Progress under(CollectionState state) {
      SweptLanes known = onDisk.under(state);
      SweptLanes first = older == onDisk ? known : older.under(state);
      return with(
          known, first, olderTicket, newer == older ? first : newer.under(state), newerTicket);
    }

    /**
     * Sets the ticket of marks that were read from the store: they were committed before any ticket
     * since.
     */
    Progress ticketed(long ticket) {
      return newerTicket == NO_TICKET ? with(onDisk, older, ticket, newer, ticket) : this;
    }

    boolean isAheadOfDisk() {
      return newer != onDisk;
    }
  }

  /** Records the sweep progress of a shard as it was read on opening. */
  void opened(int shard, SweptLanes stored) {
    SweptLanes none = stored.marks().isEmpty() ? stored : SweptLanes.NOTHING;
    shards.put(shard, new Progress(none, stored, NO_TICKET, stored, NO_TICKET, new LongAdder()));
  }

  /** Records the sweep progress of a shard as it was read again after a failed commit. */
  void recovered(int shard, SweptLanes stored) {
    shards.computeIfPresent(
        shard,
        (_, progress) -> progress.with(progress.onDisk(), stored, NO_TICKET, stored, NO_TICKET));
  }

  /** Records the sweep progress of a commit. */
  void swept(int shard, SweptLanes next, long ticket) {
    shards.computeIfPresent(shard, (_, progress) -> progress.swept(next, ticket));
  }

  /** Records that commits of a shard up to a ticket survive a power failure. */
  void synced(int shard, long through) {
    Progress progress = shards.get(shard);
    if (progress != null && progress.isAheadOfDisk()) {
      shards.computeIfPresent(shard, (_, known) -> known.synced(through));
    }
  }

  /** Applies a changed collection to the marks of a shard. */
  void under(int shard, CollectionState state) {
    shards.computeIfPresent(shard, (_, progress) -> progress.under(state));
  }

  /** Records the ticket of a commit that followed all marks so far. */
  void ticketed(int shard, long ticket) {
    shards.computeIfPresent(shard, (_, progress) -> progress.ticketed(ticket));
  }

  /** Returns whether marks of a shard may not be on disk yet. */
  boolean hasUnsyncedMarks(int shard) {
    Progress progress = shards.get(shard);
    return progress != null && progress.isAheadOfDisk();
  }

  /** Returns the bytes of documents whose records were dropped since the last call. */
  long takeDropped(int shard) {
    Progress progress = shards.get(shard);
    return progress == null ? 0 : progress.dropped().sumThenReset();
  }

  /** Removes a dropped shard. */
  public void forget(int shard) {
    shards.remove(shard);
  }

  @Override
  public boolean drop(int shard, Space space, MemorySegment value) {
    Progress progress = shards.get(shard);
    if (progress == null) {
      return false;
    }
    Cutoffs cutoffs = progress.onDisk().cutoffs();
    if (cutoffs == Cutoffs.NONE
        || value.byteSize() < Header.MIN_LENGTH
        || (space != Space.RECORDS && space != Space.ENTRIES)) {
      return false;
    }
    int length = Header.bound(value.get(ValueLayout.JAVA_BYTE, 0));
    byte[] header = new byte[(int) Math.min(length, value.byteSize())];
    MemorySegment.copy(value, ValueLayout.JAVA_BYTE, 0, header, 0, header.length);
    boolean dead = cutoffs.judge(header, 0) == Verdict.EXPIRED;
    if (dead && space == Space.RECORDS) {
      progress.dropped().add(value.byteSize() - Header.length(header, 0));
    }
    return dead;
  }
}
