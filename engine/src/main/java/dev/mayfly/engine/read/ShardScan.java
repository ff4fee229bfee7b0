package dev.mayfly.engine.read;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.ExpiredDates;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.index.Traversal;
import dev.mayfly.engine.liveness.Liveness;
import dev.mayfly.engine.shard.DeadRuns;
import dev.mayfly.engine.shard.ExpiryZones;
import dev.mayfly.engine.shard.IndexEntryKeys;
import dev.mayfly.engine.shard.IndexEntryValues;
import dev.mayfly.engine.shard.OpenReads;
import dev.mayfly.engine.shard.Parents;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.NonBlockingReader;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.RootFields;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Scan of one shard by a plan: its live records, in the order of the plan. The caller checks
 * whether they match the query. Used by one thread at a time.
 */
public final class ShardScan implements AutoCloseable {
  public static final Position START = new Position.Start();

  /** Maximum memory for keys of documents that an index scan may meet again, in bytes. */
  public static final long MAX_SEEN_BYTES = 4 << 20;

  private static final byte[] NO_PREFIX = {};

  private final CollectionState state;
  private final Schedule schedule;
  private final Liveness liveness;
  private final Cutoffs cutoffs;
  private final Reader reader;
  private final @Nullable ShardOwner owner;
  private final Walk walk;
  private final DeadRuns deadRuns;
  private final ExpiryZones.@Nullable View zones;
  private final Set<ByteKey> hidden;
  private final Runnable onClose;
  private final Position from;

  /** The confirmed time when the read began. */
  private long since = Long.MAX_VALUE;

  private long keys;
  private long documents;
  private long allowance = Long.MAX_VALUE;
  private boolean ended;

  /**
   * Options of a scan.
   *
   * @param wanted the fields that the query uses: others may be left out
   * @param scattered whether records may come in any order
   * @param scanWorkers threads for a parallel scan, if the order does not matter
   * @param mayBlock whether it may wait for the disk
   * @param since the confirmed time when the read began
   */
  public record Options(
      RootFields wanted, boolean scattered, ScanWorkers scanWorkers, boolean mayBlock, long since) {
    /** Returns these options for a scan that needs more fields. */
    private Options andWanting(RootFields more) {
      return new Options(wanted.and(more), scattered, scanWorkers, mayBlock, since);
    }

    /** Whole records, in order, of a read that does not last. */
    static final Options PLAIN =
        new Options(RootFields.ALL, false, new ScanWorkers(0), true, Long.MAX_VALUE);
  }

  /** Iterator over the candidate records of a plan; null at the end. */
  private interface Walk extends AutoCloseable, Liveness.KeySource {
    byte @Nullable [] next();

    /** The primary key of the last record. */
    @Override
    byte[] primaryKey();

    /**
     * Called if the last record was returned: a skip scan then skips records with the same value.
     */
    default void shown(byte[] record) {}

    /** Called if the last record is dead. */
    default void dead() {}

    /** The key of the last entry, at which the scan can resume; null before the first. */
    byte @Nullable [] key();

    @Override
    void close();
  }

  /**
   * @param owner of the shard that is read; null for what is not stored yet
   * @param zones of the snapshot that is read; null if it is not of the present
   * @param hidden the primary keys of records to leave out
   * @param from where to begin
   */
  private ShardScan(
      @Nullable ShardOwner owner,
      ShardOwner.View view,
      Liveness liveness,
      Reader reader,
      DeadRuns deadRuns,
      ExpiryZones.@Nullable View zones,
      Set<ByteKey> hidden,
      Runnable onClose,
      Position from,
      Function<ShardScan, Walk> walk) {
    this.owner = owner;
    this.state = view.compiled().state();
    this.schedule = view.schedule();
    this.liveness = liveness;
    this.cutoffs = liveness.cutoffs();
    this.reader = reader;
    this.deadRuns = deadRuns;
    this.zones = zones;
    this.hidden = hidden;
    this.onClose = onClose;
    this.from = from;
    this.walk = walk.apply(this);
  }

  private Walk walk(ShardOwner owner, Plan plan, Options options) {
    return switch (plan) {
      case Plan.Point(PrimaryKey key) -> new PointWalk(key);
      case Plan.Records(Range range, Direction direction) ->
          options.scattered() && !liveness.needsKeys() && expiredIds().isEmpty()
              ? new ScatteredWalk(range, options)
              : new RecordWalk(List.of(range), direction, options.wanted());
      case Plan.After behind ->
          new RecordWalk(List.of(behind.of(owner)), Direction.UP, options.wanted());
      case Plan.Ids(IndexMatch match) ->
          new RecordWalk(idRanges(match), directionOf(match), options.wanted());
      case Plan.Index(IndexState index, IndexMatch match) ->
          new IndexWalk(index, match, owner.arrays(index), owner.compiled().spec());
      case Plan.Union(List<Plan.Branch> branches) -> new UnionWalk(owner, branches);
      case Plan.Arrivals(Direction direction, long after) ->
          new ArrivalWalk(direction, Math.max(next(after), owner.cappedOrder().first()));
    };
  }

  /** Opens a plan on the current state of a shard, starting at a position. */
  public static ShardScan open(
      ShardOwner owner, Plan plan, long now, Position from, Options options) {
    ShardOwner.View view = owner.view();
    Parents parents = view.family().parents();
    if (parents != null) {
      return open(owner, view, parents, plan, now, from, options);
    }
    Liveness liveness = view.liveness(now);
    Function<ShardScan, Walk> walk = shardScan -> shardScan.walk(owner, plan, options);
    if (plan instanceof Plan.Point) {
      // a single read needs no snapshot
      Reader current = options.mayBlock() ? owner.shard() : new NonBlockingReader(owner.shard());
      return new ShardScan(
              owner,
              view,
              liveness,
              current,
              owner.deadRuns(),
              null,
              Set.of(),
              () -> {},
              from,
              walk)
          .begun(options.since());
    }
    ExpiryZones.View zones = owner.zones().view();
    Snapshot snapshot =
        options.mayBlock()
            ? owner.shard().snapshot()
            : owner.shard().nonBlockingSnapshot().orElseThrow(WouldBlock::new);
    return new ShardScan(
            owner,
            view,
            liveness,
            snapshot,
            owner.deadRuns(),
            snapshot.consistent() ? zones.checked() : null,
            Set.of(),
            snapshot::close,
            from,
            walk)
        .begun(options.since());
  }

  /** Opens a plan on snapshots of documents and of the parents that they follow. */
  private static ShardScan open(
      ShardOwner owner,
      ShardOwner.View view,
      Parents parents,
      Plan plan,
      long now,
      Position from,
      Options options) {
    if (!options.mayBlock()) {
      throw new WouldBlock();
    }
    Parents.Snapshots before = parents.snapshots();
    boolean opened = false;
    try {
      ExpiryZones.View zones = owner.zones().view();
      Snapshot snapshot = owner.shard().snapshot();
      Options wanted = options.andWanting(parents.keys().fields());
      ShardScan scan =
          new ShardScan(
                  owner,
                  view,
                  view.liveness(now, before.lookup(now, options.since())),
                  snapshot,
                  owner.deadRuns(),
                  snapshot.consistent() ? zones.checked() : null,
                  Set.of(),
                  () -> {
                    snapshot.close();
                    before.close();
                  },
                  from,
                  shardScan -> shardScan.walk(owner, plan, wanted))
              .begun(options.since());
      opened = true;
      return scan;
    } finally {
      if (!opened) {
        before.close();
      }
    }
  }

  private ShardScan begun(long confirmed) {
    since = confirmed;
    return this;
  }

  /**
   * Opens a plan on the snapshot of a transaction, without the records that the transaction has
   * written.
   */
  public static ShardScan onSnapshot(
      ShardOwner owner,
      ShardOwner.View view,
      Liveness liveness,
      Plan plan,
      OpenReads.Reading reading,
      Reader snapshot,
      Set<ByteKey> written) {
    return new ShardScan(
            owner,
            view,
            liveness,
            snapshot,
            owner.deadRuns(),
            null,
            written,
            () -> {},
            START,
            shardScan -> shardScan.walk(owner, plan, Options.PLAIN))
        .begun(reading.since());
  }

  /**
   * Returns a scan of the records that a transaction has written; an empty array is a deleted
   * record.
   */
  public static ShardScan written(
      ShardOwner.View view, Map<ByteKey, byte[]> records, Liveness liveness, Reader none) {
    return new ShardScan(
        null,
        view,
        liveness,
        none,
        new DeadRuns(),
        null,
        Set.of(),
        () -> {},
        START,
        _ -> new WrittenWalk(records));
  }

  private static long next(long arrival) {
    return arrival == Long.MAX_VALUE ? arrival : arrival + 1;
  }

  private static Direction directionOf(IndexMatch match) {
    return match.direction() == IndexMatch.Direction.BACKWARD ? Direction.DOWN : Direction.UP;
  }

  private static List<Range> idRanges(IndexMatch match) {
    return match.bounds().ranges().stream()
        .map(range -> Range.of(range.from(), range.to()))
        .toList();
  }

  private PartialRecordReader records(RootFields wanted, Direction direction) {
    ExpiryZones.Skipper skipper =
        zones == null ? ExpiryZones.Skipper.NONE : zones.ofRecords(cutoffs, direction);
    return new PartialRecordReader(wanted, cutoffs, skipper);
  }

  /** Makes a scan of entries read their records ahead if the store is on other machines. */
  private Scan ahead(Scan entries, BinaryOperator<byte @Nullable []> primaryKey) {
    return owner != null && owner.shard().isRemote()
        ? new ReadAheadScan(entries, reader, primaryKey)
        : entries;
  }

  /** Returns the record of the current entry of a scan. */
  private byte @Nullable [] record(Scan entries, byte[] primaryKey) {
    return entries instanceof ReadAheadScan known
        ? known.record()
        : reader.read(Space.RECORDS, primaryKey);
  }

  private ExpiredDates expiredIds() {
    return ExpiredDates.ofIds(state, cutoffs);
  }

  Schedule schedule() {
    return schedule;
  }

  /** Returns whether records come in the order of the plan. */
  boolean inPlanOrder() {
    return !(walk instanceof WrittenWalk);
  }

  /** The number of index entries read. */
  long keys() {
    return keys;
  }

  /** The number of records read. */
  long documents() {
    return documents;
  }

  /** Memory for keys of documents that must not be returned twice, in bytes. */
  long keptBytes() {
    return walk instanceof IndexWalk index ? index.seen.bytes() : 0;
  }

  /** Sets how many more entries and records it may read before it rests. */
  void allow(long looks) {
    allowance = looks;
  }

  /** Returns whether it has used up its allowance. */
  boolean resting() {
    return allowance <= 0;
  }

  /**
   * Returns whether it may meet one document several times, or in no order, so that a position is
   * not sufficient to resume.
   */
  boolean repeats() {
    return walk instanceof UnionWalk
        || walk instanceof ScatteredWalk
        || (walk instanceof IndexWalk index && index.severalPerDocument);
  }

  /** Returns its position, at which another scan can resume. */
  Position position() {
    byte[] key = walk.key();
    return ended ? new Position.End() : key == null ? from : new Position.At(new ByteKey(key));
  }

  /** Returns the next live record; null at the end, or if it rests. */
  byte @Nullable [] next() {
    while (!resting()) {
      byte[] record = walk.next();
      if (owner != null) {
        owner.checkReadable(cutoffs, since);
      }
      if (record == null) {
        ended = !resting();
        return null;
      }
      Interrupt.steps(Interrupt.ofBytes(record.length));
      boolean shown = hidden.isEmpty() || !hidden.contains(new ByteKey(walk.primaryKey()));
      documents++;
      allowance--;
      if (!liveness.isLive(record, walk)) {
        // a run of documents that died with their parents is not a run of swept ones
        if (liveness.parents() == null) {
          walk.dead();
        }
      } else if (shown) {
        walk.shown(record);
        return record;
      }
    }
    return null;
  }

  @Override
  public void close() {
    walk.close();
    onClose.run();
  }

  /**
   * Checks that the start position is in the ranges of this plan; otherwise the token is of another
   * query.
   */
  private void checkWithin(List<Range> ranges) {
    if (from instanceof Position.At(ByteKey key)
        && ranges.stream().noneMatch(range -> range.contains(key.array()))) {
      throw ResumePoint.lost();
    }
  }

  private final class PointWalk implements Walk {
    private final PrimaryKey key;
    private boolean done;

    PointWalk(PrimaryKey key) {
      this.key = key;
      this.done = !(from instanceof Position.Start);
    }

    @Override
    public byte @Nullable [] next() {
      if (done) {
        return null;
      }
      done = true;
      return reader.read(Space.RECORDS, key.bytes());
    }

    @Override
    public byte[] primaryKey() {
      return key.bytes();
    }

    @Override
    public byte @Nullable [] key() {
      return done ? key.bytes() : null;
    }

    @Override
    public void close() {}
  }

  /** Iterates over the writes of a transaction. */
  private static final class WrittenWalk implements Walk {
    private final Iterator<Map.Entry<ByteKey, byte[]>> records;
    private byte[] primaryKey = {};

    /** Sorts the records by key: without an order, a query then returns them in natural order. */
    WrittenWalk(Map<ByteKey, byte[]> records) {
      List<Map.Entry<ByteKey, byte[]>> all = new ArrayList<>(Map.copyOf(records).entrySet());
      all.sort((a, b) -> Arrays.compareUnsigned(a.getKey().array(), b.getKey().array()));
      this.records = all.iterator();
    }

    @Override
    public byte @Nullable [] next() {
      while (records.hasNext()) {
        Map.Entry<ByteKey, byte[]> next = records.next();
        if (next.getValue().length > 0) {
          primaryKey = next.getKey().array();
          return next.getValue();
        }
      }
      return null;
    }

    @Override
    public byte[] primaryKey() {
      return primaryKey;
    }

    @Override
    public byte @Nullable [] key() {
      return null;
    }

    @Override
    public void close() {}
  }

  /** Iterates over ranges of records. */
  private final class RecordWalk implements Walk {
    private final Direction direction;
    private final Iterator<Range> ranges;
    private final PartialRecordReader records;
    private final DeadRuns.Reader deadRun;
    private @Nullable Scan scan;
    private boolean begun;

    RecordWalk(List<Range> ranges, Direction direction, RootFields wanted) {
      checkWithin(ranges);
      this.direction = direction;
      this.records = records(wanted, direction);
      this.deadRun = deadRuns.reader(Space.RECORDS, direction);
      List<Range> live =
          ExpiredRange.cut(ranges, NO_PREFIX, expiredIds(), false, state.spec().dialect().order());
      this.ranges = (direction == Direction.DOWN ? live.reversed() : live).iterator();
    }

    @Override
    public byte @Nullable [] next() {
      while (true) {
        Interrupt.steps(1);
        Scan open = scan;
        if (open != null && records.advance(open)) {
          begun = true;
          return records.read(open);
        }
        close();
        if (!ranges.hasNext()) {
          return null;
        }
        scan = reader.scan(Space.RECORDS, from.rest(ranges.next(), direction), direction);
        records.begin();
      }
    }

    @Override
    public void shown(byte[] found) {
      deadRun.live();
    }

    @Override
    public void dead() {
      deadRun.dead(deadRun.wantsKey() ? primaryKey() : null);
    }

    @Override
    public byte[] primaryKey() {
      return Objects.requireNonNull(scan).key();
    }

    @Override
    public byte @Nullable [] key() {
      return begun && scan != null ? scan.key() : null;
    }

    @Override
    public void close() {
      if (scan != null) {
        scan.close();
        scan = null;
      }
    }
  }

  /** Iterates over a range of records; continues as a parallel scan if there are many. */
  private final class ScatteredWalk implements Walk {
    private static final int PARALLEL_FROM = 4096;
    private static final int PIECES = 32;

    private final Range range;
    private final Options options;
    private final Scan scan;
    private final PartialRecordReader records;
    private final DeadRuns.Reader deadRun = deadRuns.reader(Space.RECORDS, Direction.UP);
    private @Nullable ParallelScan shared;
    private int met;

    ScatteredWalk(Range range, Options options) {
      this.range = from.rest(range, Direction.UP);
      this.options = options;
      this.scan = reader.scan(Space.RECORDS, this.range, Direction.UP);
      this.records = records(options.wanted(), Direction.UP);
    }

    @Override
    public byte @Nullable [] next() {
      if (shared != null) {
        return shared.next();
      }
      if (!records.advance(scan)) {
        return null;
      }
      if (met++ == PARALLEL_FROM) {
        shared = share(scan.key());
        return shared.next();
      }
      return records.read(scan);
    }

    @Override
    public void shown(byte[] found) {
      deadRun.live();
    }

    @Override
    public void dead() {
      if (shared == null) {
        deadRun.dead(deadRun.wantsKey() ? scan.key() : null);
      }
    }

    /** Starts a parallel scan at a key. */
    private ParallelScan share(byte[] first) {
      Range rest = range.to() == null ? Range.from(first) : Range.of(first, range.to());
      byte[] last = first;
      try (Scan back = reader.scan(Space.RECORDS, rest, Direction.DOWN)) {
        last = back.next() ? back.key() : first;
      }
      List<Range> pieces = RangeSplitter.of(rest, first, last, PIECES);
      return ParallelScan.begin(
          reader, pieces, () -> records(options.wanted(), Direction.UP), options.scanWorkers());
    }

    @Override
    public byte[] primaryKey() {
      throw new IllegalStateException("a parallel scan has no current key");
    }

    @Override
    public byte @Nullable [] key() {
      return null;
    }

    @Override
    public void close() {
      scan.close();
      if (shared != null) {
        shared.close();
      }
    }
  }

  /** Iterates over the arrivals of a capped collection; skips removed documents. */
  private final class ArrivalWalk implements Walk {
    private final Scan scan;
    private byte[] primaryKey = {};

    ArrivalWalk(Direction direction, long from) {
      Range arrivals = Range.of(Layout.arrival(from), Layout.arrival(Long.MAX_VALUE));
      scan = ahead(reader.scan(Space.QUEUES, arrivals, direction), (_, value) -> value);
    }

    @Override
    public byte @Nullable [] next() {
      while (scan.next()) {
        primaryKey = scan.value();
        byte[] record = record(scan, primaryKey);
        if (record != null && Header.born(record, 0) == Layout.position(scan.key())) {
          return record;
        }
      }
      return null;
    }

    @Override
    public byte[] primaryKey() {
      return primaryKey;
    }

    @Override
    public byte @Nullable [] key() {
      return null;
    }

    @Override
    public void close() {
      scan.close();
    }
  }

  /**
   * Iterates over the branches of a union in sequence. A document is returned by the first branch
   * whose filter it matches, and skipped by the others.
   */
  private final class UnionWalk implements Walk {
    private final List<Walk> walks;
    private final List<Matcher> filters;
    private int at;

    UnionWalk(ShardOwner owner, List<Plan.Branch> branches) {
      this.walks =
          branches.stream().map(branch -> walk(owner, branch.way(), Options.PLAIN)).toList();
      this.filters = branches.stream().map(branch -> branch.filter().matcher(Mode.MATCH)).toList();
    }

    @Override
    public byte @Nullable [] next() {
      while (at < walks.size() && !resting()) {
        byte[] record = walks.get(at).next();
        if (record == null && !resting()) {
          at++;
        } else if (record != null) {
          // of an expired record only the header may have been read
          if (cutoffs.judge(record, 0) == Verdict.EXPIRED
              || isFirstMet(RecordFormat.document(record))) {
            return record;
          }
          documents++;
          allowance--;
        }
      }
      return null;
    }

    private boolean isFirstMet(Document document) {
      for (int i = 0; i < at; i++) {
        if (filters.get(i).matches(document)) {
          return false;
        }
      }
      return filters.get(at).matches(document);
    }

    @Override
    public byte[] primaryKey() {
      return walks.get(at).primaryKey();
    }

    @Override
    public byte @Nullable [] key() {
      return null;
    }

    @Override
    public void close() {
      walks.forEach(Walk::close);
    }
  }

  /** Iterates over ranges of an index and reads the records; skips entries without a record. */
  private final class IndexWalk implements Walk {
    private final IndexState index;
    private final Direction direction;
    private final Iterator<Range> ranges;
    private final boolean severalPerDocument;
    private final @Nullable FirstEntryFilter firsts;
    private final @Nullable SkipScan skipScan;
    private final SeenKeys seen;
    private final @Nullable FirstEntryFilter firstsOfAll;
    private final DeadRuns.Reader deadRun;
    private final ExpiryZones.Skipper skipper;
    private @Nullable Scan scan;
    private byte @Nullable [] key;
    private byte[] primaryKey = {};

    IndexWalk(IndexState index, IndexMatch match, long arrays, CollectionSpec spec) {
      this.index = index;
      this.direction = directionOf(match);
      this.deadRun = deadRuns.reader(Space.ENTRIES, direction);
      this.skipper =
          zones == null ? ExpiryZones.Skipper.NONE : zones.ofIndex(index.id(), cutoffs, direction);
      List<Range> bounds =
          IndexEntryKeys.ranges(Layout.indexPrefix(index.id()), match.bounds().ranges());
      checkWithin(bounds);
      List<Range> live =
          ExpiredRange.cut(
              bounds,
              Layout.indexPrefix(index.id()),
              ExpiredDates.of(state, index.spec(), cutoffs),
              index.spec().parts().getFirst().descending(),
              index.spec().order());
      this.ranges = (direction == Direction.DOWN ? live.reversed() : live).iterator();
      boolean implicit = index.spec().traversal() == Traversal.IMPLICIT;
      this.severalPerDocument =
          implicit && (arrays != 0 || index.spec().parts().stream().anyMatch(Part::manyPaths));
      this.firsts =
          match
              .repeatedKeys()
              .map(
                  keys ->
                      new FirstEntryFilter(Layout.indexPrefix(index.id()), keys, bounds, direction))
              .orElse(null);
      this.skipScan = match.distinctParts() == 0 ? null : new SkipScan(index, match);
      // the scan may not meet the first entry of a document: a skip scan skips it, or it is not
      // written yet
      boolean allFirsts =
          skipScan == null
              && spec.indexing() != IndexingMode.LAZY
              && !index.spec().hasWriteTime()
              && !(index.spec().unique() && !spec.partitionKey().isEmpty());
      this.seen = new SeenKeys(allFirsts ? MAX_SEEN_BYTES : Long.MAX_VALUE);
      this.firstsOfAll =
          severalPerDocument && allFirsts
              ? new FirstEntryFilter(
                  Layout.indexPrefix(index.id()), index.spec(), bounds, direction)
              : null;
    }

    @Override
    public void shown(byte[] record) {
      if (skipScan == null || scan == null || key == null) {
        return;
      }
      byte[] next = skipScan.after(key, RecordFormat.document(record));
      if (next != null) {
        scan.seek(next);
      }
    }

    @Override
    public byte @Nullable [] next() {
      while (!resting()) {
        Interrupt.steps(1);
        Scan open = scan;
        if (open == null) {
          if (!ranges.hasNext()) {
            return null;
          }
          scan =
              ahead(
                  reader.scan(Space.ENTRIES, from.rest(ranges.next(), direction), direction),
                  this::needed);
        } else if (!open.next()) {
          open.close();
          scan = null;
        } else {
          key = open.key();
          byte[] record = fetch(key, open.value());
          if (record != null) {
            return record;
          }
        }
      }
      return null;
    }

    /** Returns the primary key of an entry whose record is to be read; null for a dead one. */
    private byte @Nullable [] needed(byte[] entryKey, byte[] value) {
      return cutoffs.judge(value, 0) == Verdict.EXPIRED
          ? null
          : IndexEntryValues.primaryKey(index.spec().unique(), entryKey, value);
    }

    /** Moves the scan to a key, or to the end of its range. */
    @SuppressWarnings("ReferenceEquality") // the constant, not an empty key
    private void skip(byte @Nullable [] next) {
      Scan open = Objects.requireNonNull(scan);
      if (next == ExpiryZones.END) {
        open.close();
        scan = null;
      } else if (next != null) {
        open.seek(next);
      }
    }

    private byte @Nullable [] fetch(byte[] key, byte[] value) {
      keys++;
      allowance--;
      if (cutoffs.judge(value, 0) == Verdict.EXPIRED) {
        deadRun.dead(key);
        if (skipper.dead()) {
          skip(skipper.next(key));
        }
        return null;
      }
      deadRun.live();
      skipper.live();
      primaryKey = IndexEntryValues.primaryKey(index.spec().unique(), key, value);
      if (severalPerDocument && seen.contains(primaryKey)) {
        return null;
      }
      byte[] record = record(Objects.requireNonNull(scan), primaryKey);
      if (record == null || Header.born(record, 0) != Header.born(value, 0)) {
        return null;
      }
      if (firstsOfAll != null && seen.isFull() && !firstsOfAll.isFirst(key, primaryKey, record)) {
        return null;
      }
      if (severalPerDocument) {
        seen.add(primaryKey);
      }
      return firsts == null || firsts.isFirst(key, primaryKey, record) ? record : null;
    }

    @Override
    public byte[] primaryKey() {
      return primaryKey;
    }

    @Override
    public byte @Nullable [] key() {
      return key;
    }

    @Override
    public void close() {
      if (scan != null) {
        scan.close();
      }
    }
  }
}
