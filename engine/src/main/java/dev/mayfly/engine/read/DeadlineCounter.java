package dev.mayfly.engine.read;

import dev.mayfly.engine.Forecast.Series.Spans;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.LaneState;
import dev.mayfly.engine.liveness.SweptLanes;
import dev.mayfly.engine.shard.LaneBuckets;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.LaneEntry;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Counter of the live documents of a shard by deadline, for several spans of time at once.
 *
 * <p>Documents that are counted by place ({@link LaneBuckets}) are added up without reading them,
 * if all of a bucket expire in one span. Only lane entries of other buckets are read, each once and
 * in the order of the spans, so that the count can be stopped and is exact up to there. A document
 * in several lanes is counted in the one that expires it first. If a lane is not built yet, all
 * records are read once instead.
 *
 * <p>Counts on a snapshot. Must be closed; used by one thread.
 */
public final class DeadlineCounter implements AutoCloseable {
  /** How many entries are read between two checks whether to stop. */
  private static final int CHECK_INTERVAL = 1024;

  private final Schedule rules;
  private final Cutoffs live;
  private final SweptLanes sweptLanes;
  private final Snapshot snapshot;
  private final long now;
  private final Spans spans;
  private final List<Map<Integer, Usage>> counted = new ArrayList<>();
  private final List<List<Places>> unread = new ArrayList<>();
  private boolean recordsUnread;
  private int sinceCheck;

  /** Places of a lane whose entries have to be read, both ends included. */
  private record Places(int lane, long low, long high) {
    Range range() {
      byte[] start =
          low == Long.MIN_VALUE ? Layout.lanePrefix(lane) : Layout.lanePlaceEnd(lane, low - 1);
      return Range.of(start, Layout.lanePlaceEnd(lane, high));
    }
  }

  private DeadlineCounter(ShardOwner owner, Schedule rules, Cutoffs live, long now, Spans spans) {
    this.rules = rules;
    this.live = live;
    this.sweptLanes = owner.sweptLanes();
    this.snapshot = owner.shard().snapshot();
    this.now = now;
    this.spans = spans;
    for (int i = 0; i <= spans.count(); i++) {
      counted.add(new TreeMap<>());
      unread.add(new ArrayList<>());
    }
  }

  /**
   * Starts a count, without reading anything.
   *
   * @param state the collection with the lanes of the rules
   * @param rules give the deadlines
   * @param current decides which documents are live now; without the marks of the sweep
   */
  public static DeadlineCounter of(
      ShardOwner owner,
      CollectionState state,
      Schedule rules,
      Schedule current,
      long now,
      Spans spans) {
    owner.lock().lock();
    try {
      Cutoffs live = current.with(owner.sweptLanes().marks()).at(now);
      DeadlineCounter counter = new DeadlineCounter(owner, rules, live, now, spans);
      counter.start(state, owner.liveCounter().buckets());
      return counter;
    } finally {
      owner.lock().unlock();
    }
  }

  private void start(CollectionState state, @Nullable LaneBuckets buckets) {
    recordsUnread = rules.lanes().stream().anyMatch(lane -> !ready(state, lane, LaneState::ready));
    if (recordsUnread) {
      return;
    }
    LaneBuckets known = buckets != null && usable(state, buckets) ? buckets : null;
    for (Lane lane : rules.lanes()) {
      long cutoff = lane.cutoff(now);
      long low = cutoff == Long.MIN_VALUE ? cutoff : cutoff + 1;
      if (known != null) {
        for (LaneBuckets.Bucket bucket : known.overlapping(lane.number(), low, Long.MAX_VALUE)) {
          add(lane, low, bucket);
        }
      } else {
        read(lane, low, Long.MAX_VALUE);
      }
    }
  }

  private static boolean ready(CollectionState state, Lane lane, Predicate<LaneState> ready) {
    return state.lanes().stream()
        .anyMatch(candidate -> candidate.number() == lane.number() && ready.test(candidate));
  }

  /**
   * Returns whether the buckets contain the documents of the lanes, and documents in several lanes
   * at the place where these rules expire them.
   */
  private boolean usable(CollectionState state, LaneBuckets buckets) {
    return rules.lanes().stream()
            .allMatch(
                lane ->
                    buckets.lanes().has(lane.number(), lane.since())
                        && ready(state, lane, LaneState::kept))
        && (!buckets.countsSeveral()
            || (buckets.lanes().rule(live)
                && buckets.lanes().rule(new Schedule(rules.lanes(), List.of()).at(now))));
  }

  private void add(Lane lane, long low, LaneBuckets.Bucket bucket) {
    int first = span(lane, bucket.low());
    boolean whole =
        first == span(lane, bucket.high())
            && bucket.low() >= low
            && bucket.low() > live.reach(lane.number());
    if (!whole) {
      read(lane, Math.max(low, bucket.low()), bucket.high());
    } else if (first < counted.size()) {
      counted.get(first).merge(lane.number(), bucket.usage(), Usage::plus);
    }
  }

  /** The span of a place; the number of spans if it is later, more if it never expires. */
  private int span(Lane lane, long place) {
    return span(Deadline.of(place, lane.lifeMillis()));
  }

  private int span(long deadline) {
    if (deadline == Deadline.NEVER) {
      return counted.size();
    }
    long past = Math.max(deadline, now + 1) - now - 1;
    return past < 0 ? spans.count() : (int) Math.min(past / spans.spanMillis(), spans.count());
  }

  /** Notes places to read, divided by spans. */
  private void read(Lane lane, long low, long high) {
    long next = low;
    int last = Math.min(span(lane, high), spans.count());
    for (int i = span(lane, low); i <= last; i++) {
      long end = i == last ? high : Math.min(high, spans.end(now, i) - lane.lifeMillis());
      unread.get(i).add(new Places(lane.number(), next, end));
      next = end + 1;
    }
  }

  /**
   * Reads all records, if a lane is not built yet.
   *
   * @return false if it was stopped before the end
   */
  public boolean readRecords(BooleanSupplier stop) {
    if (!recordsUnread) {
      return true;
    }
    try (Scan scan = snapshot.scan(Space.RECORDS, Range.all(), Direction.UP)) {
      while (scan.next()) {
        if (stopped(stop)) {
          return false;
        }
        byte[] record = scan.value();
        if (!sweptLanes.covers(record, scan.key()) && !live.expired(record)) {
          rules
              .earliest(record)
              .ifPresent(lane -> add(lane, record, RecordFormat.document(record).length()));
        }
      }
    }
    return true;
  }

  /**
   * Reads what is missing for a span.
   *
   * @param span the number of spans for what expires later
   * @return false if it was stopped before the end
   */
  public boolean read(int span, BooleanSupplier stop) {
    for (Places places : unread.get(span)) {
      try (Scan scan = snapshot.scan(Space.QUEUES, places.range(), Direction.UP)) {
        while (scan.next()) {
          if (stopped(stop)) {
            return false;
          }
          entry(places.lane(), scan.key(), scan.value());
        }
      }
    }
    return !stop.getAsBoolean();
  }

  private boolean stopped(BooleanSupplier stop) {
    return ++sinceCheck % CHECK_INTERVAL == 0 && stop.getAsBoolean();
  }

  private void entry(int lane, byte[] key, byte[] value) {
    byte[] primaryKey = Layout.lanePrimaryKey(key);
    Verdict swept = sweptLanes.judge(value, primaryKey);
    Verdict before = live.judge(value, 0);
    if (swept == Verdict.EXPIRED || before == Verdict.EXPIRED) {
      return;
    }
    byte[] known = value;
    if (swept != Verdict.LIVE || before != Verdict.LIVE || !rules.coveredBy(value)) {
      byte[] record = snapshot.read(Space.RECORDS, primaryKey);
      if (record == null || sweptLanes.covers(record, primaryKey) || live.expired(record)) {
        return;
      }
      known = record;
    }
    byte[] decisive = known;
    rules
        .earliest(decisive)
        .filter(first -> first.number() == lane)
        .ifPresent(first -> add(first, decisive, LaneEntry.documentBytes(value)));
  }

  private void add(Lane lane, byte[] record, long bytes) {
    long deadline = Deadline.of(Schedule.placeOf(lane, record), lane.lifeMillis());
    int span = span(deadline);
    if (!Deadline.passed(deadline, now) && span < counted.size()) {
      counted.get(span).merge(lane.number(), new Usage(1, bytes), Usage::plus);
    }
  }

  /**
   * Returns what was counted so far, by lane.
   *
   * @param span the number of spans for what expires later
   */
  public Map<Integer, Usage> counted(int span) {
    return counted.get(span);
  }

  @Override
  public void close() {
    snapshot.close();
  }
}
