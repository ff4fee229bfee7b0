package dev.mayfly.engine;

import dev.mayfly.engine.Change.Cause;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The one who decides for a shard: every condition is checked and every batch made here, under one
 * lock, in one order. Reads take no lock.
 */
final class ShardOwner {
  private static final int BATCH_KEPT = 1 << 20;

  /** How many turns are carried out at once: more would wait longer than they gain. */
  private static final int MOST_TOGETHER = 64;

  /** How long somebody who must not wait does so for the lock: most have it for less. */
  private static final long SOON_NANOS = 1_000_000;

  private final Shard shard;
  private final Sequence sequence;
  private final Graveyard graveyard;
  private final Pulse pulse;
  private final LongConsumer due;
  private final ShardLock lock = new ShardLock(this::commitAdvance);
  private final Condition told = lock.newCondition();
  private final ReentrantLock counting = new ReentrantLock();
  private final Queue<Turn> waiting = new ConcurrentLinkedQueue<>();
  private final LaneCursors lanes = new LaneCursors();
  private final Frontier frontier;
  private final Tally tally = new Tally();

  private final EntryKeys keys = new EntryKeys();
  private final Receipts receipts;
  private final Holds holds = new Holds(lock);
  private final long conflictNanos;

  private Batch batch = new Batch(4096);
  private @Nullable Advance advance;

  /** Known before the commit that makes it so: who reads it after a snapshot knows enough. */
  private volatile Map<Integer, Long> arrays = Map.of();

  private Map<Integer, Long> storedArrays = Map.of();
  private volatile long arrivalCursor = Long.MIN_VALUE;
  private volatile long lastArrival;
  private volatile View view;
  private volatile Cutoffs latest = Cutoffs.NONE;
  private volatile long lastPosition;
  private volatile long trimmedTo;
  private volatile boolean closed;

  /** What an operation needs to know, read at once. */
  record View(Compiled compiled, Swept swept, Schedule schedule) {
    View(Compiled compiled, Swept swept) {
      this(compiled, swept, compiled.schedule().with(swept.marks()));
    }
  }

  /**
   * @param due is told when a write has brought a document that is due at an instant
   * @param conflictNanos how long a write waits for a transaction that holds its document
   */
  ShardOwner(
      Shard shard,
      Sequence sequence,
      Compiled compiled,
      Graveyard graveyard,
      Pulse pulse,
      LongConsumer due,
      long conflictNanos) {
    this.shard = shard;
    this.conflictNanos = conflictNanos;
    this.sequence = sequence;
    this.graveyard = graveyard;
    this.pulse = pulse;
    this.due = due;
    Swept swept = Swept.NOTHING;
    for (LaneState lane : compiled.state().lanes()) {
      byte[] stored = shard.read(Space.META, Layout.swept(lane.number()));
      if (stored != null) {
        swept = swept.decode(compiled.state(), lane.number(), stored);
      }
    }
    Map<Integer, Long> met = new HashMap<>();
    for (IndexState index : compiled.state().indexes()) {
      byte[] stored = shard.read(Space.META, Layout.arrays(index.id()));
      if (stored != null) {
        met.put(index.id(), new ByteCursor(stored, 0).varint());
      }
    }
    this.frontier = Frontier.of(shard);
    this.receipts = Receipts.load(shard);
    this.arrays = Map.copyOf(met);
    this.storedArrays = arrays;
    this.view = new View(compiled, swept);
    graveyard.swept(shard.number(), swept.cutoffs());
    tally.recount(swept.cutoffs());
    recoverTotals();
  }

  private void recoverTotals() {
    byte[] trimmed = shard.read(Space.META, Layout.totals());
    if (trimmed != null) {
      ByteCursor cursor = new ByteCursor(trimmed, 0);
      trimmedTo = cursor.varint();
      lastPosition = trimmedTo;
      tally.restore(new Feed.Totals(new Usage(cursor.varint(), cursor.varint()), cursor.varint()));
    }
    try (Scan last = shard.scan(Space.QUEUES, Range.prefix(Layout.feedPrefix()), Direction.DOWN)) {
      if (last.next()) {
        Feed.Totals totals = Feed.totals(last.value());
        tally.restore(new Feed.Totals(totals.stored(), totals.offset() + last.value().length));
        List<Change> changes =
            Feed.read(compiled().spec(), Layout.position(last.key()), last.value(), Long.MIN_VALUE);
        lastPosition = changes.getLast().position();
      }
    }
    Range arrivals = Range.prefix(Layout.arrivalPrefix());
    try (Scan last = shard.scan(Space.QUEUES, arrivals, Direction.DOWN)) {
      lastArrival = last.next() ? Layout.position(last.key()) : 0;
    }
  }

  Shard shard() {
    return shard;
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
    swept(next, view.swept().under(next.state()));
    tally.recount(view.swept().cutoffs());
    lanes.reset();
  }

  /** Notes how far the sweep has come. The caller holds the lock. */
  void swept(Swept next) {
    swept(view.compiled(), next);
  }

  private void swept(Compiled compiled, Swept next) {
    view = new View(compiled, next);
    graveyard.swept(shard.number(), next.cutoffs());
  }

  /**
   * Decides and commits a group of writes. Callers that come while another's commit is in progress
   * queue up, and the first to get the lock commits for all of them at once.
   */
  List<Outcome> write(List<Write> writes, Manner manner, long instant, Charge charge) {
    Turn turn = new Turn(writes, manner, instant);
    if (turn.joins()) {
      waiting.add(turn);
    }
    long earliest = Deadline.NEVER;
    lock.lock();
    try {
      boolean together = turn.joins() && holds.isEmpty() && !view.compiled().spec().capped();
      while (!turn.over()) {
        long now = together ? writeTogether() : writeAlone(turn);
        boolean follows = view.compiled().spec().indexing() == IndexingMode.LAZY;
        earliest = follows ? now : lanes.takeLowestDue();
      }
    } finally {
      lock.unlock();
    }
    due.accept(earliest);
    List<Outcome> outcomes = turn.outcomes();
    charge.add(turn.charge());
    if (turn.ticket() >= 0 && manner.durability() == Durability.SYNCED) {
      shard.sync(turn.ticket());
    }
    return outcomes;
  }

  /**
   * Decides a write in advance of its commit, which is shared with others that come before the
   * pledge is kept.
   *
   * @throws NotAtOnce when it would have to wait; nothing was done then
   */
  List<Outcome> promise(
      List<Write> writes, Manner manner, long instant, Charge charge, Pledge pledge) {
    Turn turn = new Turn(writes, manner, instant);
    if (!turn.joins() || manner.durability() == Durability.SYNCED || !lock.tryEnter(SOON_NANOS)) {
      throw new NotAtOnce();
    }
    try {
      Advance joined = advanceFor(turn);
      decideBesideOthers(joined.group(), turn, instant);
      joined.add(turn);
    } catch (RuntimeException failure) {
      abandonAdvance(failure);
      throw failure;
    } finally {
      lock.unlock();
    }
    List<Outcome> outcomes = turn.outcomes();
    pledge.give(this, turn);
    charge.add(turn.charge());
    return outcomes;
  }

  /** What a turn is decided with: what others have begun, or a beginning. */
  private Advance advanceFor(Turn turn) {
    if (advance != null && !advance.admits(turn) && !commitAdvance(shard::commitAtOnce)) {
      throw new NotAtOnce();
    }
    if (!holds.isEmpty() || view.compiled().spec().capped()) {
      throw new NotAtOnce();
    }
    if (advance == null) {
      checkOpen();
      long now = turn.instant();
      advance =
          new Advance(group(new AtHand(shard), Holds.Guard.NONE, TransactionId.NONE, now), now);
    }
    return advance;
  }

  /** Commits what was decided in advance. The caller holds the lock. */
  private void commitAdvance() {
    commitAdvance(this::commitWaiting);
  }

  /** As {@link #commitAdvance()}; false when that has to wait. */
  private boolean commitAdvance(Function<Batch, OptionalLong> committing) {
    Advance decided = advance;
    if (decided == null) {
      return true;
    }
    try {
      if (!commit(decided.group(), decided.turns(), committing)) {
        return false;
      }
      boolean follows = view.compiled().spec().indexing() == IndexingMode.LAZY;
      due.accept(follows ? decided.now() : lanes.takeLowestDue());
      advance = null;
      decided.turns().forEach(Turn::settled);
    } catch (RuntimeException failure) {
      abandonAdvance(failure);
    }
    return true;
  }

  /** Gives up what was decided in advance: it cannot be committed, or no longer be told apart. */
  private void abandonAdvance(RuntimeException failure) {
    Advance decided = advance;
    advance = null;
    if (decided != null) {
      decided.turns().forEach(turn -> turn.failed(failure));
      decided.turns().forEach(Turn::settled);
    }
  }

  /** Commits a turn that was decided in advance; throws what that failed with. */
  void keep(Turn turn) {
    if (!turn.isSettled()) {
      lock.lock();
      lock.unlock();
    }
    turn.outcomes();
  }

  /** As {@link #keep}; false when that has to wait. */
  boolean keepAtOnce(Turn turn) {
    // who has the lock settles the turn before anything else
    if (!turn.isSettled() && lock.tryEnter(SOON_NANOS)) {
      try {
        commitAdvance(shard::commitAtOnce);
      } finally {
        lock.unlock();
      }
    }
    if (!turn.isSettled()) {
      return false;
    }
    turn.outcomes();
    return true;
  }

  /**
   * Carries out one turn, when a transaction is in its way after that is over. Others write while
   * it waits: whether it has waited in vain or not, it is decided anew.
   */
  private long writeAlone(Turn turn) {
    waiting.remove(turn);
    long now = turn.instant();
    Group group = decided(turn, now);
    boolean patient = true;
    while (patient && conflicting(turn.outcomes())) {
      patient = holds.awaitRelease(conflictNanos, turn.manner().check());
      lock.settle();
      now = turn.manner().clock().getAsLong();
      group = decided(turn, now);
    }
    commit(group, List.of(turn));
    return now;
  }

  private Group decided(Turn turn, long now) {
    checkOpen();
    Group group = groupOfWrites(holds.guard(null), TransactionId.NONE, now);
    decide(group, turn, now);
    return group;
  }

  /** Carries out the turns that wait. */
  private long writeTogether() {
    List<Turn> turns = takeWaiting();
    long now = turns.stream().mapToLong(Turn::instant).max().orElseThrow();
    try {
      checkOpen();
      Group group = groupOfWrites(holds.guard(null), TransactionId.NONE, now);
      turns.forEach(turn -> decideBesideOthers(group, turn, now));
      commit(group, turns);
    } catch (RuntimeException failure) {
      turns.forEach(turn -> turn.failed(failure));
    }
    return now;
  }

  /**
   * One that cannot be decided leaves nothing behind for the others; else none is committed.
   *
   * @throws NotAtOnce when it cannot be decided without waiting
   */
  private void decideBesideOthers(Group group, Turn turn, long now) {
    int before = group.batch().operations();
    try {
      decide(group, turn, now);
    } catch (RuntimeException | Error refused) {
      if (group.batch().operations() != before) {
        throw new IllegalStateException("a write was decided by half", refused);
      }
      if (refused instanceof RuntimeException failure) {
        turn.failed(failure);
      } else {
        throw refused;
      }
    }
  }

  /** What is sent twice at the same time is not decided together: the second must see the first. */
  private List<Turn> takeWaiting() {
    List<Turn> turns = new ArrayList<>();
    Set<Bytes> sessions = new HashSet<>();
    for (Turn next = waiting.peek(); next != null && turns.size() < MOST_TOGETHER; ) {
      Retry retry = next.manner().retry();
      if (retry != null && !sessions.add(retry.session())) {
        break;
      }
      turns.add(next);
      waiting.remove();
      next = waiting.peek();
    }
    return turns;
  }

  /** Decides a turn and adds what it takes to the batch of a group. */
  private void decide(Group group, Turn turn, long now) {
    Retry retry = turn.manner().retry();
    double before = group.charge().units();
    Optional<Receipts.Chain> known =
        retry == null ? Optional.empty() : receipts.find(retry.session(), retry.number());
    List<Outcome> outcomes =
        decide(group, turn.writes(), turn.manner().grouping(), repeated(known, retry));
    Optional<Receipts.Chain> receipt =
        retry == null
            ? Optional.empty()
            : Receipts.note(group.batch(), retry, known, outcomes, now);
    turn.decided(outcomes, receipt, group.charge().units() - before);
  }

  private void commit(Group group, List<Turn> turns) {
    commit(group, turns, this::commitWaiting);
  }

  private OptionalLong commitWaiting(Batch decided) {
    return OptionalLong.of(shard.commit(decided));
  }

  /** As {@link #commit(Group, List)}; false when that has to wait. */
  private boolean commit(Group group, List<Turn> turns, Function<Batch, OptionalLong> committing) {
    if (!group.batch().isEmpty()) {
      complete(group);
      OptionalLong ticket = committing.apply(group.batch());
      if (ticket.isEmpty()) {
        return false;
      }
      apply(group);
      storedArrays = arrays;
      turns.forEach(turn -> turn.committed(ticket.getAsLong()));
    }
    for (Turn turn : turns) {
      Retry retry = turn.manner().retry();
      if (retry != null && !turn.refused() && turn.receipt().isPresent()) {
        receipts.keep(retry.session(), turn.receipt().get());
      }
    }
    return true;
  }

  /** Whether a write was refused for the sake of a transaction that may soon be over. */
  private boolean conflicting(List<Outcome> outcomes) {
    return !holds.isEmpty()
        && outcomes.stream()
            .anyMatch(
                outcome ->
                    outcome instanceof Outcome.Failed(EngineException failure)
                        && failure.reason() == Reason.WRITE_CONFLICT);
  }

  /** Adds to a group what follows from its writes; it can then be committed. */
  void complete(Group group) {
    if (view.compiled().spec().capped()) {
      makeRoom(group);
    }
    arrays = noteArrays(group.batch(), view.compiled(), keys.arrays(view.compiled()));
  }

  /** Notes that a group has been committed together with others. The caller holds the lock. */
  void committed(Group group) {
    apply(group);
    storedArrays = arrays;
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

  /** A capped collection must know what is live before it makes room. */
  private Group groupOfWrites(Holds.Guard guard, TransactionId transaction, long now) {
    if (view.compiled().spec().capped()) {
      countInLock(now);
    }
    return group(guard, transaction, now);
  }

  private Group group(Holds.Guard guard, TransactionId transaction, long now) {
    return group(shard, guard, transaction, now);
  }

  private Group group(Reader reader, Holds.Guard guard, TransactionId transaction, long now) {
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

  /** The outcomes of writes, by their place in the group, that were done when first sent. */
  private static IntFunction<Optional<Outcome.Repeated>> repeated(
      Optional<Receipts.Chain> known, @Nullable Retry retry) {
    if (known.isEmpty() || retry == null) {
      return _ -> Optional.empty();
    }
    return index -> known.get().find(retry.firstStatement() + index);
  }

  /** What became of a write that may have been sent before, if it was done then. */
  Optional<Outcome.Repeated> receipt(Bytes session, long number, int statement) {
    lock.lock();
    try {
      return receipts.find(session, number).flatMap(chain -> chain.find(statement));
    } finally {
      lock.unlock();
    }
  }

  /** Forgets what sessions did that have been idle since an instant; true while there is more. */
  boolean forgetReceipts(long since, int most) {
    lock.lock();
    try {
      Batch forgotten = receipts.forgetIdle(since, most);
      if (!forgotten.isEmpty()) {
        shard.commit(forgotten);
      }
      return forgotten.operations() == most;
    } finally {
      lock.unlock();
    }
  }

  private static List<Outcome> decide(
      Group group,
      List<Write> writes,
      Grouping grouping,
      IntFunction<Optional<Outcome.Repeated>> repeated) {
    List<Outcome> outcomes = new ArrayList<>(writes.size());
    for (Write write : writes) {
      Optional<Outcome.Repeated> before = repeated.apply(outcomes.size());
      if (before.isPresent()) {
        outcomes.add(before.get());
        continue;
      }
      try {
        outcomes.add(group.apply(write));
      } catch (EngineException refused) {
        group.charge().add(Charge.REFUSED);
        outcomes.add(new Outcome.Failed(refused));
        if (grouping == Grouping.ATOMIC && writes.size() > 1) {
          group.batch().clear();
          Collections.fill(outcomes.subList(0, outcomes.size() - 1), new Outcome.Skipped());
        }
        if (grouping != Grouping.UNORDERED) {
          break;
        }
      }
    }
    while (outcomes.size() < writes.size()) {
      outcomes.add(new Outcome.Skipped());
    }
    return outcomes;
  }

  /** Commits a group and wakes whoever waits for changes. The caller holds the lock. */
  long commit(Group group) {
    long ticket = shard.commit(group.batch());
    apply(group);
    return ticket;
  }

  private void apply(Group group) {
    tally.apply(group.delta(), group.feedOffset());
    if (group.lastPosition() >= 0) {
      lastPosition = group.lastPosition();
      lastArrival = Math.max(lastArrival, group.lastArrival());
      told.signalAll();
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
    shard.commit(entries);
    storedArrays = known;
  }

  /** Commits entries of documents, and the end of those in their way. The caller holds the lock. */
  void commitEntries(Group entries, Compiled compiled, long[] met) {
    Map<Integer, Long> known = noteArrays(entries.batch(), compiled, met);
    arrays = known;
    commit(entries);
    storedArrays = known;
  }

  /** The parts of an index that have met an array in this shard, a bit each. */
  long arrays(IndexState index) {
    return arrays.getOrDefault(index.id(), 0L);
  }

  /** Removes the oldest live documents of a capped collection until the rest fits. */
  private void makeRoom(Group group) {
    CollectionSpec spec = view.compiled().spec();
    Range arrivals = Range.of(Layout.arrival(arrivalCursor), Layout.arrival(sequence.peek()));
    boolean contiguous = true;
    try (Scan oldest = shard.scan(Space.QUEUES, arrivals, Direction.UP)) {
      while (overfull(spec, group.delta().liveAfter()) && oldest.next()) {
        contiguous &= giveWay(group, oldest.value(), Layout.position(oldest.key()));
        arrivalCursor = contiguous ? Layout.position(oldest.key()) : arrivalCursor;
      }
    }
    for (byte[] key : group.arrived()) {
      byte[] record = group.current(key);
      if (record != null && overfull(spec, group.delta().liveAfter())) {
        giveWay(group, key, Header.born(record, 0));
      }
    }
  }

  /**
   * Takes a document out of a capped collection; false when it is dead but not swept, and might
   * come back. Its id may long belong to another, where the store has dropped it by itself.
   */
  private boolean giveWay(Group group, byte[] key, long born) {
    byte[] record = group.current(key);
    if (record == null || Header.born(record, 0) != born || view.swept().covers(record, key)) {
      group.batch().delete(Space.QUEUES, Layout.arrival(born));
      return true;
    }
    if (tally.counted().expired(record)) {
      return false;
    }
    group.delete(
        PrimaryKey.of(view.compiled().spec(), Group.documentOf(record)), record, Cause.CAP);
    return true;
  }

  private static boolean overfull(CollectionSpec spec, Usage live) {
    return live.documents() > 1 && spec.cap().exceededBy(live);
  }

  /** A live document, if there is one under that key. */
  Optional<Stored> read(PrimaryKey key, long now) {
    Schedule schedule = view.schedule();
    return live(schedule, shard.read(Space.RECORDS, key.bytes()), key, now);
  }

  /** As {@link #read}, unless that had to wait for a disk. */
  Glance glance(PrimaryKey key, long now) {
    Schedule schedule = view.schedule();
    byte[] record = shard.readAtHand(Space.RECORDS, key.bytes());
    return Reader.isElsewhere(record)
        ? new Glance.Elsewhere()
        : new Glance.Told(live(schedule, record, key, now));
  }

  private Optional<Stored> live(
      Schedule schedule, byte @Nullable [] record, PrimaryKey key, long now) {
    return record == null || expired(record, key.bytes(), now)
        ? Optional.empty()
        : Optional.of(stored(schedule, record));
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

  /** What is stored and not live at an instant; writers in between may blur it, not below zero. */
  Usage backlog(long now) {
    Usage live = usage(now);
    lock.lock();
    try {
      Usage dead = tally.totals().stored().minus(live);
      return new Usage(Math.max(dead.documents(), 0), Math.max(dead.bytes(), 0));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Documents and bytes live at an instant: expired ones do not count, swept or not. What has been
   * counted as dead at a later instant is not counted back: the answer is then of that instant.
   */
  Usage usage(long now) {
    counting.lock();
    try {
      while (true) {
        Cutoffs from;
        Cutoffs target;
        View then;
        Snapshot snapshot;
        lock.lock();
        try {
          snapshot = shard.snapshot();
          // what is swept from now on is in the snapshot still, and is told to the tally besides
          then = view;
          target = cutoffs(Math.max(now, tally.countedAt()));
          from = tally.counted();
          if (from.sameAs(target) || !snapshot.consistent()) {
            snapshot.close();
            return countInLock(now);
          }
          tally.begin(target);
        } finally {
          lock.unlock();
        }
        Map<Integer, Usage> between;
        try (snapshot) {
          between = countBetween(snapshot, then, from, target);
        }
        lock.lock();
        try {
          if (tally.finish(target, LaneCount.total(between))) {
            return tally.live();
          }
        } finally {
          lock.unlock();
        }
      }
    } finally {
      counting.unlock();
    }
  }

  /**
   * As {@link #usage} for who holds the lock. Whoever is counting outside of it has to start again.
   */
  private Usage countInLock(long now) {
    Cutoffs target = cutoffs(Math.max(now, tally.countedAt()));
    if (!tally.counted().sameAs(target)) {
      tally.begin(target);
      tally.finish(target, LaneCount.total(countBetween(shard, view, tally.counted(), target)));
    }
    return tally.live();
  }

  private static Map<Integer, Usage> countBetween(
      Reader reader, View view, Cutoffs from, Cutoffs to) {
    return LaneCount.between(reader, view.compiled().state(), view.swept(), from, to);
  }

  /** Counts, per lane, what is live under one predicate and dead under another. */
  Map<Integer, Usage> between(CollectionState state, Cutoffs from, Cutoffs to) {
    try (Snapshot snapshot = shard.snapshot()) {
      return LaneCount.between(snapshot, state, view.swept(), from, to);
    }
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

  /** The newest position that is no longer kept; 0 when nothing was trimmed. */
  long trimmedTo() {
    return trimmedTo;
  }

  void trimmed(long position) {
    trimmedTo = position;
  }

  /** Where the arrivals of a capped collection begin, or lower. */
  long firstArrival() {
    return arrivalCursor;
  }

  /** Waits until there is a change behind a position; false when the time has run out. */
  boolean awaitChange(long after, long nanos) throws InterruptedException {
    return await(() -> lastPosition > after, nanos);
  }

  /** Waits until a document has arrived after another; false when the time has run out. */
  boolean awaitArrival(long after, long nanos) throws InterruptedException {
    return await(() -> lastArrival > after, nanos);
  }

  private boolean await(BooleanSupplier come, long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (!come.getAsBoolean() && !closed) {
        if (left <= 0) {
          return false;
        }
        left = told.awaitNanos(left);
      }
      return come.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }

  /** Refuses everything from now on and lets go of those who wait. */
  void close() {
    lock.lock();
    try {
      closed = true;
      told.signalAll();
    } finally {
      lock.unlock();
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
