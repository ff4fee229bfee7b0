package dev.mayfly.engine;

import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one who decides for a shard: every condition is checked and every batch made here, under one
 * lock, in one order. Reads take no lock.
 */
final class ShardOwner {
  private static final int BATCH_KEPT = 1 << 20;

  private final Shard shard;
  private final Sequence sequence;
  private final Graveyard graveyard;
  private final Pulse pulse;
  private final LongSupplier clock;
  private final LongConsumer due;
  private final ShardLock lock = new ShardLock(this::settleTurns);
  private final Pulse changes = new Pulse();
  private final Pulse arrived = new Pulse();
  private final LaneCursors lanes = new LaneCursors();
  private final Frontier frontier;
  private final Tally tally = new Tally();

  private final EntryKeys keys = new EntryKeys();
  private final Turns turns;
  private final Census census = new Census(this);
  private final Arrivals arrivals = new Arrivals(this);
  private final Holds holds = new Holds(lock);
  private final DeadRuns deadRuns = new DeadRuns();

  private Batch batch = new Batch(4096);

  /** Known before the commit that makes it so: who reads it after a snapshot knows enough. */
  private volatile Map<Integer, Long> arrays = Map.of();

  private Map<Integer, Long> storedArrays = Map.of();
  private volatile long lastArrival;
  private volatile View view;
  private volatile Cutoffs latest = Cutoffs.NONE;
  private volatile long lastPosition;
  private volatile long trimmedTo;

  /** Known before the commit that makes it so, as {@link #arrays}. */
  private volatile FeedTimes feedTimes = FeedTimes.NONE;

  /** The time of the newest change, but for a few seconds. Guarded by the lock. */
  private long lastTime;

  private volatile boolean closed;
  private volatile boolean dropped;

  /**
   * Whether a commit is in progress or has failed: what is known in memory may then not be what is
   * stored, and is read again before the shard is used. Guarded by the lock.
   */
  private boolean inDoubt;

  /** What an operation needs to know, read at once. */
  record View(Compiled compiled, Swept swept, Schedule schedule) {
    View(Compiled compiled, Swept swept) {
      this(compiled, swept, compiled.schedule().with(swept.marks()));
    }
  }

  /**
   * @param clock the time of the engine
   * @param due is told when a write has brought a document that is due at an instant
   * @param conflictNanos how long a write waits for a transaction that holds its document
   */
  ShardOwner(
      Shard shard,
      Sequence sequence,
      Compiled compiled,
      Graveyard graveyard,
      Pulse pulse,
      LongSupplier clock,
      LongConsumer due,
      long conflictNanos) {
    this.shard = shard;
    this.sequence = sequence;
    this.graveyard = graveyard;
    this.pulse = pulse;
    this.clock = clock;
    this.due = due;
    Swept swept = storedSwept(compiled);
    this.frontier = Frontier.of(shard);
    this.turns = new Turns(this, new Receipts(shard), due, conflictNanos);
    this.storedArrays = storedArrays(compiled);
    this.arrays = storedArrays;
    this.view = new View(compiled, swept);
    graveyard.opened(shard.number(), swept);
    tally.recount(swept.cutoffs());
    recoverTotals();
  }

  private Swept storedSwept(Compiled compiled) {
    Swept swept = Swept.NOTHING;
    for (LaneState lane : compiled.state().lanes()) {
      byte[] stored = shard.read(Space.META, Layout.swept(lane.number()));
      if (stored != null) {
        swept = swept.decode(compiled.state(), lane.number(), stored);
      }
    }
    return swept;
  }

  private Map<Integer, Long> storedArrays(Compiled compiled) {
    Map<Integer, Long> met = new HashMap<>();
    for (IndexState index : compiled.state().indexes()) {
      byte[] stored = shard.read(Space.META, Layout.arrays(index.id()));
      if (stored != null) {
        met.put(index.id(), new ByteCursor(stored, 0).varint());
      }
    }
    return Map.copyOf(met);
  }

  /**
   * Reads again what is known in memory of what is stored, after a commit that may have been made
   * or not. The caller holds the lock.
   */
  private void recover() {
    turns.forgetKnownReceipts();
    storedArrays = storedArrays(compiled());
    view = new View(compiled(), storedSwept(compiled()));
    graveyard.recovered(shard.number(), swept());
    tally.recount(swept().cutoffs());
    recoverTotals();
    lanes.reset();
    deadRuns.unwatch();
    inDoubt = false;
  }

  /** Whether what is known in memory may not be what is stored. The caller holds the lock. */
  boolean inDoubt() {
    return inDoubt;
  }

  private void recoverTotals() {
    Feed.Totals stored = Feed.Totals.NONE;
    long trimmedBefore = 0;
    byte[] trimmed = shard.read(Space.META, Layout.totals());
    if (trimmed != null) {
      ByteCursor cursor = new ByteCursor(trimmed, 0);
      trimmedBefore = cursor.varint();
      stored = new Feed.Totals(new Usage(cursor.varint(), cursor.varint()), cursor.varint());
    }
    long newest = trimmedBefore;
    lastTime = Long.MIN_VALUE;
    byte[] times = shard.read(Space.META, Layout.feedTimes());
    feedTimes = times == null ? FeedTimes.NONE : FeedTimes.decode(times);
    try (Scan last = shard.scan(Space.QUEUES, Range.prefix(Layout.feedPrefix()), Direction.DOWN)) {
      if (last.next()) {
        Feed.Totals totals = Feed.totals(last.value());
        stored = new Feed.Totals(totals.stored(), totals.offset() + last.value().length);
        List<Change> changes =
            Feed.read(compiled().spec(), Layout.position(last.key()), last.value(), Long.MIN_VALUE);
        newest = changes.getLast().position();
        lastTime = changes.getLast().time();
      }
    }
    byte[] repaired = shard.read(Space.META, Layout.repairedCounts());
    if (repaired != null) {
      ByteCursor cursor = new ByteCursor(repaired, 0);
      if (cursor.varint() >= newest) {
        Usage counted = new Usage(cursor.varint(), cursor.varint());
        stored = new Feed.Totals(counted, stored.offset());
      }
    }
    tally.restore(stored);
    trimmedTo = trimmedBefore;
    lastPosition = newest;
    Range arrivals = Range.prefix(Layout.arrivalPrefix());
    try (Scan last = shard.scan(Space.QUEUES, arrivals, Direction.DOWN)) {
      lastArrival = last.next() ? Layout.position(last.key()) : 0;
    }
  }

  /**
   * Puts right how much is stored, in memory at once and by a batch for the time after: changes
   * later than the last one tell of it themselves. The caller holds the lock.
   */
  void repairCounts(Batch to, Usage stored) {
    to.put(
        Space.META,
        Layout.repairedCounts(),
        new ByteBuilder()
            .varint(lastPosition)
            .varint(stored.documents())
            .varint(stored.bytes())
            .bytes());
    tally.restore(new Feed.Totals(stored, tally.totals().offset()));
    tally.recount(view.swept().cutoffs());
  }

  Shard shard() {
    return shard;
  }

  /** The time of the engine: it goes back only when a leap of the clock turns out to be none. */
  long time() {
    return clock.getAsLong();
  }

  /** Whether its collection was dropped, or the engine closed. */
  boolean closed() {
    return closed;
  }

  View view() {
    return view;
  }

  Holds holds() {
    return holds;
  }

  ShardLock lock() {
    return lock;
  }

  Compiled compiled() {
    return view.compiled();
  }

  Swept swept() {
    return view.swept();
  }

  LaneCursors lanes() {
    return lanes;
  }

  /** Runs of dead entries that readers have walked over. */
  DeadRuns deadRuns() {
    return deadRuns;
  }

  Tally tally() {
    return tally;
  }

  Sequence sequence() {
    return sequence;
  }

  /** Lanes, watermarks and what is swept. */
  Schedule schedule() {
    return view.schedule();
  }

  /** The predicate at an instant: rules, watermarks and what is swept. */
  Cutoffs cutoffs(long now) {
    Schedule schedule = view.schedule();
    Cutoffs known = latest;
    if (!known.isOf(schedule, now)) {
      known = schedule.at(now);
      latest = known;
    }
    return known;
  }

  /** Puts a changed collection into force. The caller holds the lock. */
  void publish(Compiled next) {
    view = new View(next, view.swept().under(next.state()));
    graveyard.under(shard.number(), next.state());
    tally.recount(view.swept().cutoffs());
    lanes.reset();
  }

  /**
   * Removes what is stored of a lane that writes do not keep up: its entries, and how far its build
   * was. The caller holds the lock.
   */
  void clearLane(int lane) {
    clearLane(lane, List.of(ShardBuild.Target.lane(lane).progressKey()));
  }

  /**
   * As {@link #clearLane(int)} for a number that no lane has: how far it was swept means nothing.
   */
  void clearLaneWithMarks(int lane) {
    clearLane(lane, List.of(ShardBuild.Target.lane(lane).progressKey(), Layout.swept(lane)));
  }

  private void clearLane(int lane, List<byte[]> meta) {
    byte[] from = Layout.lanePrefix(lane);
    byte[] to = Layout.laneEnd(lane);
    boolean empty;
    try (Scan left = shard.scan(Space.QUEUES, Range.of(from, to), Direction.UP)) {
      empty = !left.next() && meta.stream().allMatch(key -> shard.read(Space.META, key) == null);
    }
    if (!empty) {
      Batch cleared = new Batch();
      cleared.deleteRange(Space.QUEUES, from, to);
      meta.forEach(key -> cleared.delete(Space.META, key));
      shard.sync(shard.commit(cleared));
    }
  }

  /** Notes how far the sweep has come with a commit. The caller holds the lock. */
  void swept(Swept next, long ticket) {
    view = new View(view.compiled(), next);
    graveyard.swept(shard.number(), next, ticket);
    markSynced();
  }

  /** Lets compactions drop what was swept, as far as that is on disk. */
  void markSynced() {
    graveyard.synced(shard.number(), shard.syncedThrough());
  }

  /** Whether something was swept that compactions may not drop yet. */
  boolean marksWait() {
    return graveyard.waits(shard.number());
  }

  /** The bytes of documents that compactions have dropped since this was last asked. */
  long takeDropped() {
    return graveyard.takeDropped(shard.number());
  }

  /** A ticket for {@link #syncMarks(long)}. */
  long ticketMarks() {
    long ticket = shard.commit(new Batch());
    graveyard.ticketed(shard.number(), ticket);
    return ticket;
  }

  /** As {@link #markSynced} for what was swept before a ticket; waits for the disk. */
  void syncMarks(long ticket) {
    shard.sync(ticket);
    markSynced();
  }

  /** Commits what was decided in advance, and makes sure of what is stored. */
  private void settleTurns() {
    turns.settle();
    if (inDoubt) {
      recover();
    }
  }

  /** The writes of callers. */
  Turns turns() {
    return turns;
  }

  /** What is live. */
  Census census() {
    return census;
  }

  /** What has come into a capped collection. */
  Arrivals arrivals() {
    return arrivals;
  }

  /**
   * Commits a group with what follows from its writes. The caller holds the lock.
   *
   * @return to wait for the disk with; empty when the store has no room yet
   */
  OptionalLong commit(Group group, Function<Batch, OptionalLong> committing) {
    complete(group);
    Batch decided = group.batch();
    OptionalLong ticket = SureCommit.of(shard, decided, () -> committing.apply(decided));
    if (ticket.isPresent()) {
      apply(group);
      storedArrays = arrays;
    }
    inDoubt = false;
    return ticket;
  }

  /**
   * Adds to a group what follows from its writes; it can then be committed. Until that is done the
   * shard is in doubt.
   */
  void complete(Group group) {
    inDoubt = true;
    if (view.compiled().spec().capped()) {
      arrivals.makeRoom(group);
    }
    arrays = noteArrays(group.batch(), view.compiled(), keys.arrays(view.compiled()));
    noteTime(group);
  }

  /** Adds to a group that times go back with it, if they do. */
  private void noteTime(Group group) {
    Telling telling = group.telling();
    if (telling.firstPosition() >= 0 && goesBack(telling.time())) {
      FeedTimes.Back back = new FeedTimes.Back(telling.firstPosition(), telling.time());
      feedTimes = feedTimes.with(back, trimmedTo);
      group.batch().put(Space.META, Layout.feedTimes(), feedTimes.encode());
    }
  }

  private boolean goesBack(long time) {
    return time + FeedReader.DISORDER_MILLIS < lastTime;
  }

  /** Notes that a group has been committed together with others. The caller holds the lock. */
  void committed(Group group) {
    apply(group);
    storedArrays = arrays;
    inDoubt = false;
    due.accept(lanes.takeLowestDue());
  }

  /** A group on this shard's own batch. The caller holds the lock. */
  Group group(long now) {
    return group(holds.guard(null), TransactionId.NONE, now);
  }

  /** A group of the writes of a transaction, as {@link #group(long)}. */
  Group group(Transaction transaction, TransactionId id, long now) {
    return groupOfWrites(holds.guard(transaction), id, now);
  }

  /** A group of writes outside of transactions, as {@link #group(long)}. */
  Group groupOfWrites(long now) {
    return groupOfWrites(holds.guard(null), TransactionId.NONE, now);
  }

  /** As {@link #groupOfWrites(long)}, of writes that must not wait and meet no transaction. */
  Group groupAtHand(long now) {
    return group(new AtHand(shard), Holds.Guard.NONE, TransactionId.NONE, now);
  }

  /** A capped collection must know what is live before it makes room. */
  private Group groupOfWrites(Holds.Guard guard, TransactionId transaction, long now) {
    if (view.compiled().spec().capped()) {
      census.countInLock(now);
    }
    return group(guard, transaction, now);
  }

  private Group group(Holds.Guard guard, TransactionId transaction, long now) {
    return group(shard, guard, transaction, now);
  }

  private Group group(Reader reader, Holds.Guard guard, TransactionId transaction, long now) {
    if (inDoubt) {
      recover();
    }
    if (batch.bytes() > BATCH_KEPT) {
      batch = new Batch(4096);
    }
    return new Group(
        view.compiled(),
        cutoffs(now),
        view.swept(),
        reader,
        sequence,
        lanes,
        frontier,
        keys,
        batch.clear(),
        tally,
        guard,
        transaction,
        now);
  }

  /** A group that is never committed: what a transaction sees of its own writes. */
  static Group shadow(View view, Reader reader, Holds.Guard guard, long sequence, long now) {
    return new Group(
        view.compiled(),
        view.schedule().at(now),
        view.swept(),
        reader,
        new Sequence(sequence, _ -> {}),
        new LaneCursors(),
        Frontier.unknown(),
        new EntryKeys(),
        new Batch(),
        new Tally(),
        guard,
        TransactionId.NONE,
        now);
  }

  /** Commits a group and wakes whoever waits for changes. The caller holds the lock. */
  long commit(Group group) {
    inDoubt = true;
    noteTime(group);
    long ticket = commit(group.batch());
    apply(group);
    inDoubt = false;
    return ticket;
  }

  private long commit(Batch decided) {
    return SureCommit.of(shard, decided, () -> OptionalLong.of(shard.commit(decided)))
        .orElseThrow();
  }

  /**
   * Waits until a commit survives loss of power.
   *
   * @throws EngineException OUTCOME_UNKNOWN when the disk fails: it is made, and may be lost
   */
  void sync(long ticket) {
    SureCommit.sync(shard, ticket);
  }

  private void apply(Group group) {
    deadRuns.committed(group.batch());
    tally.apply(group.delta(), group.telling().offset());
    arrivals.committed(group);
    if (group.telling().lastPosition() >= 0) {
      lastPosition = group.telling().lastPosition();
      long time = group.telling().time();
      lastTime = goesBack(time) ? time : Math.max(lastTime, time);
      lastArrival = Math.max(lastArrival, group.lastArrival());
      changes.told(lastPosition);
      arrived.told(lastArrival);
      pulse.told(lastPosition);
    }
  }

  /**
   * Adds to a batch which parts of which indexes have newly met an array, and returns what is known
   * once it is committed. The caller holds the lock.
   */
  private Map<Integer, Long> noteArrays(Batch to, Compiled compiled, long[] met) {
    Map<Integer, Long> known = storedArrays;
    List<IndexState> indexes = compiled.state().indexes();
    for (int i = 0; i < met.length; i++) {
      int index = indexes.get(i).id();
      long before = known.getOrDefault(index, 0L);
      if ((met[i] & ~before) != 0) {
        known = new HashMap<>(known);
        known.put(index, before | met[i]);
        to.put(Space.META, Layout.arrays(index), new ByteBuilder().varint(before | met[i]).bytes());
      }
    }
    return known;
  }

  /** Commits entries of documents that are there already. The caller holds the lock. */
  void commitEntries(Batch entries, Compiled compiled, long[] met) {
    Map<Integer, Long> known = noteArrays(entries, compiled, met);
    arrays = known;
    inDoubt = true;
    commit(entries);
    deadRuns.committed(entries);
    storedArrays = known;
    inDoubt = false;
  }

  /** Commits entries of documents, and the end of those in their way. The caller holds the lock. */
  void commitEntries(Group entries, Compiled compiled, long[] met) {
    Map<Integer, Long> known = noteArrays(entries.batch(), compiled, met);
    arrays = known;
    inDoubt = true;
    commit(entries);
    storedArrays = known;
  }

  /** The parts of an index that have met an array in this shard, a bit each. */
  long arrays(IndexState index) {
    return arrays.getOrDefault(index.id(), 0L);
  }

  /** A live document, if there is one under that key. */
  Optional<Stored> read(PrimaryKey key, long now) {
    while (true) {
      Compiled before = compiled();
      byte[] record = shard.read(Space.RECORDS, key.bytes());
      Optional<Stored> live = live(record, key, now);
      if (compiled() == before) {
        return live;
      }
      // what kept the record dead may have been let go of since it was read
    }
  }

  /** As {@link #read}, unless that had to wait for a disk. */
  Glance glance(PrimaryKey key, long now) {
    while (true) {
      Compiled before = compiled();
      byte[] record = shard.readAtHand(Space.RECORDS, key.bytes());
      if (Reader.isElsewhere(record)) {
        return new Glance.Elsewhere();
      }
      Optional<Stored> live = live(record, key, now);
      if (compiled() == before) {
        return new Glance.Told(live);
      }
    }
  }

  private Optional<Stored> live(byte @Nullable [] record, PrimaryKey key, long now) {
    return record == null || expired(record, key.bytes(), now)
        ? Optional.empty()
        : Optional.of(stored(view.schedule(), record));
  }

  private boolean expired(byte[] record, byte[] primaryKey, long now) {
    return cutoffs(now).expired(record) || view.swept().inPart(record, primaryKey);
  }

  static Stored stored(Schedule schedule, byte[] record) {
    return new Stored(
        Group.documentOf(record),
        Header.sequence(record, 0),
        Header.born(record, 0),
        Header.writtenAt(record, 0),
        schedule.deadline(record));
  }

  /** Returns when the writes that had begun are done. */
  void settle() {
    lock.lock();
    try {
      // Whoever had it is done.
    } finally {
      lock.unlock();
    }
  }

  /** The position of the newest change. */
  long lastPosition() {
    return lastPosition;
  }

  /** How much the feed takes. */
  long feedBytes() {
    try (Scan oldest = shard.scan(Space.QUEUES, Range.prefix(Layout.feedPrefix()), Direction.UP)) {
      return oldest.next() ? tally.totals().offset() - Feed.totals(oldest.value()).offset() : 0;
    }
  }

  /** Where the times of changes go back. */
  FeedTimes feedTimes() {
    return feedTimes;
  }

  /** The newest position that is no longer kept; 0 when nothing was trimmed. */
  long trimmedTo() {
    return trimmedTo;
  }

  /**
   * Commits that changes up to a position are no longer kept. Who reads them meanwhile must know
   * before they go; when the commit fails, what is kept is read again. The caller holds the lock.
   */
  void commitTrimmed(Batch trimmed, long position) {
    inDoubt = true;
    trimmedTo = position;
    shard.commit(trimmed);
    inDoubt = false;
  }

  /** Waits until there is a change behind a position; false when the time has run out. */
  boolean awaitChange(long after, long nanos) throws InterruptedException {
    return await(changes, () -> lastPosition > after, after, nanos);
  }

  /** The newest arrival in a capped collection that has been committed. */
  long lastArrival() {
    return lastArrival;
  }

  /** Waits until a document has arrived after another; false when the time has run out. */
  boolean awaitArrival(long after, long nanos) throws InterruptedException {
    return await(arrived, () -> lastArrival > after, after, nanos);
  }

  /** Waits without the lock: writers are not held up by those who wait for their changes. */
  private boolean await(Pulse beats, BooleanSupplier come, long after, long nanos)
      throws InterruptedException {
    long left = nanos;
    while (!come.getAsBoolean() && !closed && left > 0) {
      left = beats.await(after, left);
    }
    return come.getAsBoolean();
  }

  /** Refuses everything from now on and lets go of those who wait. */
  void close() {
    lock.lockAsItIs();
    try {
      turns.settle();
      closed = true;
    } finally {
      lock.unlock();
    }
    changes.beat();
    arrived.beat();
  }

  /** As {@link #close}, because the collection is dropped. */
  void drop() {
    dropped = true;
    close();
  }

  /** Whether the collection is dropped: its documents go, from under open snapshots too. */
  boolean dropped() {
    return dropped;
  }

  /**
   * Makes sure that what was read by a predicate is all there was: neither dropped nor, after the
   * longest time that the sweep waits for readers, swept.
   *
   * @throws EngineException DROPPED, SNAPSHOT_TOO_OLD
   */
  void checkReadable(Cutoffs reading) {
    if (dropped) {
      throw new EngineException(
          Reason.DROPPED, "collection " + compiled().state().namespace() + " was dropped");
    }
    if (view.swept().goesBeyond(reading)
        && clock.getAsLong() - reading.now() >= Keeper.LONGEST_READ_MILLIS) {
      throw new EngineException(
          Reason.SNAPSHOT_TOO_OLD,
          "the query has lasted so long that documents it should give were swept");
    }
  }

  void checkOpen() {
    if (closed) {
      throw new EngineException(Reason.CLOSED, "the collection is gone");
    }
  }

  /** The record under a primary key as it is stored, live or not. */
  byte @Nullable [] record(byte[] primaryKey) {
    return shard.read(Space.RECORDS, primaryKey);
  }
}
