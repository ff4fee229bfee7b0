package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.LaneState;
import dev.mayfly.engine.liveness.SweptLanes;
import dev.mayfly.engine.storage.LaneEntry;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Counter of the documents between two cutoffs: live under one and expired under the other.
 *
 * <p>Used for the number of live documents, for forecasts and for the what-if of a rule change.
 * Documents that are counted by place ({@link LaneBuckets}) are not read: whole buckets between the
 * two cutoffs are added up, and only the lane entries of buckets at their edges are read. Without
 * these counts, the whole range of each lane between the two cutoffs is read. A document in several
 * lanes is counted in the one that expires it first. If a lane is not built yet, the records are
 * read instead.
 */
public final class LaneCounter {
  private final Cutoffs from;
  private final Cutoffs to;
  private final Map<Integer, Usage> counted = new TreeMap<>();
  private final List<Span> unread = new ArrayList<>();
  private boolean recordsUnread;

  /** Places of a lane whose entries have to be read, both ends included. */
  private record Span(int lane, long low, long high) {
    Range range() {
      byte[] start =
          low == Long.MIN_VALUE ? Layout.lanePrefix(lane) : Layout.lanePlaceEnd(lane, low - 1);
      return Range.of(start, Layout.lanePlaceEnd(lane, high));
    }
  }

  private LaneCounter(Cutoffs from, Cutoffs to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Starts a count of the documents that {@code to} expires and {@code from} does not, without
   * reading anything.
   *
   * @param fromSwept whether {@code from} expires only documents that are swept, and therefore not
   *     in the buckets
   * @param buckets as of the moment from which the rest is read; null if unknown
   */
  static LaneCounter of(
      CollectionState state,
      Cutoffs from,
      Cutoffs to,
      boolean fromSwept,
      @Nullable LaneBuckets buckets) {
    LaneCounter count = new LaneCounter(from, to);
    count.recordsUnread =
        !state.lanes().stream()
            .allMatch(lane -> lane.ready() || to.reach(lane.number()) == Long.MIN_VALUE);
    if (!count.recordsUnread) {
      boolean usable = buckets != null && count.usable(state, fromSwept, buckets);
      for (LaneState lane : state.lanes()) {
        count.lane(lane, fromSwept, usable && lane.kept() ? buckets : null);
      }
    }
    return count;
  }

  /**
   * Returns whether the buckets contain the documents of the lanes, and documents in several lanes
   * at the place where these cutoffs expire them.
   */
  private boolean usable(CollectionState state, boolean fromSwept, LaneBuckets buckets) {
    for (LaneState lane : state.lanes()) {
      boolean counts = lane.kept() && to.reach(lane.number()) != Long.MIN_VALUE;
      if (counts && !buckets.lanes().has(lane.number(), lane.since())) {
        return false;
      }
    }
    return !buckets.countsSeveral()
        || (buckets.lanes().rule(to) && (fromSwept || buckets.lanes().rule(from)));
  }

  public static Usage total(Map<Integer, Usage> perLane) {
    return perLane.values().stream().reduce(Usage.NONE, Usage::plus);
  }

  private void lane(LaneState state, boolean fromSwept, @Nullable LaneBuckets buckets) {
    int lane = state.number();
    long high = to.reach(lane);
    long before = from.of(lane);
    if (high == Long.MIN_VALUE || high <= before) {
      return;
    }
    long low = before == Long.MIN_VALUE ? before : before + 1;
    if (buckets == null) {
      unread.add(new Span(lane, low, high));
      return;
    }
    // between these, all documents of a bucket are live before and expired after
    long last = to.of(lane);
    long first = from.reach(lane);
    boolean follows = false;
    for (LaneBuckets.Bucket bucket : buckets.overlapping(lane, low, high)) {
      if (bucket.high() <= last && (fromSwept || bucket.low() > first)) {
        counted.merge(lane, bucket.usage(), Usage::plus);
        follows = false;
      } else {
        long start = follows ? unread.removeLast().low() : Math.max(low, bucket.low());
        unread.add(new Span(lane, start, Math.min(high, bucket.high())));
        follows = true;
      }
    }
  }

  /** Returns whether nothing has to be read. */
  boolean isComplete() {
    return unread.isEmpty() && !recordsUnread;
  }

  /** Reads the rest and returns the documents per lane. */
  Map<Integer, Usage> count(Reader reader, SweptLanes sweptLanes) {
    if (recordsUnread) {
      records(reader, sweptLanes);
    }
    for (Span span : unread) {
      try (Scan scan = reader.scan(Space.QUEUES, span.range(), Direction.UP)) {
        while (scan.next()) {
          entry(reader, sweptLanes, span.lane(), scan.key(), scan.value());
        }
      }
    }
    return counted;
  }

  /**
   * Returns the records of some documents that are to be counted, without counting them.
   *
   * @param most how many are enough
   */
  public static Collection<byte[]> records(
      CollectionState state,
      Cutoffs from,
      Cutoffs to,
      Reader reader,
      SweptLanes sweptLanes,
      int most) {
    LaneCounter counter = of(state, from, to, false, null);
    Map<ByteKey, byte[]> found = new LinkedHashMap<>();
    if (counter.recordsUnread) {
      counter.find(reader, Space.RECORDS, Range.all(), key -> key, sweptLanes, most, found);
    }
    for (Span span : counter.unread) {
      counter.find(
          reader, Space.QUEUES, span.range(), Layout::lanePrimaryKey, sweptLanes, most, found);
    }
    return found.values();
  }

  private void find(
      Reader reader,
      Space space,
      Range range,
      UnaryOperator<byte[]> primaryKey,
      SweptLanes sweptLanes,
      int most,
      Map<ByteKey, byte[]> found) {
    try (Scan scan = reader.scan(space, range, Direction.UP)) {
      while (found.size() < most && scan.next()) {
        byte[] key = primaryKey.apply(scan.key());
        byte[] record = reader.read(Space.RECORDS, key);
        if (record != null
            && !sweptLanes.covers(record, key)
            && !from.expired(record)
            && to.expired(record)) {
          found.put(new ByteKey(key), record);
        }
      }
    }
  }

  private void entry(Reader reader, SweptLanes sweptLanes, int lane, byte[] key, byte[] value) {
    byte[] primaryKey = Layout.lanePrimaryKey(key);
    Verdict swept = sweptLanes.judge(value, primaryKey);
    Verdict before = from.judge(value, 0);
    if (swept == Verdict.EXPIRED || before == Verdict.EXPIRED) {
      return;
    }
    Verdict after = to.judge(value, 0);
    if (swept == Verdict.LIVE && before == Verdict.LIVE && after != Verdict.UNKNOWN) {
      if (after == Verdict.EXPIRED && to.expiringLane(value, false) == lane) {
        add(lane, LaneEntry.documentBytes(value));
      }
      return;
    }
    byte[] record = reader.read(Space.RECORDS, primaryKey);
    if (record != null && !sweptLanes.covers(record, primaryKey) && !from.expired(record)) {
      if (to.expiringLane(record, true) == lane) {
        add(lane, LaneEntry.documentBytes(value));
      }
    }
  }

  private void records(Reader reader, SweptLanes sweptLanes) {
    try (Scan scan = reader.scan(Space.RECORDS, Range.all(), Direction.UP)) {
      while (scan.next()) {
        byte[] record = scan.value();
        if (!sweptLanes.covers(record, scan.key()) && !from.expired(record) && to.expired(record)) {
          add(to.expiringLane(record, true), RecordFormat.document(record).length());
        }
      }
    }
  }

  private void add(int lane, long bytes) {
    counted.merge(lane, new Usage(1, bytes), Usage::plus);
  }
}
