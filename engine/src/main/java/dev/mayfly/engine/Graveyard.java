package dev.mayfly.engine;

import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.DropFilter;
import dev.mayfly.store.Space;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells a compacting store which entries are dead: those whose document has been swept.
 *
 * <p>The same predicate as everywhere, asked about what is swept instead of what is expired: an
 * expired document that the sweep has not told to the feed yet is kept.
 */
final class Graveyard implements DropFilter {
  private final Map<Integer, Cutoffs> swept = new ConcurrentHashMap<>();

  /** Notes how far a shard is swept. */
  void swept(int shard, Cutoffs cutoffs) {
    swept.put(shard, cutoffs);
  }

  /** Forgets a shard that is gone. */
  void forget(int shard) {
    swept.remove(shard);
  }

  @Override
  public boolean drop(int shard, Space space, MemorySegment value) {
    Cutoffs cutoffs = swept.get(shard);
    if (cutoffs == null
        || cutoffs == Cutoffs.NONE
        || value.byteSize() < Header.MIN_LENGTH
        || (space != Space.RECORDS && space != Space.ENTRIES)) {
      return false;
    }
    int length = Header.bound(value.get(ValueLayout.JAVA_BYTE, 0));
    byte[] header = new byte[(int) Math.min(length, value.byteSize())];
    MemorySegment.copy(value, ValueLayout.JAVA_BYTE, 0, header, 0, header.length);
    return cutoffs.judge(header, 0) == Verdict.EXPIRED;
  }
}
