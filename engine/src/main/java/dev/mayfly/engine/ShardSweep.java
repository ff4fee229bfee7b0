package dev.mayfly.engine;

import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Mark;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps one shard: walks each lane from its low end up to the cutoff, tells the expiries to the
 * feed and clears the lane behind itself with one range delete.
 *
 * <p>Where the store drops dead entries while it compacts, that is all: records and index entries
 * go without a delete. Where it cannot, or where a document is older than the lane and its entries
 * do not tell their place, they are deleted here.
 *
 * <p>The walk takes no lock. What it has found is committed under the shard's lock only if no write
 * has disturbed it; otherwise, and wherever a watermark makes some entries stay, the slice is
 * walked again inside the lock. A place is finished on one lane before another lane is taken up, so
 * that a document in two lanes is told once. Used by one thread at a time.
 */
final class ShardSweep {
  private static final int SLICE_BYTES = 256 * 1024;

  private final ShardOwner owner;
  private final boolean dropsByItself;
  private final Map<Integer, Long> passed = new ConcurrentHashMap<>();
  private int currentLane = -1;
  private byte @Nullable [] resume;

  /**
   * @param dropsByItself whether the store drops dead entries while it compacts
   */
  ShardSweep(ShardOwner owner, boolean dropsByItself) {
    this.owner = owner;
    this.dropsByItself = dropsByItself;
  }

  /** What one slice has done. */
  record Slice(Usage swept, boolean more) {
    static final Slice NOTHING = new Slice(Usage.NONE, false);
  }

  /** What a sweep at an instant may remove: rules and watermarks as they were a grace ago. */
  private record Limit(Compiled compiled, Schedule schedule, Cutoffs cutoffs) {}

  private Limit limitAt(Compiled compiled, long instant) {
    CollectionState state = compiled.state();
    List<Watermark> ahead =
        state.watermarksAt(instant).stream().filter(mark -> !passed(mark)).toList();
    Schedule schedule = Rules.schedule(state, state.rulesAt(instant), ahead);
    return new Limit(compiled, schedule, schedule.at(instant));
  }

  /** Whether all that a watermark keeps dead has been swept. */
  boolean passed(Watermark watermark) {
    return watermark.sequence() <= passed.getOrDefault(watermark.lane(), Long.MIN_VALUE);
  }

  /** What a walk over a stretch of one lane has found. */
  private static final class Walk {
    private final Feed.Expiries expiries = new Feed.Expiries();
    private final List<byte[]> survivors = new ArrayList<>();
    private final List<byte[]> explicit = new ArrayList<>();
    private byte @Nullable [] last;
    private boolean finished;
    private boolean placeFinished = true;
    private Usage removed = Usage.NONE;
    private Usage deadAsCounted = Usage.NONE;
    private Usage deadAsPending = Usage.NONE;
  }

  /**
   * Sweeps one slice.
   *
   * @param horizon nothing that expired after this instant is removed: someone may still read it
   * @param budget how many lane entries to walk at most
   */
  Slice slice(long now, long horizon, int budget) {
    Compiled compiled = owner.compiled();
    long instant = Math.min(now, horizon) - compiled.spec().timeToLive().graceMillis();
    Limit limit = limitAt(compiled, instant);
    int lane = nextLane(limit);
    if (lane < 0) {
      return Slice.NOTHING;
    }
    boolean someStay = limit.cutoffs().reach(lane) > limit.cutoffs().of(lane);
    Optional<Slice> done = someStay ? Optional.empty() : outside(limit, lane, now, budget);
    return done.orElseGet(() -> inside(limit, lane, now, budget));
  }

  /** The lane to go on with: the one whose place is unfinished, else the next with work. */
  private int nextLane(Limit limit) {
    List<LaneState> lanes = limit.compiled().state().lanes();
    int unfinished = currentLane;
    if (lanes.stream().anyMatch(lane -> lane.number() == unfinished)
        && limit.cutoffs().reach(unfinished) != Long.MIN_VALUE) {
      return unfinished;
    }
    currentLane = -1;
    resume = null;
    for (LaneState lane : lanes) {
      if (lane.ready() && due(limit, lane.number())) {
        return lane.number();
      }
    }
    return -1;
  }

  private boolean due(Limit limit, int lane) {
    long reach = limit.cutoffs().reach(lane);
    if (reach == Long.MIN_VALUE) {
      return false;
    }
    byte[] end = Layout.lanePlaceEnd(lane, reach);
    try (Scan scan = scan(lowOf(lane), end)) {
      while (scan.next()) {
        if (limit.cutoffs().judge(scan.value(), 0) != Verdict.LIVE) {
          return true;
        }
      }
      for (Mark mark : limit.schedule().marks()) {
        if (mark.lane() == lane) {
          passed.merge(lane, mark.sequence(), Math::max);
        }
      }
      return false;
    }
  }

  private byte[] lowOf(int lane) {
    owner.lock().lock();
    try {
      return owner.lanes().low(lane);
    } finally {
      owner.lock().unlock();
    }
  }

  private Scan scan(byte[] from, byte[] to) {
    return owner.shard().scan(Space.QUEUES, Range.of(from, to), Direction.UP);
  }

  /** Walks without the lock; empty when a write got in between. */
  private Optional<Slice> outside(Limit limit, int lane, long now, int budget) {
    long disturbances;
    byte[] start;
    Cutoffs counted;
    Cutoffs pending;
    owner.lock().lock();
    try {
      if (owner.compiled() != limit.compiled()) {
        return Optional.of(new Slice(Usage.NONE, true));
      }
      owner.lanes().fence(lane, limit.cutoffs().reach(lane));
      disturbances = owner.lanes().disturbances();
      start = owner.lanes().low(lane);
      counted = owner.tally().counted();
      pending = owner.tally().pending();
    } finally {
      owner.lock().unlock();
    }
    Walk walk = walk(limit, lane, start, budget, counted, pending);
    owner.lock().lock();
    try {
      boolean undisturbed =
          owner.lanes().disturbances() == disturbances
              && owner.compiled() == limit.compiled()
              && owner.tally().counted() == counted
              && owner.tally().pending() == pending;
      return undisturbed ? Optional.of(commit(limit, lane, start, walk, now)) : Optional.empty();
    } finally {
      owner.lock().unlock();
    }
  }

  /** Walks and commits inside the lock. */
  private Slice inside(Limit limit, int lane, long now, int budget) {
    owner.lock().lock();
    try {
      if (owner.compiled() != limit.compiled()) {
        resume = null;
        return new Slice(Usage.NONE, true);
      }
      byte[] start = resume == null ? owner.lanes().low(lane) : resume;
      Cutoffs counted = owner.tally().counted();
      Walk walk = walk(limit, lane, start, budget, counted, owner.tally().pending());
      return commit(limit, lane, start, walk, now);
    } finally {
      owner.lock().unlock();
    }
  }

  private Walk walk(
      Limit limit, int lane, byte[] start, int budget, Cutoffs counted, @Nullable Cutoffs pending) {
    Walk walk = new Walk();
    byte[] end = Layout.lanePlaceEnd(lane, limit.cutoffs().reach(lane));
    try (Scan scan = scan(start, end)) {
      int seen = 0;
      while (scan.next()) {
        byte[] key = scan.key();
        if (seen >= budget || walk.expiries.bytes() > SLICE_BYTES) {
          byte[] last = walk.last;
          walk.placeFinished = last == null || Layout.place(key) != Layout.place(last);
          return walk;
        }
        seen++;
        entry(limit, lane, key, scan.value(), walk, counted, pending);
        walk.last = key;
      }
    }
    walk.finished = true;
    return walk;
  }

  private void entry(
      Limit limit,
      int lane,
      byte[] key,
      byte[] value,
      Walk walk,
      Cutoffs counted,
      @Nullable Cutoffs pending) {
    byte[] primaryKey = Layout.lanePrimaryKey(key);
    Verdict gone = owner.swept().judge(value, primaryKey);
    if (gone == Verdict.EXPIRED) {
      return;
    }
    Verdict dead = limit.cutoffs().judge(value, 0);
    boolean older = olderThanLane(limit, lane, value);
    boolean images = limit.compiled().spec().feed().images().before();
    boolean deletes = !dropsByItself || older;
    boolean unsure = gone == Verdict.UNKNOWN || dead == Verdict.UNKNOWN;
    if (dead == Verdict.LIVE && !unsure) {
      walk.survivors.add(key);
      walk.survivors.add(value);
      return;
    }
    if (!unsure && !deletes && !images) {
      bury(walk, limit, value, false, primaryKey, LaneEntry.spelled(value), Document.EMPTY);
      count(walk, value, LaneEntry.documentBytes(value), counted, pending, primaryKey);
      return;
    }
    byte[] record = owner.record(primaryKey);
    if (record == null
        || Header.born(record, 0) != Header.born(value, 0)
        || owner.swept().covers(record, primaryKey)) {
      return;
    }
    if (!limit.cutoffs().expired(record)) {
      walk.survivors.add(key);
      walk.survivors.add(value);
      return;
    }
    Document document = Group.documentOf(record);
    bury(
        walk,
        limit,
        record,
        true,
        primaryKey,
        LaneEntry.spelled(value),
        images ? document : Document.EMPTY);
    count(walk, record, document.length(), counted, pending, primaryKey);
    if (deletes) {
      walk.explicit.add(primaryKey);
    }
  }

  /** Whether other entries of the document may not tell its place on this lane. */
  private static boolean olderThanLane(Limit limit, int lane, byte[] value) {
    long since = Long.MIN_VALUE;
    for (LaneState state : limit.compiled().state().lanes()) {
      if (state.number() == lane) {
        since = state.since();
      }
    }
    return Header.sequence(value, 0) < since;
  }

  private static void bury(
      Walk walk,
      Limit limit,
      byte[] entry,
      boolean withDocument,
      byte[] primaryKey,
      byte[] spelled,
      Document before) {
    long deadline = deadline(limit, entry, withDocument);
    walk.expiries.add(primaryKey, spelled, deadline, before);
  }

  /** When the document expired: under the rules that count, or else under those of a watermark. */
  private static long deadline(Limit limit, byte[] entry, boolean withDocument) {
    int killer = limit.cutoffs().killer(entry, withDocument);
    for (Lane lane : limit.schedule().lanes()) {
      if (lane.number() == killer) {
        return Deadline.of(
            place(lane.number(), lane.since(), lane.places(), entry, withDocument),
            lane.lifeMillis());
      }
    }
    for (Mark mark : limit.schedule().marks()) {
      if (mark.lane() == killer && Header.sequence(entry, 0) < mark.sequence()) {
        long place = place(mark.lane(), mark.since(), mark.places(), entry, withDocument);
        return Deadline.of(place, lifeOf(limit, mark));
      }
    }
    return limit.cutoffs().now();
  }

  private static long place(
      int lane, long since, Lane.Places places, byte[] entry, boolean withDocument) {
    boolean told = lane < Lane.FIRST_EXPLICIT || Header.sequence(entry, 0) >= since;
    return told || !withDocument
        ? Header.place(entry, 0, lane)
        : places.of(Group.documentOf(entry));
  }

  private static long lifeOf(Limit limit, Mark mark) {
    for (Watermark watermark : limit.compiled().state().watermarks()) {
      if (watermark.lane() == mark.lane() && watermark.sequence() == mark.sequence()) {
        return watermark.lifeMillis();
      }
    }
    return 0;
  }

  private void count(
      Walk walk,
      byte[] entry,
      long bytes,
      Cutoffs counted,
      @Nullable Cutoffs pending,
      byte[] primaryKey) {
    Usage one = new Usage(1, bytes);
    walk.removed = walk.removed.plus(one);
    if (expired(counted, entry, primaryKey)) {
      walk.deadAsCounted = walk.deadAsCounted.plus(one);
    } else if (pending != null && expired(pending, entry, primaryKey)) {
      walk.deadAsPending = walk.deadAsPending.plus(one);
    }
  }

  private boolean expired(Cutoffs cutoffs, byte[] entry, byte[] primaryKey) {
    return switch (cutoffs.judge(entry, 0)) {
      case EXPIRED -> true;
      case LIVE -> false;
      case UNKNOWN -> {
        byte[] record = owner.record(primaryKey);
        yield record != null && cutoffs.expired(record);
      }
    };
  }

  private Slice commit(Limit limit, int lane, byte[] start, Walk walk, long now) {
    byte[] last = walk.last;
    if (walk.finished) {
      for (Mark mark : limit.schedule().marks()) {
        if (mark.lane() == lane) {
          passed.merge(lane, mark.sequence(), Math::max);
        }
      }
    }
    if (last == null) {
      currentLane = -1;
      resume = null;
      return new Slice(Usage.NONE, true);
    }
    Group group = owner.group(now);
    group.delta().swept(walk.removed, walk.deadAsCounted, walk.deadAsPending);
    group.tellExpiries(walk.expiries);
    for (byte[] primaryKey : walk.explicit) {
      byte[] record = owner.record(primaryKey);
      if (record != null) {
        group.sweepAway(PrimaryKey.of(limit.compiled().spec(), Group.documentOf(record)), record);
      }
    }
    byte[] next = Layout.after(last);
    group.batch().deleteRange(Space.QUEUES, start, next);
    for (int i = 0; i < walk.survivors.size(); i += 2) {
      group.batch().put(Space.QUEUES, walk.survivors.get(i), walk.survivors.get(i + 1));
    }
    Swept swept = reached(limit, lane, walk, last);
    group.batch().put(Space.META, Layout.swept(lane), swept.encode(lane));
    owner.commit(group);
    owner.swept(swept);
    owner.lanes().moveTo(lane, walk.survivors.isEmpty() ? next : walk.survivors.getFirst());
    boolean more = !walk.finished;
    currentLane = more ? lane : -1;
    resume = more && !walk.survivors.isEmpty() ? next : null;
    return new Slice(walk.removed, true);
  }

  /** What is swept once the walk is committed. */
  private Swept reached(Limit limit, int lane, Walk walk, byte[] last) {
    long reach = limit.cutoffs().reach(lane);
    long lastPlace = Layout.place(last);
    long complete = walk.finished ? reach : walk.placeFinished ? lastPlace : lastPlace - 1;
    long sequence = owner.sequence().peek();
    List<Mark> marks = new ArrayList<>();
    long cutoff = Math.min(complete, limit.cutoffs().of(lane));
    if (cutoff != Long.MIN_VALUE) {
      Rules.mark(limit.compiled().state(), lane, cutoff, sequence).ifPresent(marks::add);
    }
    for (Mark mark : limit.schedule().marks()) {
      if (mark.lane() == lane) {
        long place = Math.min(complete, mark.place());
        Rules.mark(limit.compiled().state(), lane, place, mark.sequence()).ifPresent(marks::add);
      }
    }
    Optional<Swept.Part> part =
        walk.finished || walk.placeFinished
            ? Optional.empty()
            : Optional.of(
                new Swept.Part(lane, lastPlace, new Bytes(Layout.lanePrimaryKey(last)), sequence));
    return owner.swept().after(lane, marks, part);
  }

  /** When the next document of this shard is due to be swept, or never. */
  long nextDue() {
    Compiled compiled = owner.compiled();
    long grace = compiled.spec().timeToLive().graceMillis();
    long due = Deadline.NEVER;
    for (Lane lane : compiled.schedule().lanes()) {
      try (Scan scan = scan(lowOf(lane.number()), Layout.laneEnd(lane.number()))) {
        if (scan.next()) {
          long deadline = Deadline.of(Layout.place(scan.key()), lane.lifeMillis());
          due = Math.min(due, deadline == Deadline.NEVER ? deadline : deadline + grace);
        }
      }
    }
    for (Watermark watermark : compiled.state().watermarks()) {
      due = Math.min(due, watermark.at() + grace);
    }
    return due;
  }
}
