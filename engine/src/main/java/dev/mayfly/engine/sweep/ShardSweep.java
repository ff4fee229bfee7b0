package dev.mayfly.engine.sweep;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.LaneState;
import dev.mayfly.engine.catalog.PreviousRules;
import dev.mayfly.engine.catalog.Rules;
import dev.mayfly.engine.catalog.Watermark;
import dev.mayfly.engine.liveness.SweptLanes;
import dev.mayfly.engine.shard.LaneCursors;
import dev.mayfly.engine.shard.PlaceChanges;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.shard.SpaceDebt;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.engine.storage.LaneEntry;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Mark;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sweep of one shard: scans each lane from its cursor to the cutoff, writes the expiries to the
 * feed, and deletes the lane entries with one range delete.
 *
 * <p>Records and index entries need no delete if the store has a compaction filter. The sweep
 * deletes them if it has none, or if a document is older than the lane, because the headers of its
 * entries then lack the place in this lane.
 *
 * <p>The scan takes no lock. Its result is committed under the shard's lock if no write has
 * conflicted with it. If one has, or if a watermark covers only some of the entries, the slice is
 * scanned again under the lock. Lanes take turns, one slice each. A document in two lanes is
 * reported once: the marks of the first lane cover it when the second one reaches it. Used by one
 * thread at a time.
 */
public final class ShardSweep {
  private static final System.Logger LOG = System.getLogger(ShardSweep.class.getName());
  private static final int SLICE_BYTES = 256 * 1024;

  /** Number of records at each end that are checked before all records are erased. */
  private static final int CHECKED_IN_SHARD = 256;

  /** Number of entries at each end that are checked before a range is erased. */
  private static final int CHECKED_IN_RANGE = 16;

  private final ShardOwner owner;
  private final boolean dropsInCompaction;
  private final List<SweepSink> sinks;
  private final SpaceDebt owed;
  private final Map<Integer, Long> passed = new ConcurrentHashMap<>();

  /** Unfinished passes, by lane. */
  private final Map<Integer, Pass> passes = new HashMap<>();

  /** The lane whose turn it was last. */
  private int lastLane = -1;

  /**
   * @param dropsInCompaction whether the store has a compaction filter
   * @param sinks receive the expired documents of each slice before they are removed
   */
  public ShardSweep(ShardOwner owner, boolean dropsInCompaction, List<SweepSink> sinks) {
    this.owner = owner;
    this.dropsInCompaction = dropsInCompaction;
    this.sinks = List.copyOf(sinks);
    this.owed = new SpaceDebt(owner);
  }

  /** The bytes that were swept and are not reclaimed yet. */
  public SpaceDebt owed() {
    return owed;
  }

  /**
   * Result of one slice.
   *
   * @param rule the rule by which the swept documents had expired
   * @param more whether work remains
   */
  public record Slice(String rule, Usage swept, boolean more) {
    static final Slice NOTHING = new Slice("", Usage.NONE, false);
    static final Slice AGAIN = new Slice("", Usage.NONE, true);
  }

  /**
   * Documents that a sweep may remove.
   *
   * @param watermarks the watermarks that are not swept yet
   */
  private record Limit(
      CompiledCollection compiled, List<Watermark> watermarks, Schedule schedule, Cutoffs cutoffs) {
    /** Returns whether the document of a lane entry is expired on that lane. */
    boolean mayRemove(int lane, byte[] key, byte[] entry) {
      return cutoffs.expires(lane, Layout.place(key), Header.sequence(entry, 0));
    }
  }

  /**
   * Returns the limit by the rules and watermarks of an instant, one grace ago, without documents
   * that are live again since.
   */
  private Limit limitAt(CompiledCollection compiled, long instant, long now) {
    CollectionState state = compiled.state();
    Optional<PreviousRules> past = state.rulesAt(instant);
    List<Watermark> unswept =
        past.map(state::watermarks).orElse(state.watermarks()).stream()
            .filter(mark -> !passed(mark))
            .toList();
    Schedule schedule =
        past.map(then -> stillDead(compiled, then, instant, now, unswept))
            .orElseGet(() -> Rules.schedule(state, state.spec().timeToLive(), unswept));
    return new Limit(compiled, unswept, schedule, schedule.at(instant));
  }

  /**
   * Returns the documents that were expired at an instant under previous rules and still are.
   * Previous rules do not apply to documents written after them, and an undo may have made others
   * live again.
   */
  private static Schedule stillDead(
      CompiledCollection compiled,
      PreviousRules previous,
      long instant,
      long now,
      List<Watermark> unswept) {
    CollectionState state = compiled.state();
    Cutoffs current = compiled.schedule().at(now);
    List<Mark> dead = new ArrayList<>();
    for (Lane lane : Rules.lanes(state, previous)) {
      long place =
          Math.min(lane.cutoff(instant), current.reach(lane.number(), previous.sequence()));
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
    return new Schedule(List.of(), Rules.schedule(state, previous.timeToLive(), unswept).marks())
        .with(dead);
  }

  /** Returns whether all documents below a watermark have been swept. */
  public boolean passed(Watermark watermark) {
    return watermark.sequence() <= passed.getOrDefault(watermark.lane(), Long.MIN_VALUE);
  }

  /**
   * A pass over one lane, in several slices with one limit. Entries that stay are checked again in
   * the next pass.
   *
   * @param resume where the next slice starts, if entries before it stay; null for the cursor of
   *     the lane
   */
  private record Pass(int lane, Limit limit, @Nullable ByteKey resume) {}

  /**
   * Result of the scan of a range of one lane.
   *
   * <p>{@code survivors} contains keys and values of entries that stay; {@code explicit} the
   * primary keys of documents to delete.
   */
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
    private final PlaceChanges places;

    Walk(CompiledCollection compiled, List<SweepSink.Slice> slices) {
      this.places = PlaceChanges.of(compiled);
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
   * @param horizon documents that expired after this instant stay, because an open cursor may read
   *     them
   * @param budget the maximum number of lane entries to read
   */
  public Slice slice(long now, long horizon, int budget) {
    CompiledCollection compiled = owner.compiled();
    if (compiled.paused()) {
      return Slice.NOTHING;
    }
    owner.sliding().settle(now);
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
    Optional<Slice> done = someStay ? Optional.empty() : scanConcurrently(chosen, now, budget);
    return done.orElseGet(() -> scanLocked(chosen, now, budget));
  }

  /** Returns a pass over the next lane with work, in turn. */
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
    if (probe(lane, end, (key, value) -> limit.mayRemove(lane, key, value)) != null) {
      return true;
    }
    recordPassed(limit, lane);
    return false;
  }

  /** Condition on a lane entry. */
  private interface Wanted {
    boolean test(byte[] key, byte[] value);
  }

  /**
   * Returns the key of the first entry of a lane below an end that meets a condition, or null.
   * Moves the cursor of the lane to its first entry, so that later scans skip the tombstones of
   * entries that updates have moved.
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
      // a rule change may have moved the end below what is known to be empty
      reached = Arrays.compareUnsigned(end, reached) > 0 ? end : reached;
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

  /** Records that no document below the watermarks of a lane is left to sweep. */
  private void recordPassed(Limit limit, int lane) {
    for (Watermark watermark : limit.watermarks()) {
      if (watermark.lane() == lane) {
        passed.merge(lane, watermark.sequence(), Math::max);
      }
    }
  }

  private Scan scan(byte[] from, byte[] to) {
    return owner.shard().scan(Space.QUEUES, Range.of(from, to), Direction.UP);
  }

  /** Scans without the lock; empty if a write has conflicted. */
  private Optional<Slice> scanConcurrently(Pass chosen, long now, int budget) {
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
      boolean unchanged =
          owner.lanes().conflicts() == conflicts
              && owner.compiled() == limit.compiled()
              && owner.documentCounts().counted() == counted
              && owner.documentCounts().pending() == pending;
      return unchanged ? Optional.of(commit(chosen, start, walk, now)) : Optional.empty();
    } finally {
      owner.lock().unlock();
    }
  }

  /** Scans and commits under the lock. */
  private Slice scanLocked(Pass chosen, long now, int budget) {
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
    Walk walk =
        new Walk(
            limit.compiled(), sinks.stream().map(sink -> sink.begin(limit.compiled())).toList());
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
    Verdict swept = owner.sweptLanes().judge(value, primaryKey);
    if (swept == Verdict.EXPIRED) {
      return;
    }
    if (!limit.mayRemove(lane, key, value)) {
      walk.survivors.add(key);
      walk.survivors.add(value);
      return;
    }
    boolean deletes = !dropsInCompaction || olderThanLane(limit, lane, value);
    boolean needsRecord =
        swept == Verdict.UNKNOWN || limit.cutoffs().judge(value, 0) == Verdict.UNKNOWN;
    if (!needsRecord && !deletes && !walk.needsDocuments) {
      report(walk, limit, value, false, primaryKey, LaneEntry.spelled(value), Document.EMPTY);
      count(walk, value, false, LaneEntry.documentBytes(value), counted, pending, primaryKey);
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
    Document document = RecordFormat.document(record);
    report(walk, limit, record, true, primaryKey, LaneEntry.spelled(value), document);
    count(walk, record, true, document.length(), counted, pending, primaryKey);
    if (deletes) {
      walk.explicit.add(primaryKey);
    }
  }

  /**
   * Reports and counts a document without a record, from its lane entry. A compaction has dropped
   * the record, and a power failure has lost the mark of the sweep.
   */
  private void lost(
      Walk walk,
      Limit limit,
      byte[] value,
      byte[] primaryKey,
      Cutoffs counted,
      @Nullable Cutoffs pending) {
    report(walk, limit, value, false, primaryKey, LaneEntry.spelled(value), Document.EMPTY);
    count(walk, value, false, LaneEntry.documentBytes(value), counted, pending, primaryKey);
  }

  /**
   * Returns whether the headers of the document's other entries may lack its place in this lane.
   */
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
      boolean withDocument,
      long bytes,
      Cutoffs counted,
      @Nullable Cutoffs pending,
      byte[] primaryKey) {
    Usage one = new Usage(1, bytes);
    walk.removed = walk.removed.plus(one);
    if (withDocument || walk.places.coveredBy(entry)) {
      walk.places.removed(entry, bytes);
    } else {
      byte[] record = owner.record(primaryKey);
      if (record != null) {
        walk.places.removed(record, bytes);
      }
    }
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
    assert owner.compiled() == chosen.limit().compiled();
    assert walk.survivors.size() % 2 == 0;
    Limit limit = chosen.limit();
    int lane = chosen.lane();
    WriteGroup group = owner.group(now);
    group.delta().swept(walk.removed, walk.deadAsCounted, walk.deadAsPending, walk.places);
    walk.slices.forEach(slice -> slice.deliver(group));
    for (byte[] primaryKey : walk.explicit) {
      byte[] record = owner.record(primaryKey);
      if (record != null) {
        group.removeSwept(
            PrimaryKey.of(limit.compiled().spec(), RecordFormat.document(record)), record);
      }
    }
    byte[] next = walk.last == null ? start : Layout.after(walk.last);
    assert Arrays.compareUnsigned(start, next) <= 0;
    group.batch().deleteRange(Space.QUEUES, start, next);
    for (int i = 0; i < walk.survivors.size(); i += 2) {
      group.batch().put(Space.QUEUES, walk.survivors.get(i), walk.survivors.get(i + 1));
    }
    SpaceDebt.Owed owing = owed.add(group.batch(), walk.removed.bytes());
    SweptLanes sweptLanes = reached(limit, lane, walk);
    group.batch().put(Space.META, Layout.swept(lane), sweptLanes.encode(lane));
    owner.swept(sweptLanes, owner.commit(group));
    if (walk.finished) {
      recordPassed(limit, lane);
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

  /** Returns the sweep progress after the commit of a walk. */
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

  /** Returns the marks of a lane after it is swept up to a place. */
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
   * Erases data that is certainly dead, without reading it: the lanes below their cursors; ranges
   * of records and of index entries of which every document has left its lane; and if the shard has
   * no documents, all records and index entries. Holds the lock, so that no write comes between.
   *
   * @return whether the shard has no documents
   */
  public boolean eraseDead() {
    owner.lock().lock();
    try {
      Batch dead = new Batch();
      for (LaneState lane : owner.compiled().state().lanes()) {
        byte[] from = Layout.lanePrefix(lane.number());
        dead.deleteRange(Space.QUEUES, Range.of(from, owner.lanes().low(lane.number())));
      }
      boolean empty =
          owner.documentCounts().totals().stored().documents() == 0
              && swept(Space.RECORDS, Range.all(), CHECKED_IN_SHARD);
      for (Space space : List.of(Space.RECORDS, Space.ENTRIES)) {
        List<Range> ranges = empty ? List.of(Range.all()) : deadRanges(space);
        ranges.forEach(range -> dead.deleteRange(space, range));
      }
      owner.shard().erase(dead);
      return empty;
    } finally {
      owner.lock().unlock();
    }
  }

  /**
   * Returns ranges in which no document is stored, live or expired. Every stored document is in its
   * lanes, at the places in its headers, and zones contain the latest places of a range. If these
   * are below the cursors of the lanes, nothing in the range is stored but what was swept.
   */
  private List<Range> deadRanges(Space space) {
    return owner.zones().emptied(space, this::emptyThrough).stream()
        .filter(range -> swept(space, range, CHECKED_IN_RANGE))
        .toList();
  }

  /** Returns the last place up to which a lane has no entry. */
  private long emptyThrough(int lane) {
    byte[] low = owner.lanes().low(lane);
    if (Arrays.compareUnsigned(low, Layout.laneEnd(lane)) >= 0) {
      // not that of documents without a place
      return Header.NO_PLACE - 1;
    }
    return low.length == Layout.lanePrefix(lane).length || Layout.place(low) == Long.MIN_VALUE
        ? Long.MIN_VALUE
        : Layout.place(low) - 1;
  }

  /**
   * Returns whether the first entries from both ends of a range are all swept. The caller knows
   * that already, but a wrong count or zone must not delete documents.
   */
  private boolean swept(Space space, Range range, int checked) {
    for (Direction from : Direction.values()) {
      try (Scan entries = owner.shard().scan(space, range, from)) {
        for (int i = 0; i < checked && entries.next(); i++) {
          Verdict verdict = verdict(space, entries.key(), entries.value());
          if (verdict == Verdict.UNKNOWN) {
            return false;
          }
          if (verdict == Verdict.LIVE) {
            LOG.log(
                System.Logger.Level.ERROR,
                "shard {0} has a document where there should be none, and is not erased;"
                    + " run mayfly check --repair",
                owner.shard().number());
            return false;
          }
        }
      }
    }
    return true;
  }

  /** EXPIRED if the document of a record or index entry is swept. */
  private Verdict verdict(Space space, byte[] key, byte[] entry) {
    if (space == Space.RECORDS) {
      return owner.sweptLanes().covers(entry, key) ? Verdict.EXPIRED : Verdict.LIVE;
    }
    return owner.sweptLanes().cutoffs().judge(entry, 0);
  }

  /**
   * Returns when the next document of this shard is due for the sweep, in epoch milliseconds, or
   * {@link Deadline#NEVER}.
   */
  public long nextDue(long now) {
    CollectionState state = owner.compiled().state();
    Cutoffs current = owner.compiled().schedule().at(now);
    long due = Deadline.NEVER;
    if (owner.compiled().paused()) {
      return due;
    }
    long since = Long.MIN_VALUE;
    for (PreviousRules previous : state.history()) {
      long expired = nextMark(state.watermarks(previous));
      for (Lane lane : Rules.lanes(state, previous)) {
        long reach = current.reach(lane.number(), previous.sequence());
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

  /**
   * Returns the first deadline in a lane, up to a place, of a document written before a sequence.
   */
  private long nextDeadline(Lane lane, long reach, long before) {
    byte[] end = Layout.lanePlaceEnd(lane.number(), reach);
    byte[] first = probe(lane.number(), end, (_, value) -> Header.sequence(value, 0) < before);
    return first == null ? Deadline.NEVER : Deadline.of(Layout.place(first), lane.lifeMillis());
  }
}
