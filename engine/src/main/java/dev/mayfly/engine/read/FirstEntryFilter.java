package dev.mayfly.engine.read;

import dev.mayfly.engine.index.IndexKeys;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.shard.IndexEntryKeys;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Duplicate filter of a multikey index scan: accepts a document only at the first of its entries in
 * the scanned ranges. It computes the entries from the document and needs no memory of earlier
 * documents, so a scan can resume at any entry. Used by one thread at a time.
 */
final class FirstEntryFilter {
  private final byte[] prefix;
  private final boolean unique;
  private final IndexKeys keys;
  private final List<Range> ranges;
  private final Direction direction;
  private byte @Nullable [] first;

  /**
   * @param keys the index, or the part of it in which a document may have several entries
   * @param ranges the scanned ranges, ascending and disjoint
   */
  FirstEntryFilter(byte[] prefix, IndexSpec keys, List<Range> ranges, Direction direction) {
    this.prefix = prefix;
    this.unique = keys.unique();
    this.keys = new IndexKeys(keys);
    this.ranges = ranges;
    this.direction = direction;
  }

  /** Returns whether the scan meets no other entry of the document before this one. */
  boolean isFirst(byte[] entry, byte[] primaryKey, byte[] record) {
    first = null;
    keys.extract(
        RecordFormat.document(record),
        (values, length) -> offer(entry(primaryKey, values, length)));
    return first == null || Arrays.equals(first, entry);
  }

  private byte[] entry(byte[] primaryKey, byte[] values, int length) {
    return unique
        ? IndexEntryKeys.unique(prefix, values, length)
        : IndexEntryKeys.whole(prefix, primaryKey, values, length);
  }

  private void offer(byte[] entry) {
    if (!isRead(entry)) {
      return;
    }
    byte[] best = first;
    boolean earlier =
        best == null || (Arrays.compareUnsigned(entry, best) < 0) == (direction == Direction.UP);
    first = earlier ? entry : best;
  }

  /** Returns whether an entry is in one of the ranges, by binary search. */
  private boolean isRead(byte[] entry) {
    int low = 0;
    int high = ranges.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      byte[] from = ranges.get(middle).from();
      if (from == null || Arrays.compareUnsigned(from, entry) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low > 0 && ranges.get(low - 1).contains(entry);
  }
}
