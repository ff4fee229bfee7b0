package dev.mayfly.engine.shard;

import dev.mayfly.engine.catalog.CollectionState;
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
 * Compaction filter: drops the entries of documents that have been swept.
 *
 * <p>The same predicate as everywhere, asked about what is swept instead of what is expired: an
 * expired document that the sweep has not told to the feed yet is kept.
 *
 * <p>A mark of the sweep counts here only once it would survive a loss of power. Files that a
 * compaction writes do survive it: without the mark, a document would be gone that was never swept.
 */
public final class ExpiredEntryFilter implements CompactionFilter {
  /** The ticket of what was read when the shard was opened: older than any commit since. */
  private static final long NO_TICKET = Long.MAX_VALUE;

  private final Map<Integer, Grave> graves = new ConcurrentHashMap<>();

  /**
   * How far a shard is swept: as it is known to be on disk, and as it was committed since.
   *
   * @param older is kept beside the newest: with one alone, a sweep that goes on would be ahead of
   *     the disk whenever it is looked at
   * @param dropped bytes of documents whose records were dropped since this was last asked
   */
  private record Grave(
      SweptLanes onDisk,
      SweptLanes older,
      long olderTicket,
      SweptLanes newer,
      long newerTicket,
      LongAdder dropped) {
    Grave with(
        SweptLanes disk, SweptLanes first, long firstTicket, SweptLanes last, long lastTicket) {
      return new Grave(disk, first, firstTicket, last, lastTicket, dropped);
    }

    Grave swept(SweptLanes next, long ticket) {
      return older == onDisk || olderTicket == NO_TICKET
          ? with(onDisk, next, ticket, next, ticket)
          : with(onDisk, older, olderTicket, next, ticket);
    }

    Grave synced(long through) {
      if (newerTicket <= through) {
        return with(newer, newer, newerTicket, newer, newerTicket);
      }
      return olderTicket <= through ? with(older, newer, newerTicket, newer, newerTicket) : this;
    }

    Grave under(CollectionState state) {
      SweptLanes known = onDisk.under(state);
      SweptLanes first = older == onDisk ? known : older.under(state);
      return with(
          known, first, olderTicket, newer == older ? first : newer.under(state), newerTicket);
    }

    /** What was read when the shard was opened was committed before any ticket of now. */
    Grave ticketed(long ticket) {
      return newerTicket == NO_TICKET ? with(onDisk, older, ticket, newer, ticket) : this;
    }

    boolean waits() {
      return newer != onDisk;
    }
  }

  /** Notes how far a shard was swept when it was opened: what is committed next is newer. */
  void opened(int shard, SweptLanes stored) {
    SweptLanes none = stored.marks().isEmpty() ? stored : SweptLanes.NOTHING;
    graves.put(shard, new Grave(none, stored, NO_TICKET, stored, NO_TICKET, new LongAdder()));
  }

  /** Notes how far a shard is swept as it was read again: what is committed next is newer. */
  void recovered(int shard, SweptLanes stored) {
    graves.computeIfPresent(
        shard, (_, grave) -> grave.with(grave.onDisk(), stored, NO_TICKET, stored, NO_TICKET));
  }

  /** Notes how far a shard is swept by a commit with a ticket. */
  void swept(int shard, SweptLanes next, long ticket) {
    graves.computeIfPresent(shard, (_, grave) -> grave.swept(next, ticket));
  }

  /** Notes that commits of a shard up to a ticket survive loss of power. */
  void synced(int shard, long through) {
    Grave grave = graves.get(shard);
    if (grave != null && grave.waits()) {
      graves.computeIfPresent(shard, (_, known) -> known.synced(through));
    }
  }

  /** Has the places of lanes read as the collection now has them. */
  void under(int shard, CollectionState state) {
    graves.computeIfPresent(shard, (_, grave) -> grave.under(state));
  }

  /** Notes the ticket of a commit that came after all that was swept so far. */
  void ticketed(int shard, long ticket) {
    graves.computeIfPresent(shard, (_, grave) -> grave.ticketed(ticket));
  }

  /** Whether something was swept in a shard that is not known to be on disk. */
  boolean waits(int shard) {
    Grave grave = graves.get(shard);
    return grave != null && grave.waits();
  }

  /** The bytes of documents whose records were dropped since this was last asked. */
  long takeDropped(int shard) {
    Grave grave = graves.get(shard);
    return grave == null ? 0 : grave.dropped().sumThenReset();
  }

  /** Forgets a shard that is gone. */
  public void forget(int shard) {
    graves.remove(shard);
  }

  @Override
  public boolean drop(int shard, Space space, MemorySegment value) {
    Grave grave = graves.get(shard);
    if (grave == null) {
      return false;
    }
    Cutoffs cutoffs = grave.onDisk().cutoffs();
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
      grave.dropped().add(value.byteSize() - Header.length(header, 0));
    }
    return dead;
  }
}
