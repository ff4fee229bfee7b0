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
 * Highest keys of a shard: above a floor, nothing is stored except the keys in this set. Ids mostly
 * grow, so most inserts need no read to find out that theirs is free. Guarded by the shard's lock.
 */
final class HighestKeys {
  /** Concurrent writers insert their ids slightly out of order; this many keys are tolerated. */
  private static final int MOST_NAMED = 250;

  /** Keys that may be stored above the floor. Some may be deleted, or never have been committed. */
  private final NavigableSet<byte[]> named = new TreeSet<>(Arrays::compareUnsigned);

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

  /** An instance that rules nothing out. */
  static HighestKeys unknown() {
    return new HighestKeys(null);
  }

  /** Returns whether there is certainly no record with a key. */
  boolean rulesOut(byte[] key) {
    return isAboveFloor(key) && !named.contains(key);
  }

  /** Adds the key of a record that is about to be stored. */
  void add(byte[] key) {
    if (isAboveFloor(key)) {
      named.add(key);
      if (named.size() > MOST_NAMED) {
        floor = named.pollFirst();
      }
    }
  }

  /** Returns whether nothing but recent keys is stored from a key on. Needs no lock. */
  boolean isAboveFloor(byte[] key) {
    byte[] lowest = floor;
    return lowest != null && Arrays.compareUnsigned(key, lowest) > 0;
  }
}
