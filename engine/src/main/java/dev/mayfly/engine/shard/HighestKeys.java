package dev.mayfly.engine.shard;

import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.util.Arrays;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Highest primary keys of a shard, and a floor: above the floor, no record exists except under
 * these keys. Ids mostly grow, so most inserts find out without a read that their id is free. Safe
 * for many threads that have locked the keys they use.
 */
final class HighestKeys {
  /**
   * Maximum number of keys above the floor. Concurrent writers insert ids slightly out of order.
   */
  private static final int MAX_RECENT = 250;

  /** Keys above the floor that may have a record. Some were deleted, or never committed. */
  private final ConcurrentSkipListSet<byte[]> recent =
      new ConcurrentSkipListSet<>(Arrays::compareUnsigned);

  private final AtomicInteger size = new AtomicInteger();

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
    // in this order: a key leaves the set after the floor has reached it
    return recent.contains(key) || !isAboveFloor(key);
  }

  /** Adds the key of a record that is about to be stored. */
  void add(byte[] key) {
    if (isAboveFloor(key)) {
      if (recent.add(key) && size.incrementAndGet() > MAX_RECENT) {
        raiseFloor();
      }
    }
    assert mayContain(key);
  }

  /** Raises the floor first: a key that is in neither place would count as free. */
  private synchronized void raiseFloor() {
    long start = HeldTime.start();
    byte[] lowest = recent.isEmpty() ? null : recent.first();
    if (lowest != null) {
      if (isAboveFloor(lowest)) {
        floor = lowest;
      }
      recent.remove(lowest);
      size.decrementAndGet();
    }
    HeldTime.end(HeldTime.Section.KEYS, start);
  }

  /** Returns whether a key is above the floor. Needs no lock. */
  boolean isAboveFloor(byte[] key) {
    byte[] lowest = floor;
    return lowest != null && Arrays.compareUnsigned(key, lowest) > 0;
  }
}
