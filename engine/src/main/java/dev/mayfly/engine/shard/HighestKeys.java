package dev.mayfly.engine.shard;

import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.util.Arrays;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Highest primary keys of a shard, and a floor: above the floor, no record exists except under
 * these keys. Ids mostly grow, so most inserts find out without a read that their id is free.
 * Guarded by the shard's lock, except {@link #isAboveFloor}.
 */
final class HighestKeys {
  /**
   * Maximum number of keys above the floor. Concurrent writers insert ids slightly out of order.
   */
  private static final int MAX_RECENT = 250;

  /** Keys above the floor that may have a record. Some were deleted, or never committed. */
  private final NavigableSet<byte[]> recent = new TreeSet<>(Arrays::compareUnsigned);

  private volatile byte @Nullable [] floor;

  private HighestKeys(byte @Nullable [] floor) {
    this.floor = floor;
  }

  /** Reads the highest key of a shard. */
  static HighestKeys of(Reader shard) {
    try (Scan last = shard.scan(Space.RECORDS, Range.all(), Direction.DOWN)) {
      return new HighestKeys(last.next() ? last.key() : new byte[0]);
    }
  }

  /** An instance for which every key may exist. */
  static HighestKeys unknown() {
    return new HighestKeys(null);
  }

  /** Returns whether a record with a key may exist; false is certain. */
  boolean mayContain(byte[] key) {
    return !isAboveFloor(key) || recent.contains(key);
  }

  /** Adds the key of a record that is about to be stored. */
  void add(byte[] key) {
    if (isAboveFloor(key)) {
      recent.add(key);
      if (recent.size() > MAX_RECENT) {
        floor = recent.pollFirst();
      }
    }
    assert mayContain(key);
    assert recent.size() <= MAX_RECENT;
  }

  /** Returns whether a key is above the floor. Needs no lock. */
  boolean isAboveFloor(byte[] key) {
    byte[] lowest = floor;
    return lowest != null && Arrays.compareUnsigned(key, lowest) > 0;
  }
}
