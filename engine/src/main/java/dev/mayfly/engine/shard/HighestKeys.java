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
 * Where the keys of a shard end: above a floor nothing is stored but what is named here. Ids mostly
 * grow, so most inserts need not ask the store whether theirs is free. Guarded by the shard's lock.
 */
final class HighestKeys {
  /** Those who write at the same time bring their ids in some disorder; this much is forgiven. */
  private static final int MOST_NAMED = 250;

  /** What may be stored above the floor. Some of it may be gone, or never have been committed. */
  private final NavigableSet<byte[]> named = new TreeSet<>(Arrays::compareUnsigned);

  private byte @Nullable [] floor;

  private HighestKeys(byte @Nullable [] floor) {
    this.floor = floor;
  }

  /** Of a shard as it is stored now. */
  static HighestKeys of(Reader shard) {
    try (Scan last = shard.scan(Space.RECORDS, Range.all(), Direction.DOWN)) {
      return new HighestKeys(last.next() ? last.key() : new byte[0]);
    }
  }

  /** One that rules nothing out. */
  static HighestKeys unknown() {
    return new HighestKeys(null);
  }

  /** Whether there is certainly no record under a key. */
  boolean rulesOut(byte[] key) {
    return isAbove(key) && !named.contains(key);
  }

  /** Notes that a record is about to be stored. */
  void add(byte[] key) {
    if (isAbove(key)) {
      named.add(key);
      if (named.size() > MOST_NAMED) {
        floor = named.pollFirst();
      }
    }
  }

  private boolean isAbove(byte[] key) {
    return floor != null && Arrays.compareUnsigned(key, floor) > 0;
  }
}
