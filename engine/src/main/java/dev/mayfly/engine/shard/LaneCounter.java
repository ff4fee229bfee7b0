package dev.mayfly.engine.shard;

import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.storage.LaneEntry;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counter of the documents between two cutoffs: live under one and expired under the other.
 *
 * <p>Used for the number of live documents, for forecasts and for the what-if of a rule change. It
 * reads only the range of each lane between the two cutoffs. A document in several lanes is counted
 * in the one that expires it first. If a lane is not built yet, the records are read instead.
 */
public final class LaneCounter {
  private final Reader reader;
  private final SweptLanes sweptLanes;
  private final Cutoffs from;
  private final Cutoffs to;
  private final Map<Integer, Usage> counted = new TreeMap<>();

  private LaneCounter(Reader reader, SweptLanes sweptLanes, Cutoffs from, Cutoffs to) {
    this.reader = reader;
    this.sweptLanes = sweptLanes;
    this.from = from;
    this.to = to;
  }

  /** Per lane, the documents that {@code to} expires and {@code from} does not. */
  public static Map<Integer, Usage> between(
      Reader reader, CollectionState state, SweptLanes sweptLanes, Cutoffs from, Cutoffs to) {
    LaneCounter count = new LaneCounter(reader, sweptLanes, from, to);
    boolean built =
        state.lanes().stream()
            .allMatch(lane -> lane.ready() || to.reach(lane.number()) == Long.MIN_VALUE);
    if (built) {
      state.lanes().forEach(lane -> count.lane(lane.number()));
    } else {
      count.records();
    }
    return count.counted;
  }

  public static Usage total(Map<Integer, Usage> perLane) {
    return perLane.values().stream().reduce(Usage.NONE, Usage::plus);
  }

  private void lane(int lane) {
    long high = to.reach(lane);
    long low = from.of(lane);
    if (high == Long.MIN_VALUE || high <= low) {
      return;
    }
    byte[] start = low == Long.MIN_VALUE ? Layout.lanePrefix(lane) : Layout.lanePlaceEnd(lane, low);
    Range range = Range.of(start, Layout.lanePlaceEnd(lane, high));
    try (Scan scan = reader.scan(Space.QUEUES, range, Direction.UP)) {
      while (scan.next()) {
        entry(lane, scan.key(), scan.value());
      }
    }
  }

  private void entry(int lane, byte[] key, byte[] value) {
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

  private void records() {
    try (Scan scan = reader.scan(Space.RECORDS, Range.all(), Direction.UP)) {
      while (scan.next()) {
        byte[] record = scan.value();
        if (!sweptLanes.covers(record, scan.key()) && !from.expired(record) && to.expired(record)) {
          add(to.expiringLane(record, true), WriteGroup.documentOf(record).length());
        }
      }
    }
  }

  private void add(int lane, long bytes) {
    counted.merge(lane, new Usage(1, bytes), Usage::plus);
  }
}
