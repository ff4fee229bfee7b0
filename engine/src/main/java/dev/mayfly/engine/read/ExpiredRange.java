package dev.mayfly.engine.read;

import dev.mayfly.engine.catalog.ExpiredDates;
import dev.mayfly.store.Range;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Range of keys of an index, or of the records, that belong to expired documents. */
final class ExpiredRange {
  private static final int DATE_BYTES = 8;

  private final byte[] from;
  private final byte[] to;

  private ExpiredRange(byte[] from, byte[] to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Returns the ranges without the keys of expired documents.
   *
   * @param prefix of all keys
   * @param descending whether later dates come first
   */
  static List<Range> cut(
      List<Range> ranges, byte[] prefix, ExpiredDates dates, boolean descending, Order order) {
    if (dates.isEmpty()) {
      return ranges;
    }
    ExpiredRange expired = of(prefix, dates, descending, order);
    List<Range> left = new ArrayList<>(ranges.size() + 1);
    for (Range range : ranges) {
      expired.cut(range, left);
    }
    return left;
  }

  private static ExpiredRange of(
      byte[] prefix, ExpiredDates dates, boolean descending, Order order) {
    byte[] earliest = key(prefix, dates.from(), descending, order);
    byte[] latest = key(prefix, dates.to(), descending, order);
    byte[] first = descending ? latest : earliest;
    boolean all = !descending && dates.from() == Long.MIN_VALUE;
    return new ExpiredRange(
        // no key lies between the type and its lowest date: a range that starts at the type is cut
        all ? Arrays.copyOf(first, first.length - DATE_BYTES) : first,
        Objects.requireNonNull(Range.prefix(descending ? earliest : latest).to()));
  }

  private static byte[] key(byte[] prefix, long date, boolean descending, Order order) {
    KeyWriter key = new KeyWriter().appendBytes(prefix);
    Value value = Value.date(date);
    return (descending ? key.appendDescending(value, order) : key.append(value, order)).bytes();
  }

  private void cut(Range range, List<Range> left) {
    byte[] start = range.from();
    byte[] end = range.to();
    if (start == null || Arrays.compareUnsigned(start, from) < 0) {
      byte[] before = end == null || Arrays.compareUnsigned(from, end) < 0 ? from : end;
      left.add(between(start, before));
    }
    if (end == null || Arrays.compareUnsigned(to, end) < 0) {
      byte[] after = start == null || Arrays.compareUnsigned(start, to) < 0 ? to : start;
      left.add(between(after, end));
    }
  }

  private static Range between(byte @Nullable [] start, byte @Nullable [] end) {
    if (start == null) {
      return end == null ? Range.all() : Range.to(end);
    }
    return end == null ? Range.from(start) : Range.of(start, end);
  }
}
