package dev.mayfly.engine.sweep;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.LaneState;
import dev.mayfly.engine.catalog.PreviousRules;
import dev.mayfly.engine.catalog.Rules;
import dev.mayfly.engine.catalog.Watermark;
import dev.mayfly.engine.shard.LaneCursors;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.shard.SpaceDebt;
import dev.mayfly.engine.shard.SweptLanes;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.engine.storage.LaneEntry;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
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
import java.util.Collections;
import java.util.HashMap;
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
 * walked again inside the lock. Lanes take turns, a slice each: what one of them has swept is known
 * when another comes by the same document, so that a document in two lanes is told once. Used by
 * one thread at a time.
 */
public final class ShardSweep {
  private static final System.Logger LOG = System.getLogger(ShardSweep.class.getName());
  private static final int SLICE_BYTES = 256 * 1024;

  /** How many records at each end are looked at before all of them are erased. */
  private static final int PROBED = 256;

  private final ShardOwner owner;
  private final boolean dropsByItself;
  private final List<SweepSink> sinks;
  private final SpaceDebt owed;
  private final Map<Integer, Long> passed = new ConcurrentHashMap<>();

  /** By lane, those that are not finished. */
  private final Map<Integer, Pass> passes = new HashMap<>();

  /** The lane whose turn it was last. */
  private int lastLane = -1;

  /**
   * @param dropsByItself whether the store drops dead entries while it compacts
   * @param sinks get the expired documents of each slice before they are removed
   */
  public ShardSweep(ShardOwner owner, boolean dropsByItself, List<SweepSink> sinks) {
    this.owner = owner;
    this.dropsByItself = dropsByItself;
    this.sinks = List.copyOf(sinks);
    this.owed = new SpaceDebt(owner);
  }

  /** How much of what was swept the store has not given back. */
  public SpaceDebt owed() {
    return owed;
  }

  /**
   * What one slice has done.
   *
   * @param rule by which what it removed had expired
   */
  public record Slice(String rule, Usage swept, boolean more) {
    static final Slice NOTHING = new Slice("", Usage.NONE, false);
    static final Slice AGAIN = new Slice("", Usage.NONE, true);
  }

  /**
   * What a sweep at an instant may remove.
   *
   * @param watermarks those among them that are not swept yet
   */
  private record Limit(
      CompiledCollection compiled, List<Watermark> watermarks, Schedule schedule, Cutoffs cutoffs) {
    /** Whether the document behind a lane entry is dead on that lane. */
    boolean takes(int lane, byte[] key, byte[] entry) {
      return cutoffs.kills(lane, Layout.place(key), Header.sequence(entry, 0));
    }
  }

  /** Rules and watermarks as they were a grace ago, as far as they still hold. */
  private Limit limitAt(CompiledCollection compiled, long instant, long now) {
    CollectionState state = compiled.state();
    Optional<PreviousRules> past = state.pastAt(instant);
    List<Watermark> ahead =
        past.map(state::watermarks).orElse(state.watermarks()).stream()
            .filter(mark -> !passed(mark))
            .toList();
    Schedule schedule =
        past.map(then -> stillDead(compiled, then, instant, now, ahead))
            .orElseGet(() -> Rules.schedule(state, state.spec().timeToLive(), ahead));
    return new Limit(compiled, ahead, schedule, schedule.at(instant));
  }

  /**
   * What was expired at an instant under rules of the past and is so now: documents written after
   * those rules never answered to them, and an undo may have brought others back.
   */
  private static Schedule stillDead(
      CompiledCollection compiled,
      PreviousRules previous,
      long instant,
      long now,
      List<Watermark> ahead) {
    CollectionState state = compiled.state();
    Cutoffs today = compiled.schedule().at(now);
    List<Mark> dead = new ArrayList<>();
    for (Lane lane : Rules.lanes(state, previous)) {
      long place = Math.min(lane.cutoff(instant), today.reach(lane.number(), previous.sequence()));
      if (place != Long.MIN_VALUE) {
        dead.add(
            new Mark(
                lane.number(),
                place,
                previous.sequence(),
                lane.lifeMillis(),
                lane.since(),
                lane.places()));
      }
    }
    return new Schedule(List.of(), Rules.schedule(state, previous.timeToLive(), ahead).marks())
        .with(dead);
  }

  /** Whether all that a watermark keeps dead has been swept. */
  public boolean passed(Watermark watermark) {
    return watermark.sequence() <= passed.getOrDefault(watermark.lane(), Long.MIN_VALUE);
  }

  /**
   * A pass over one lane that takes several slices, all under one limit: entries that had to stay
   * lie behind it, and are looked at again in the next pass.
   */
  private record Pass(int lane, Limit limit, @Nullable ByteKey resume) {}

  /** What a walk over a stretch of one lane has found. */
  private static final class Walk {
    private final List<SweepSink.Slice> slices;
    private final boolean needsDocuments;
    private final List<byte[]> survivors = new ArrayList<>();
    private final List<byte[]> explicit = new ArrayList<>();
    private byte @Nullable [] last;
    private boolean finished;
    private boolean placeFinished = true;
    private Usage removed = Usage.NONE;
    private Usage deadAsCounted = Usage.NONE;
    private Usage deadAsPending = Usage.NONE;

    Walk(List<SweepSink.Slice> slices) {
      this.slices = slices;
      this.needsDocuments = slices.stream().anyMatch(SweepSink.Slice::needsDocuments);
    }

    void expired(byte[] primaryKey, byte[] spelledKey, long deadline, Document document) {
      for (SweepSink.Slice slice : slices) {
        slice.add(primaryKey, spelledKey, deadline, document);
      }
    }

    long bytes() {
      long bytes = 0;
      for (SweepSink.Slice slice : slices) {
        bytes += slice.bytes();
      }
      return bytes;
    }
  }

  /**
   * Sweeps one slice.
   *
   * @param horizon nothing that expired after this instant is removed: someone may still read it
   * @param budget how many lane entries to walk at most
   */
  public Slice slice(long now, long horizon, int budget) {
    CompiledCollection compiled = owner.compiled();
    if (compiled.paused()) {
      return Slice.NOTHING;
    }
    passes.values().removeIf(pass -> pass.limit().compiled() != compiled);
    Optional<Pass> next = nextPass(compiled, now, horizon);
    if (next.isEmpty()) {
      return Slice.NOTHING;
    }
    Pass chosen = next.get();
    lastLane = chosen.lane();
    passes.put(lastLane, chosen);
    Cutoffs cutoffs = chosen.limit().cutoffs();
    boolean someStay = cutoffs.reach(lastLane) > cutoffs.of(lastLane);
    Optional<Slice> done = someStay ? Optional.empty() : outside(chosen, now, budget);
    return done.orElseGet(() -> inside(chosen, now, budget));
  }

  /** A pass over the next lane that has work, after the one whose turn it was last. */
  private Optional<Pass> nextPass(CompiledCollection compiled, long now, long horizon) {
    List<Integer> lanes = lanesInTurn(compiled.state());
    Limit limit = null;
    for (int lane : lanes) {
      Pass begun = passes.get(lane);
      if (begun != null) {
        return Optional.of(begun);
      }
      if (limit == null) {
        long instant = Math.min(now, horizon) - compiled.spec().timeToLive().graceMillis();
        limit = limitAt(compiled, instant, now);
      }
      if (due(limit, lane)) {
        return Optional.of(new Pass(lane, limit, null));
      }
    }
    return Optional.empty();
  }

  private List<Integer> lanesInTurn(CollectionState state) {
    List<Integer> lanes = new ArrayList<>();
    for (LaneState lane : state.lanes()) {
      if (lane.ready()) {
        lanes.add(lane.number());
      }
    }
    Collections.rotate(lanes, -(lanes.indexOf(lastLane) + 1));
    return lanes;
  }

  private boolean due(Limit limit, int lane) {
    long reach = limit.cutoffs().reach(lane);
    if (reach == Long.MIN_VALUE) {
      return false;
    }
    if (owner.sweptLanes().partCoveredBy(marks(limit, lane, reach))) {
      return true;
    }
    byte[] end = Layout.lanePlaceEnd(lane, reach);
    if (probe(lane, end, (key, value) -> limit.takes(lane, key, value)) != null) {
      return true;
    }
    pass(limit, lane);
    return false;
  }

  /** Whether an entry of a lane is looked for. */
  private interface Wanted {
    boolean test(byte[] key, byte[] value);
  }

  /**
   * The key of the first entry of a lane below an end that is wanted; null when there is none. What
   * lies before the first entry of all, such as tombstones of documents that were refreshed, is not
   * walked over again.
   */
  private byte @Nullable [] probe(int lane, byte[] end, Wanted wanted) {
    LaneCursors.Probe probe = beginProbe(lane);
    byte[] first = null;
    byte[] reached = probe.from();
    try (Scan scan = scan(probe.from(), end)) {
      while (scan.next()) {
        byte[] key = scan.key();
        first = first == null ? key : first;
        if (wanted.test(key, scan.value())) {
          return key;
        }
      }
      reached = end;
      return null;
    } finally {
      endProbe(probe, first == null ? reached : first);
    }
  }

  private LaneCursors.Probe beginProbe(int lane) {
    owner.lock().lock();
    try {
      return owner.lanes().probe(lane);
    } finally {
      owner.lock().unlock();
    }
  }

  private void endProbe(LaneCursors.Probe probe, byte[] first) {
    owner.lock().lock();
    try {
      owner.lanes().found(probe, first);
    } finally {
      owner.lock().unlock();
    }
  }

  /** Notes that nothing is left of what watermarks of a lane keep dead. */
  private void pass(Limit limit, int lane) {
    for (Watermark watermark : limit.watermarks()) {
      if (watermark.lane() == lane) {
        passed.merge(lane, watermark.sequence(), Math::max);
      }
    }
  }

  private Scan scan(byte[] from, byte[] to) {
    return owner.shard().scan(Space.QUEUES, Range.of(from, to), Direction.UP);
  }

  /** Walks without the lock; empty when a write got in between. */
  private Optional<Slice> outside(Pass chosen, long now, int budget) {
    Limit limit = chosen.limit();
    int lane = chosen.lane();
    long conflicts;
    byte[] start;
    Cutoffs counted;
    Cutoffs pending;
    owner.lock().lock();
    try {
      if (owner.compiled() != limit.compiled()) {
        return Optional.of(Slice.AGAIN);
      }
      owner.lanes().fence(lane, limit.cutoffs().reach(lane));
      conflicts = owner.lanes().conflicts();
      start = owner.lanes().low(lane);
      counted = owner.documentCounts().counted();
      pending = owner.documentCounts().pending();
    } finally {
      owner.lock().unlock();
    }
    Walk walk = walk(limit, lane, start, budget, counted, pending);
    owner.lock().lock();
    try {
      boolean undisturbed =
          owner.lanes().conflicts() == conflicts
              && owner.compiled() == limit.compiled()
              && owner.documentCounts().counted() == counted
              && owner.documentCounts().pending() == pending;
      return undisturbed ? Optional.of(commit(chosen, start, walk, now)) : Optional.empty();
    } finally {
      owner.lock().unlock();
    }
  }

  /** Walks and commits inside the lock. */
  private Slice inside(Pass chosen, long now, int budget) {
    owner.lock().lock();
    try {
      if (owner.compiled() != chosen.limit().compiled()) {
        return Slice.AGAIN;
      }
      ByteKey resume = chosen.resume();
      byte[] start = resume == null ? owner.lanes().low(chosen.lane()) : resume.array();
      Cutoffs counted = owner.documentCounts().counted();
      Cutoffs pending = owner.documentCounts().pending();
      Walk walk = walk(chosen.limit(), chosen.lane(), start, budget, counted, pending);
      return commit(chosen, start, walk, now);
    } finally {
      owner.lock().unlock();
    }
  }

  private Walk walk(
      Limit limit, int lane, byte[] start, int budget, Cutoffs counted, @Nullable Cutoffs pending) {
    Walk walk = new Walk(sinks.stream().map(sink -> sink.begin(limit.compiled())).toList());
    byte[] end = Layout.lanePlaceEnd(lane, limit.cutoffs().reach(lane));
    try (Scan scan = scan(start, end)) {
      int seen = 0;
      while (scan.next()) {
        byte[] key = scan.key();
        if (seen >= budget || walk.bytes() > SLICE_BYTES) {
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
    Verdict gone = owner.sweptLanes().judge(value, primaryKey);
    if (gone == Verdict.EXPIRED) {
      return;
    }
    if (!limit.takes(lane, key, value)) {
      walk.survivors.add(key);
      walk.survivors.add(value);
      return;
    }
    boolean deletes = !dropsByItself || olderThanLane(limit, lane, value);
    boolean unsure = gone == Verdict.UNKNOWN || limit.cutoffs().judge(value, 0) == Verdict.UNKNOWN;
    if (!unsure && !deletes && !walk.needsDocuments) {
      report(walk, limit, value, false, primaryKey, LaneEntry.spelled(value), Document.EMPTY);
      count(walk, value, LaneEntry.documentBytes(value), counted, pending, primaryKey);
      return;
    }
    byte[] record = owner.record(primaryKey);
    if (record == null) {
      lost(walk, limit, value, primaryKey, counted, pending);
      return;
    }
    if (Header.born(record, 0) != Header.born(value, 0)
        || owner.sweptLanes().covers(record, primaryKey)) {
      return;
    }
    if (!limit.cutoffs().expired(record)) {
      walk.survivors.add(key);
      walk.survivors.add(value);
      return;
    }
    Document document = WriteGroup.documentOf(record);
    report(walk, limit, record, true, primaryKey, LaneEntry.spelled(value), document);
    count(walk, record, document.length(), counted, pending, primaryKey);
    if (deletes) {
      walk.explicit.add(primaryKey);
    }
  }

  /**
   * A document whose record is gone though it was never swept: files survived a loss of power that
   * the mark of the sweep did not. What its lane entry tells of it is reported and counted.
   */
  private void lost(
      Walk walk,
      Limit limit,
      byte[] value,
      byte[] primaryKey,
      Cutoffs counted,
      @Nullable Cutoffs pending) {
    report(walk, limit, value, false, primaryKey, LaneEntry.spelled(value), Document.EMPTY);
    count(walk, value, LaneEntry.documentBytes(value), counted, pending, primaryKey);
  }

  /** Whether other entries of the document may not tell its place on this lane. */
  private static boolean olderThanLane(Limit limit, int lane, byte[] value) {
    return Header.sequence(value, 0) < Rules.since(limit.compiled().state(), lane);
  }

  private static void report(
      Walk walk,
      Limit limit,
      byte[] entry,
      boolean withDocument,
      byte[] primaryKey,
      byte[] spelledKey,
      Document document) {
    long deadline = limit.cutoffs().expiredAt(entry, withDocument);
    walk.expired(primaryKey, spelledKey, deadline, document);
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

  private Slice commit(Pass chosen, byte[] start, Walk walk, long now) {
    Limit limit = chosen.limit();
    int lane = chosen.lane();
    WriteGroup group = owner.group(now);
    group.delta().swept(walk.removed, walk.deadAsCounted, walk.deadAsPending);
    walk.slices.forEach(slice -> slice.deliver(group));
    for (byte[] primaryKey : walk.explicit) {
      byte[] record = owner.record(primaryKey);
      if (record != null) {
        group.removeSwept(
            PrimaryKey.of(limit.compiled().spec(), WriteGroup.documentOf(record)), record);
      }
    }
    byte[] next = walk.last == null ? start : Layout.after(walk.last);
    group.batch().deleteRange(Space.QUEUES, start, next);
    for (int i = 0; i < walk.survivors.size(); i += 2) {
      group.batch().put(Space.QUEUES, walk.survivors.get(i), walk.survivors.get(i + 1));
    }
    long owing = owed.add(group.batch(), walk.removed.bytes());
    SweptLanes sweptLanes = reached(limit, lane, walk);
    group.batch().put(Space.META, Layout.swept(lane), sweptLanes.encode(lane));
    owner.swept(sweptLanes, owner.commit(group));
    if (walk.finished) {
      pass(limit, lane);
    }
    owed.committed(owing);
    boolean someStayed = chosen.resume() != null || !walk.survivors.isEmpty();
    if (chosen.resume() == null) {
      owner.lanes().moveTo(lane, someStayed ? walk.survivors.getFirst() : next);
    }
    if (walk.finished) {
      passes.remove(lane);
    } else {
      passes.put(lane, new Pass(lane, limit, someStayed ? new ByteKey(next) : null));
    }
    return new Slice(limit.compiled().state().ruleOf(lane), walk.removed, true);
  }

  /** What is swept once the walk is committed. */
  private SweptLanes reached(Limit limit, int lane, Walk walk) {
    byte[] last = walk.last;
    if (walk.finished || last == null) {
      return owner
          .sweptLanes()
          .after(marks(limit, lane, limit.cutoffs().reach(lane)), Optional.empty());
    }
    long place = Layout.place(last);
    if (walk.placeFinished) {
      return owner.sweptLanes().after(marks(limit, lane, place), Optional.empty());
    }
    long sequence = 0;
    for (Mark mark : marks(limit, lane, place)) {
      sequence = mark.place() == place ? Math.max(sequence, mark.sequence()) : sequence;
    }
    ByteKey upTo = new ByteKey(Layout.lanePrimaryKey(last));
    List<Mark> below = place == Long.MIN_VALUE ? List.of() : marks(limit, lane, place - 1);
    long since = Rules.since(limit.compiled().state(), lane);
    SweptLanes.Part part = new SweptLanes.Part(lane, place, upTo, sequence, since);
    return owner.sweptLanes().after(below, Optional.of(part));
  }

  /** What may be marked as swept on a lane once it is swept up to a place. */
  private List<Mark> marks(Limit limit, int lane, long complete) {
    List<Mark> marks = new ArrayList<>();
    CollectionState state = limit.compiled().state();
    long cutoff = Math.min(complete, limit.cutoffs().of(lane));
    if (cutoff != Long.MIN_VALUE) {
      Rules.mark(state, lane, cutoff, owner.sequence().peek()).ifPresent(marks::add);
    }
    for (Mark mark : limit.schedule().marks()) {
      if (mark.lane() == lane) {
        long place = Math.min(complete, mark.place());
        Rules.mark(state, lane, place, mark.sequence()).ifPresent(marks::add);
      }
    }
    return marks;
  }

  /**
   * Erases at once what can be dead only: the lanes behind their cursors and, if every document of
   * the shard is gone, all records and index entries, whatever they tell. In the lock, or something
   * could be written in between.
   */
  public void eraseDead() {
    owner.lock().lock();
    try {
      for (LaneState lane : owner.compiled().state().lanes()) {
        byte[] from = Layout.lanePrefix(lane.number());
        owner.shard().erase(Space.QUEUES, Range.of(from, owner.lanes().low(lane.number())));
      }
      if (owner.documentCounts().totals().stored().documents() == 0
          && swept(Direction.UP)
          && swept(Direction.DOWN)) {
        owner.shard().erase(Space.RECORDS, Range.all());
        owner.shard().erase(Space.ENTRIES, Range.all());
      }
    } finally {
      owner.lock().unlock();
    }
  }

  /**
   * Whether the records at one end are all swept. The count alone says that all are; a count that
   * is wrong must not cost a document, so that some are looked at before they go unread.
   */
  private boolean swept(Direction from) {
    try (Scan records = owner.shard().scan(Space.RECORDS, Range.all(), from)) {
      for (int i = 0; i < PROBED && records.next(); i++) {
        if (!owner.sweptLanes().covers(records.value(), records.key())) {
          LOG.log(
              System.Logger.Level.ERROR,
              "shard {0} counts no documents and has one: it is not erased",
              owner.shard().number());
          return false;
        }
      }
    }
    return true;
  }

  /** When the next document of this shard is due to be swept, or never. */
  public long nextDue(long now) {
    CollectionState state = owner.compiled().state();
    Cutoffs today = owner.compiled().schedule().at(now);
    long due = Deadline.NEVER;
    if (owner.compiled().paused()) {
      return due;
    }
    long since = Long.MIN_VALUE;
    for (PreviousRules previous : state.history()) {
      long expired = nextMark(state.watermarks(previous));
      for (Lane lane : Rules.lanes(state, previous)) {
        long reach = today.reach(lane.number(), previous.sequence());
        expired = Math.min(expired, nextDeadline(lane, reach, previous.sequence()));
      }
      expired = Math.max(expired, since);
      due = expired < previous.until() ? Math.min(due, expired) : due;
      since = previous.until();
    }
    long expired = nextMark(state.watermarks());
    for (Lane lane : owner.compiled().schedule().lanes()) {
      expired = Math.min(expired, nextDeadline(lane, Long.MAX_VALUE, Long.MAX_VALUE));
    }
    due = Math.min(due, Math.max(expired, since));
    return Deadline.of(due, state.spec().timeToLive().graceMillis());
  }

  private long nextMark(List<Watermark> watermarks) {
    return watermarks.stream()
        .filter(watermark -> !passed(watermark))
        .mapToLong(Watermark::at)
        .min()
        .orElse(Deadline.NEVER);
  }

  /** The first deadline on a lane, up to a place, of a document written before a sequence. */
  private long nextDeadline(Lane lane, long reach, long before) {
    byte[] end = Layout.lanePlaceEnd(lane.number(), reach);
    byte[] first = probe(lane.number(), end, (_, value) -> Header.sequence(value, 0) < before);
    return first == null ? Deadline.NEVER : Deadline.of(Layout.place(first), lane.lifeMillis());
  }
}
