package dev.mayfly.store.cassandra;

import dev.mayfly.store.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Deleted ranges of keys with the stamps of their deletes: disjoint, in order. Immutable. A later
 * delete replaces the earlier ones where they overlap.
 *
 * <p>A memtable has few of them: the sweep deletes a lane from its start again and again, which
 * stays one range.
 */
final class RangeDeletes {
  static final RangeDeletes NONE = new RangeDeletes(List.of());

  private final List<Deleted> ranges;

  private RangeDeletes(List<Deleted> ranges) {
    this.ranges = ranges;
  }

  /** A range, upper bound exclusive, that was deleted at a stamp. */
  @SuppressWarnings("ArrayRecordComponent") // nobody changes or compares them
  record Deleted(byte[] from, byte[] to, long stamp) {
    boolean contains(byte[] key) {
      return Arrays.compareUnsigned(from, key) <= 0 && Arrays.compareUnsigned(key, to) < 0;
    }

    Range range() {
      return Range.of(from, to);
    }
  }

  boolean isEmpty() {
    return ranges.isEmpty();
  }

  List<Deleted> all() {
    return ranges;
  }

  /** Returns the deleted range that contains a key; null if there is none. */
  @Nullable Deleted covering(byte[] key) {
    int low = 0;
    int high = ranges.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(ranges.get(middle).to, key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < ranges.size() && ranges.get(low).contains(key) ? ranges.get(low) : null;
  }

  RangeDeletes add(byte[] from, byte[] to, long stamp) {
    List<Deleted> changed = new ArrayList<>(ranges.size() + 2);
    Deleted added = new Deleted(from, to, stamp);
    boolean placed = false;
    for (Deleted range : ranges) {
      if (Arrays.compareUnsigned(range.to, from) <= 0) {
        changed.add(range);
        continue;
      }
      if (Arrays.compareUnsigned(range.from, from) < 0) {
        changed.add(new Deleted(range.from, from, range.stamp));
      }
      if (!placed) {
        changed.add(added);
        placed = true;
      }
      if (Arrays.compareUnsigned(to, range.to) < 0) {
        byte[] rest = Arrays.compareUnsigned(to, range.from) > 0 ? to : range.from;
        changed.add(new Deleted(rest, range.to, range.stamp));
      }
    }
    if (!placed) {
      changed.add(added);
    }
    return new RangeDeletes(List.copyOf(changed));
  }

  /** Returns the deletes without those whose stamp the predicate accepts. */
  RangeDeletes without(LongPredicate stamps) {
    List<Deleted> left = ranges.stream().filter(range -> !stamps.test(range.stamp)).toList();
    return left.size() == ranges.size() ? this : new RangeDeletes(left);
  }
}
