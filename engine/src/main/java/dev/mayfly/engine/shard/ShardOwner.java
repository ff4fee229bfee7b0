package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Transaction;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.catalog.LaneState;
import dev.mayfly.engine.catalog.Sequence;
import dev.mayfly.engine.liveness.Liveness;
import dev.mayfly.engine.liveness.ParentKeys;
import dev.mayfly.engine.liveness.ParentLookup;
import dev.mayfly.engine.liveness.ParentView;
import dev.mayfly.engine.liveness.SweptLanes;
import dev.mayfly.engine.shard.KeyClaims.NeedsExclusiveLock;
import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.ByteCursor;
import dev.mayfly.engine.storage.ChangeSignal;
import dev.mayfly.engine.storage.FeedFormat;
import dev.mayfly.engine.storage.FeedTimes;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.NonBlockingReader;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.engine.storage.VerifiedCommit;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Owner of one shard: its lock, its state in memory and its commits. Every write of the shard, by
 * callers, transactions, the sweep and index builds, is committed here. Write groups of callers run
 * concurrently; everything else holds the lock exclusively. Reads take no lock.
 *
 * <p>The state that all groups change (counts, lane cursors, positions) is updated after the commit
 * of a group, in one short critical section: {@link #apply}.
 *
 * <pre>{@code
 * owner.lock().lock();
 * try {
 *   WriteGroup group = owner.group(now);
 *   group.apply(write);
 *   owner.commit(group);
 * } finally {
 *   owner.lock().unlock();
 * }
 * }</pre>
 */
public final class ShardOwner {
  private static final System.Logger LOG = System.getLogger(ShardOwner.class.getName());

  /** Number of feed entries after which the totals are stored when no group is in progress. */
  private static final int ENTRIES_PER_CHECKPOINT = 4096;

  /** Number of feed entries after which the totals are stored in any case. */
  private static final int MAX_ENTRIES_PER_CHECKPOINT = 16 * ENTRIES_PER_CHECKPOINT;

  private final Shard shard;
  private final Sequence sequence;
  private final ExpiredEntryFilter expiredEntryFilter;
  private final ChangeSignal changeSignal;
  private final LongSupplier clock;
  private final LongConsumer due;
  private final PendingGroups pendingGroups = new PendingGroups(this);
  private final ShardLock lock = new ShardLock(pendingGroups::commitAll, this::recoverIfInDoubt);
  private final KeyLocks keyLocks = new KeyLocks();
  private final CommittedPositions positions;
  private final CommitQueue commitQueue;
  private final ChangeSignal changes = new ChangeSignal();
  private final ChangeSignal arrived = new ChangeSignal();
  private final LaneCursors lanes = new LaneCursors();
  private final HighestKeys highestKeys;
  private final DocumentCounts documentCounts = new DocumentCounts();

  /** Buffers of groups that hold the lock exclusively. */
  private final WriteBuffers ownBuffers = new WriteBuffers();

  private final WriteBuffers.Pool idleBuffers = new WriteBuffers.Pool();
  private final Receipts receipts;
  private final LiveCounter liveCounter = new LiveCounter(this);
  private final LaneRecount laneRecount = new LaneRecount(this);
  private final CappedOrder cappedOrder = new CappedOrder(this);
  private final TransactionLocks locks = new TransactionLocks(lock);
  private final DeadRuns deadRuns = new DeadRuns();
  private final ExpiryZones zones;
  private final ArchiveQueue archiveQueue;
  private final SlidingExpiry sliding;

  /**
   * Whether parents of this shard may have departed and left children. Set before the commit that
   * stores it, like {@link #arrays}.
   */
  private final AtomicBoolean departed = new AtomicBoolean();

  /**
   * Multikey parts of each index, as a bit set by index id: the parts for which some document has
   * an array. Set before the commit that stores it, so that a reader that reads it after its
   * snapshot knows at least the arrays in the snapshot.
   */
  private volatile Map<Integer, Long> arrays = Map.of();

  private volatile Map<Integer, Long> storedArrays = Map.of();
  private volatile long lastArrival;
  private volatile View view;
  private volatile @Nullable Liveness latest;
  private volatile long trimmedTo;

  /** Set before the commit that stores it, like {@link #arrays}. */
  private volatile FeedTimes feedTimes = FeedTimes.NONE;

  /** Time of the newest change in epoch milliseconds, exact to a few seconds. */
  private volatile long lastTime;

  private volatile boolean closed;
  private volatile boolean dropped;

  /**
   * Whether a commit under the exclusive lock is in progress, or a commit has failed: the state in
   * memory may then differ from the stored state. The next exclusive holder reads it again.
   */
  private volatile boolean inDoubt;

  /** Consistent view of rules and sweep progress for one operation. Immutable. */
  public record View(
      CompiledCollection compiled,
      SweptLanes sweptLanes,
      Schedule schedule,
      boolean concurrent,
      Family family) {
    View(CompiledCollection compiled, SweptLanes sweptLanes, Family family) {
      this(
          compiled,
          sweptLanes,
          compiled.schedule().with(sweptLanes.marks()),
          family.parents() == null && shares(compiled),
          family);
    }

    /**
     * A capped or bounded collection makes room in an order of its documents, and the check of a
     * guarded index reads other documents: their writes are decided one at a time. So are those of
     * documents that follow parents, because they hold the locks of the parents' shards, too.
     */
    private static boolean shares(CompiledCollection compiled) {
      return !hasLimits(compiled)
          && compiled.state().indexes().stream().noneMatch(index -> index.spec().guarded());
    }

    private static boolean hasLimits(CompiledCollection compiled) {
      return compiled.spec().capped() || compiled.spec().bounded();
    }

    /** The keys of the parents; null if there are none. */
    private @Nullable ParentKeys keys() {
      Parents parents = family.parents();
      return parents == null ? null : parents.keys();
    }

    /** The liveness predicate at an instant; it looks up parents in the present. */
    public Liveness liveness(long now) {
      Parents parents = family.parents();
      return liveness(now, parents == null ? null : parents.lookup(now));
    }

    /** The liveness predicate at an instant, with a look-up of parents. */
    public Liveness liveness(long now, @Nullable ParentLookup parents) {
      return Liveness.at(schedule, sweptLanes, now, parents);
    }
  }

  /**
   * @param clock the time of the engine, in epoch milliseconds
   * @param due receives the instant at which the first of the written documents is due for the
   *     sweep
   */
  public ShardOwner(
      Shard shard,
      Sequence sequence,
      CompiledCollection compiled,
      ExpiredEntryFilter expiredEntryFilter,
      ChangeSignal changeSignal,
      LongSupplier clock,
      LongConsumer due) {
    this.shard = shard;
    this.sequence = sequence;
    this.positions = new CommittedPositions(sequence);
    this.commitQueue = new CommitQueue(shard);
    this.expiredEntryFilter = expiredEntryFilter;
    this.changeSignal = changeSignal;
    this.clock = clock;
    this.due = due;
    SweptLanes sweptLanes = storedSwept(compiled);
    this.highestKeys = HighestKeys.of(shard);
    this.receipts = new Receipts(shard);
    this.storedArrays = storedArrays(compiled);
    this.arrays = storedArrays;
    this.departed.set(hasDepartures());
    this.view = new View(compiled, sweptLanes, Family.none(departed));
    expiredEntryFilter.opened(shard.number(), sweptLanes);
    documentCounts.recount(sweptLanes.cutoffs());
    recoverTotals();
    documentCounts.resetBuckets(compiled);
    this.zones = new ExpiryZones(shard, compiled);
    this.archiveQueue = new ArchiveQueue(this);
    this.sliding = new SlidingExpiry(this, compiled);
  }

  private SweptLanes storedSwept(CompiledCollection compiled) {
    SweptLanes sweptLanes = SweptLanes.NOTHING;
    for (LaneState lane : compiled.state().lanes()) {
      byte[] stored = shard.read(Space.META, Layout.swept(lane.number()));
      if (stored != null) {
        sweptLanes = sweptLanes.decode(compiled.state(), lane.number(), stored);
      }
    }
    return sweptLanes;
  }

  private Map<Integer, Long> storedArrays(CompiledCollection compiled) {
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
   * Reads the state in memory again from the store, after a commit with an unknown outcome. The
   * caller holds the lock.
   */
  private void recover() {
    assert lock.isHeldByCurrentThread();
    receipts.clear();
    storedArrays = storedArrays(compiled());
    view = new View(compiled(), storedSwept(compiled()), view.family());
    departed.set(true);
    expiredEntryFilter.recovered(shard.number(), sweptLanes());
    documentCounts.recount(sweptLanes().cutoffs());
    recoverTotals();
    documentCounts.resetBuckets(compiled());
    lanes.reset();
    deadRuns.unwatch();
    archiveQueue.recount();
    inDoubt = false;
  }

  /**
   * Returns whether the state in memory may differ from what is stored. The caller holds the lock.
   */
  public boolean inDoubt() {
    return inDoubt;
  }

  private void recoverIfInDoubt() {
    if (inDoubt) {
      recover();
    }
  }

  private void recoverTotals() {
    StoredTotals stored = StoredTotals.read(shard, compiled().spec());
    documentCounts.restore(stored.totals());
    trimmedTo = stored.trimmedTo();
    lastTime = stored.lastTime();
    positions.restore(stored.lastPosition());
    positions.checkpointed(stored.entries());
    byte[] times = shard.read(Space.META, Layout.feedTimes());
    feedTimes = times == null ? FeedTimes.NONE : FeedTimes.decode(times);
    Range arrivals = Range.prefix(Layout.arrivalPrefix());
    try (Scan last = shard.scan(Space.QUEUES, arrivals, Direction.DOWN)) {
      lastArrival = last.next() ? Layout.position(last.key()) : 0;
    }
  }

  /**
   * Repairs the number of stored documents: at once in memory, and with the commit of a batch for
   * the next start. The caller holds the lock.
   */
  public void repairCounts(Batch to, Usage stored) {
    assert lock.isHeldByCurrentThread();
    documentCounts.restore(new FeedFormat.Totals(stored, documentCounts.totals().offset()));
    documentCounts.recount(view.sweptLanes().cutoffs());
    documentCounts.resetBuckets(compiled());
    addCheckpoint(to);
  }

  /** Adds the totals to a batch. The caller holds the lock and commits it next. */
  public void addCheckpoint(Batch to) {
    assert lock.isHeldByCurrentThread();
    StoredTotals.put(to, positions.through(), documentCounts.totals());
    positions.checkpointed(0);
  }

  /**
   * Stores the totals if many changes were made since they were stored last, so that a restart has
   * little to add. A commit that fails costs nothing else: the last checkpoint stays valid.
   */
  public void checkpoint() {
    if (isCheckpointDue()) {
      lock.lock();
      try {
        checkpointInLock();
      } finally {
        lock.unlock();
      }
    }
  }

  private void checkpointInLock() {
    Batch checkpoint = new Batch();
    addCheckpoint(checkpoint);
    shard.commit(checkpoint);
  }

  /**
   * Stores the totals as of a position, if that is possible at once. The caller holds the lock, in
   * either mode, so that the feed is not trimmed meanwhile.
   */
  private void checkpointOrNot(long position, FeedFormat.Totals totals) {
    try {
      Batch checkpoint = new Batch();
      StoredTotals.put(checkpoint, position, totals);
      shard.tryCommit(checkpoint);
    } catch (RuntimeException | Error failed) {
      // the next start computes the totals from the feed
      LOG.log(System.Logger.Level.DEBUG, "the totals were not stored", failed);
    }
  }

  private boolean isCheckpointDue() {
    return positions.entries() >= MAX_ENTRIES_PER_CHECKPOINT && !closed;
  }

  public Shard shard() {
    return shard;
  }

  /**
   * The time of the engine. It goes back only if a leap of the system clock turns out to be an
   * error.
   */
  long time() {
    return clock.getAsLong();
  }

  /** Returns whether the collection was dropped or the engine closed. */
  public boolean closed() {
    return closed;
  }

  public View view() {
    return view;
  }

  public TransactionLocks locks() {
    return locks;
  }

  public ShardLock lock() {
    return lock;
  }

  public CompiledCollection compiled() {
    return view.compiled();
  }

  public SweptLanes sweptLanes() {
    return view.sweptLanes();
  }

  public LaneCursors lanes() {
    return lanes;
  }

  /** Runs of dead entries that readers have met. */
  public DeadRuns deadRuns() {
    return deadRuns;
  }

  /** Ranges of keys that scans skip when they are dead. */
  public ExpiryZones zones() {
    return zones;
  }

  /** Reads what the zones need to know after a restart; cheap if that was done. */
  public void openZones() {
    if (zones.unread(compiled())) {
      lock.lock();
      try {
        zones.open(compiled());
      } finally {
        lock.unlock();
      }
    }
  }

  /** Expired documents that are not delivered yet. */
  public ArchiveQueue archiveQueue() {
    return archiveQueue;
  }

  /** Touches of documents by reads. */
  public SlidingExpiry sliding() {
    return sliding;
  }

  public DocumentCounts documentCounts() {
    return documentCounts;
  }

  public Sequence sequence() {
    return sequence;
  }

  /** Lanes, watermarks and marks of the sweep. */
  public Schedule schedule() {
    return view.schedule();
  }

  /** The liveness predicate at an instant; reused while instant and view stay the same. */
  public Liveness liveness(long now) {
    View current = view;
    Liveness known = latest;
    if (known == null
        || !known.isOf(current.schedule(), current.sweptLanes(), current.keys(), now)) {
      known = current.liveness(now);
      latest = known;
    }
    return known;
  }

  /** The cutoffs at an instant: rules, watermarks and marks of the sweep. */
  public Cutoffs cutoffs(long now) {
    return liveness(now).cutoffs();
  }

  /** Returns whether an entry of a departed parent is stored. */
  private boolean hasDepartures() {
    try (Scan scan =
        shard.scan(Space.QUEUES, Range.prefix(Layout.departedPrefix()), Direction.UP)) {
      return scan.next();
    }
  }

  /** Returns whether parents of this shard may have departed and left children. */
  public boolean departed() {
    return departed.get();
  }

  /** Records that no departed entry is left, if that is so. The caller holds the lock. */
  public void checkDeparted() {
    assert lock.isHeldByCurrentThread();
    departed.set(hasDepartures());
  }

  /**
   * Removes the departed entries, because nothing follows this collection. The caller holds the
   * lock.
   */
  public void forgetDepartures() {
    assert lock.isHeldByCurrentThread();
    if (departed.get()) {
      Batch forgotten = new Batch();
      Range all = Range.prefix(Layout.departedPrefix());
      forgotten.deleteRange(Space.QUEUES, all);
      shard.commit(forgotten);
      departed.set(false);
    }
  }

  /** The state of the parents of this shard in the present, at an instant. */
  public ParentView parentView(long now) {
    return new StoredParents.Present(this, now);
  }

  /**
   * The state of the parents of this shard that a transaction sees.
   *
   * @param group its writes
   * @param departs whether parents can depart with the group
   */
  public static ParentView parentView(View view, WriteGroup group, long now, boolean departs) {
    return new StoredParents.Written(view, view.liveness(now, null), group, departs);
  }

  /** Sets what follows this collection, and what it follows. The caller holds the lock. */
  public void relate(@Nullable Parents parents, boolean followed, boolean deletes) {
    assert lock.isHeldByCurrentThread();
    Family family = new Family(parents, followed, deletes, departed);
    view = new View(view.compiled(), view.sweptLanes(), family);
  }

  /**
   * Persists the touches on which decisions at an instant depend: those of this shard, and of the
   * parents of its documents.
   *
   * @param mayBlock whether it may wait for a shard
   * @throws WouldBlock if it must not and would have to
   */
  public void settleTouches(long now, boolean mayBlock) {
    sliding.settle(now, mayBlock);
    Parents parents = view.family().parents();
    if (parents != null) {
      parents.owners().forEach(owner -> owner.sliding.settle(now, mayBlock));
    }
  }

  /** Makes a changed collection effective. The caller holds the lock. */
  public void publish(CompiledCollection next) {
    assert lock.isHeldByCurrentThread();
    sliding.close();
    view = new View(next, view.sweptLanes().under(next.state()), view.family());
    sliding.open(next);
    expiredEntryFilter.under(shard.number(), next.state());
    documentCounts.recount(view.sweptLanes().cutoffs());
    documentCounts.changed(next);
    zones.changed(next);
    lanes.reset();
  }

  /**
   * Removes the entries and the build progress of a lane that writes no longer maintain. The caller
   * holds the lock.
   */
  public void clearLane(int lane) {
    clearLane(lane, List.of(Layout.laneBuildProgress(lane)));
  }

  /**
   * As {@link #clearLane(int)}, for a lane number that is not in use: removes the sweep progress,
   * too.
   */
  public void clearLaneWithMarks(int lane) {
    clearLane(lane, List.of(Layout.laneBuildProgress(lane), Layout.swept(lane)));
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

  /** Records the sweep progress of a commit. The caller holds the lock. */
  public void swept(SweptLanes next, long ticket) {
    assert lock.isHeldByCurrentThread();
    view = new View(view.compiled(), next, view.family());
    expiredEntryFilter.swept(shard.number(), next, ticket);
    markSynced();
  }

  /** Allows compactions to drop swept documents as far as the sweep progress is on disk. */
  public void markSynced() {
    expiredEntryFilter.synced(shard.number(), shard.syncedThrough());
  }

  /**
   * Returns whether documents were swept that compactions may not drop yet, because the marks are
   * not on disk.
   */
  public boolean hasUnsyncedMarks() {
    return expiredEntryFilter.hasUnsyncedMarks(shard.number());
  }

  /** Returns the bytes of documents that compactions have dropped since the last call. */
  public long takeDropped() {
    return expiredEntryFilter.takeDropped(shard.number());
  }

  /** Returns a ticket that covers all marks so far, for {@link #syncMarks(long)}. */
  public long ticketMarks() {
    long ticket = shard.commit(new Batch());
    expiredEntryFilter.ticketed(shard.number(), ticket);
    return ticket;
  }

  /** As {@link #markSynced}, for documents swept before a ticket; waits for the disk. */
  public void syncMarks(long ticket) {
    shard.sync(ticket);
    markSynced();
  }

  /** Groups of deferred writes. */
  PendingGroups pendingGroups() {
    return pendingGroups;
  }

  /** Receipts of retryable writes. */
  Receipts receipts() {
    return receipts;
  }

  /** Returns the outcome of a retryable write if it is committed. */
  public Optional<WriteOutcome.Repeated> receipt(ByteKey session, long number, int statement) {
    KeyLocks.Holder holder = keyLocks.holder();
    int hold = lock.lockShared();
    try {
      if (holder.lock(KeyLocks.hash(KeyLocks.Kind.SESSION, session.array())) && !inDoubt) {
        return receipts.find(session, number, statement, 1, shard).find(statement);
      }
    } finally {
      holder.release();
      lock.unlockShared(hold);
    }
    lock.lock();
    try {
      return receipts.find(session, number, statement, 1, shard).find(statement);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Deletes receipts of sessions that have been idle since an instant.
   *
   * @return whether more remain
   */
  public boolean deleteIdleReceipts(long since, int most) {
    lock.lock();
    try {
      Batch forgotten = receipts.deleteIdle(since, most);
      if (!forgotten.isEmpty()) {
        shard.commit(forgotten);
      }
      return receipts.searching();
    } finally {
      lock.unlock();
    }
  }

  boolean capped() {
    return view.compiled().spec().capped();
  }

  /** Counter of live documents. */
  public LiveCounter liveCounter() {
    return liveCounter;
  }

  /** Plans background work of this shard. */
  void workDue(long at) {
    due.accept(at);
  }

  /** Wakes the background work of this shard. */
  void wakeMaintenance() {
    due.accept(Long.MIN_VALUE);
  }

  /** Reads the lanes when the counts by place are unknown. */
  public LaneRecount laneRecount() {
    return laneRecount;
  }

  /** Insertion order of a capped collection. */
  public CappedOrder cappedOrder() {
    return cappedOrder;
  }

  /** Commits decided requests; each receives the ticket. The caller holds the lock exclusively. */
  void commit(WriteGroup group, List<WriteRequest> requests) {
    assert lock.isHeldByCurrentThread();
    if (!group.batch().isEmpty()) {
      complete(group);
      commit(group, null, requests, true);
      storedArrays = arrays;
      inDoubt = false;
    }
    cacheReceipts(requests);
  }

  /**
   * Commits decided requests of a group that shares the lock.
   *
   * @return false if that would have to wait and must not
   */
  boolean commitShared(SharedGroup shared, List<WriteRequest> requests, boolean mayWait) {
    if (!shared.group().batch().isEmpty()) {
      zones.committing(shared.group().batch());
      boolean ended = false;
      try {
        boolean committed = commit(shared.group(), shared.position(), requests, mayWait);
        ended = true;
        if (!committed) {
          return false;
        }
      } finally {
        if (!ended) {
          inDoubt = true;
        }
      }
    }
    cacheReceipts(requests);
    return true;
  }

  private boolean commit(
      WriteGroup group,
      CommittedPositions.@Nullable Entry position,
      List<WriteRequest> requests,
      boolean mayWait) {
    requests.forEach(WriteRequest::attempted);
    Batch decided = group.batch();
    OptionalLong ticket =
        VerifiedCommit.of(
            shard,
            decided,
            () ->
                mayWait ? OptionalLong.of(commitQueue.commit(decided)) : shard.tryCommit(decided));
    if (ticket.isEmpty()) {
      return false;
    }
    requests.forEach(request -> request.committed(ticket.getAsLong()));
    apply(group, position);
    return true;
  }

  private void cacheReceipts(List<WriteRequest> requests) {
    for (WriteRequest request : requests) {
      Retry retry = request.options().retry();
      if (retry != null && !request.hasFailed() && request.receipt().isPresent()) {
        receipts.cache(retry.session(), request.receipt().get());
      }
    }
  }

  /**
   * Completes a group for its commit: adds the deletes of a capped collection, multikey flags and
   * feed times. The shard is in doubt until the commit. The caller holds the lock.
   */
  public void complete(WriteGroup group) {
    assert lock.isHeldByCurrentThread();
    assert !inDoubt : "the state in memory was not read again after a failed commit";
    inDoubt = true;
    if (View.hasLimits(view.compiled())) {
      cappedOrder.makeRoom(group);
    }
    arrays = addArrays(group.batch(), view.compiled(), group.multikey());
    addFeedTime(group);
    zones.committing(group.batch());
  }

  /** Stores the position at which the times in the feed go back, if they do with this group. */
  private void addFeedTime(WriteGroup group) {
    FeedWriter feedWriter = group.feedWriter();
    if (feedWriter.firstPosition() >= 0 && goesBack(feedWriter.time())) {
      FeedTimes.Back back = new FeedTimes.Back(feedWriter.firstPosition(), feedWriter.time());
      feedTimes = feedTimes.with(back, trimmedTo);
      group.batch().put(Space.META, Layout.feedTimes(), feedTimes.encode());
    }
  }

  private boolean goesBack(long time) {
    return time + FeedReader.DISORDER_MILLIS < lastTime;
  }

  /**
   * Records that a group was committed together with groups of other shards. The caller holds the
   * lock.
   */
  public void committed(WriteGroup group) {
    apply(group);
    storedArrays = arrays;
    inDoubt = false;
  }

  /** A group that uses the batch of this shard. The caller holds the lock. */
  public WriteGroup group(long now) {
    return group(shard, locks.guard(null), TransactionId.NONE, now);
  }

  /** A group for the writes of a transaction, as {@link #group(long)}. */
  public WriteGroup group(
      Transaction transaction, TransactionId id, @Nullable ParentLookup parents, long now) {
    return groupOfWrites(shard, locks.guard(transaction), id, parents, now);
  }

  /** A group for writes outside of transactions, as {@link #group(long)}. */
  WriteGroup groupOfWrites(long now) {
    Parents parents = view.family().parents();
    return groupOfWrites(
        shard,
        locks.guard(null),
        TransactionId.NONE,
        parents == null ? null : parents.lookup(now),
        now);
  }

  /**
   * A group that shares the lock; close it in any case.
   *
   * @param writes writes whose records are read together first, after their documents are locked;
   *     empty if each is read when it is decided
   * @throws NeedsExclusiveLock if writes of this shard cannot share the lock, or another write uses
   *     one of the documents for long
   */
  SharedGroup sharedGroup(List<Write> writes, long now) {
    int hold = lock.lockShared();
    return sharedGroup(hold, keyLocks.holder(), true, writes, now);
  }

  /**
   * A group that shares the lock and never waits: neither for a lock nor for the disk.
   *
   * @throws WouldBlock if it would have to wait
   */
  SharedGroup nonBlockingGroup(long now) {
    int hold = lock.tryLockShared();
    if (hold < 0) {
      throw new WouldBlock();
    }
    try {
      return sharedGroup(hold, keyLocks.holder(), false, List.of(), now);
    } catch (NeedsExclusiveLock later) {
      throw new WouldBlock();
    }
  }

  private SharedGroup sharedGroup(
      int hold, KeyLocks.Holder holder, boolean waits, List<Write> writes, long now) {
    boolean made = false;
    try {
      checkOpen();
      if (!view.concurrent() || inDoubt || goesBack(now) || sliding.isDue(now)) {
        throw new NeedsExclusiveLock("this shard is written by one thread at a time");
      }
      boolean several = waits && writes.size() > 1;
      Reader reader = waits ? shard : new NonBlockingReader(shard);
      reader = several ? prefetched(holder, writes) : reader;
      WriteBuffers clear = idleBuffers.take().clear();
      WriteGroup group =
          group(
              reader,
              clear,
              new KeyClaims.Shared(holder, waits, several, storedArrays),
              locks.guard(null),
              TransactionId.NONE,
              liveness(now),
              now);
      SharedGroup shared = new SharedGroup(this, group, clear, holder, positions.begin(), hold);
      made = true;
      return shared;
    } finally {
      if (!made) {
        holder.release();
        lock.unlockShared(hold);
      }
    }
  }

  /** Locks the documents of several writes and reads their records together. */
  private Reader prefetched(KeyLocks.Holder holder, List<Write> writes) {
    List<byte[]> keys = PrefetchedRecords.keys(compiled().spec(), writes);
    long[] hashes = new long[keys.size()];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = KeyLocks.hash(KeyLocks.Kind.DOCUMENT, keys.get(i));
    }
    if (!holder.lockAll(hashes)) {
      throw new NeedsExclusiveLock("another write uses a document");
    }
    return PrefetchedRecords.read(shard, highestKeys, keys);
  }

  /**
   * Reads the records of writes into memory, without a lock, if the store is on other machines: so
   * no lock is held during these requests. If a record leaves memory again, or changes, it is read
   * again under the lock.
   */
  void fetch(List<Write> writes) {
    if (shard.isRemote()) {
      PrefetchedRecords.read(shard, highestKeys, PrefetchedRecords.keys(compiled().spec(), writes));
    }
  }

  /** Ends a group that shares the lock. */
  void close(SharedGroup group) {
    positions.abandon(group.position());
    group.holder().release();
    idleBuffers.give(group.buffers());
    lock.unlockShared(group.hold());
  }

  /** Counts the live documents first if there are limits: {@link #complete} needs the count. */
  private WriteGroup groupOfWrites(
      Reader reader,
      TransactionLocks.Guard guard,
      TransactionId transaction,
      @Nullable ParentLookup lookup,
      long now) {
    sliding.settleInLock(now);
    Parents parents = view.family().parents();
    if (parents != null) {
      parents.owners().forEach(owner -> owner.sliding.settleInLock(now));
    }
    if (View.hasLimits(view.compiled())) {
      liveCounter.countInLock(now);
    }
    recoverIfInDoubt();
    Liveness liveness = lookup == null ? liveness(now) : view.liveness(now, lookup);
    return group(
        reader, ownBuffers.clear(), KeyClaims.EXCLUSIVE, guard, transaction, liveness, now);
  }

  private WriteGroup group(
      Reader reader, TransactionLocks.Guard guard, TransactionId transaction, long now) {
    assert lock.isHeldByCurrentThread();
    recoverIfInDoubt();
    sliding.settleInLock(now);
    return group(
        reader, ownBuffers.clear(), KeyClaims.EXCLUSIVE, guard, transaction, liveness(now), now);
  }

  /** A group that persists touches. The caller holds the lock. */
  WriteGroup groupOfTouches(long now) {
    assert lock.isHeldByCurrentThread();
    recoverIfInDoubt();
    return group(
        shard,
        ownBuffers.clear(),
        KeyClaims.EXCLUSIVE,
        locks.guard(null),
        TransactionId.NONE,
        liveness(now),
        now);
  }

  private WriteGroup group(
      Reader reader,
      WriteBuffers buffers,
      KeyClaims claims,
      TransactionLocks.Guard guard,
      TransactionId transaction,
      Liveness liveness,
      long now) {
    View current = view;
    return new WriteGroup(
        current.compiled(),
        current.family(),
        liveness,
        current.sweptLanes(),
        reader,
        sequence,
        highestKeys,
        buffers,
        documentCounts,
        claims,
        guard,
        transaction,
        now);
  }

  /** A group that is never committed: a transaction's view of its own writes. */
  public static WriteGroup shadow(
      View view,
      Liveness liveness,
      Reader reader,
      TransactionLocks.Guard guard,
      long sequence,
      long now) {
    return new WriteGroup(
        view.compiled(),
        view.family(),
        liveness,
        view.sweptLanes(),
        reader,
        new Sequence(sequence, _ -> {}),
        HighestKeys.unknown(),
        new WriteBuffers(),
        new DocumentCounts(),
        KeyClaims.EXCLUSIVE,
        guard,
        TransactionId.NONE,
        now);
  }

  /** Commits a group and wakes threads that wait for changes. The caller holds the lock. */
  public long commit(WriteGroup group) {
    assert lock.isHeldByCurrentThread();
    inDoubt = true;
    addFeedTime(group);
    zones.committing(group.batch());
    long ticket = commit(group.batch());
    apply(group);
    inDoubt = false;
    return ticket;
  }

  private long commit(Batch decided) {
    return VerifiedCommit.of(shard, decided, () -> OptionalLong.of(shard.commit(decided)))
        .orElseThrow();
  }

  /**
   * Waits until a commit survives a power failure.
   *
   * @throws EngineException OUTCOME_UNKNOWN if the flush fails: the commit is visible and may be
   *     lost
   */
  public void sync(long ticket) {
    VerifiedCommit.sync(shard, ticket);
  }

  /** Records that a group of an exclusive holder was committed. */
  private void apply(WriteGroup group) {
    assert lock.isHeldByCurrentThread();
    apply(group, null);
  }

  /**
   * Records that a group was committed.
   *
   * @param position its place among the groups in progress; null for an exclusive holder
   */
  private void apply(WriteGroup group, CommittedPositions.@Nullable Entry position) {
    FeedWriter feed = group.feedWriter();
    long through;
    long dueAt;
    FeedFormat.Totals checkpoint = null;
    synchronized (positions) {
      long start = HeldTime.start();
      deadRuns.committed(group.batch());
      documentCounts.apply(group.delta(), feed.bytes());
      archiveQueue.committed(group.archived());
      // before the lanes: entries that the group has written move the cursors of evictions back
      cappedOrder.committed(group);
      dueAt = Math.min(group.laneChanges().applyTo(lanes), lanes.takeLowestDue());
      if (group.lastArrival() > lastArrival) {
        lastArrival = group.lastArrival();
      }
      if (feed.lastPosition() >= 0 && (feed.time() > lastTime || goesBack(feed.time()))) {
        lastTime = feed.time();
      }
      int entries = positions.addEntries(feed.entries());
      if (entries >= MAX_ENTRIES_PER_CHECKPOINT
          && entries % (ENTRIES_PER_CHECKPOINT / 4) < feed.entries()) {
        dueAt = Long.MIN_VALUE;
      }
      through =
          position == null
              ? positions.add(feed.lastPosition())
              : positions.end(position, feed.lastPosition());
      if (entries >= ENTRIES_PER_CHECKPOINT && positions.isAtRest() && !inDoubt) {
        checkpoint = documentCounts.totals();
        positions.checkpointed(0);
      }
      HeldTime.end(HeldTime.Section.ORDER, start);
    }
    if (checkpoint != null) {
      checkpointOrNot(through, checkpoint);
    }
    if (feed.lastPosition() >= 0) {
      changes.report(through);
      arrived.report(lastArrival);
      changeSignal.report(through);
    }
    boolean lazy = view.compiled().spec().indexing() == IndexingMode.LAZY;
    due.accept(lazy || group.departs() ? Math.min(dueAt, group.now()) : dueAt);
  }

  /**
   * Adds to a batch the index parts that become multikey with it, and returns all multikey parts as
   * of the commit. The caller holds the lock.
   */
  private Map<Integer, Long> addArrays(Batch to, CompiledCollection compiled, long[] met) {
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

  /** Commits index entries of stored documents. The caller holds the lock. */
  public void commitEntries(Batch entries, CompiledCollection compiled, long[] met) {
    Map<Integer, Long> known = addArrays(entries, compiled, met);
    arrays = known;
    inDoubt = true;
    zones.committing(entries);
    commit(entries);
    deadRuns.committed(entries);
    storedArrays = known;
    inDoubt = false;
  }

  /**
   * Commits index entries, and the removal of expired documents that held their unique keys. The
   * caller holds the lock.
   */
  public void commitEntries(WriteGroup entries, CompiledCollection compiled, long[] met) {
    Map<Integer, Long> known = addArrays(entries.batch(), compiled, met);
    arrays = known;
    inDoubt = true;
    commit(entries);
    storedArrays = known;
  }

  /** The multikey parts of an index in this shard, as a bit set. */
  public long arrays(IndexState index) {
    return arrays.getOrDefault(index.id(), 0L);
  }

  /**
   * Returns the live document with a key, and touches it if a rule slides.
   *
   * @param mayBlock whether it may read from disk and persist the touch
   * @throws WouldBlock if it must not and would have to
   */
  public Optional<StoredDocument> readAndTouch(PrimaryKey key, long now, boolean mayBlock) {
    settleTouches(now, mayBlock);
    if (!sliding.isOn()) {
      return mayBlock ? read(key, now) : readIfCached(key, now);
    }
    checkMayLookUp(mayBlock);
    while (true) {
      sliding.settle(now, mayBlock);
      CompiledCollection before = compiled();
      byte[] record =
          mayBlock
              ? shard.read(Space.RECORDS, key.bytes())
              : shard.readIfCached(Space.RECORDS, key.bytes());
      if (Shard.isNotCached(record)) {
        throw new WouldBlock();
      }
      Optional<StoredDocument> live = live(record, key, now);
      if (compiled() == before
          && (live.isEmpty()
              || record == null
              || sliding.touch(key.bytes(), record, now, mayBlock))) {
        return live;
      }
    }
  }

  /** Returns the live document with a key. */
  public Optional<StoredDocument> read(PrimaryKey key, long now) {
    while (true) {
      CompiledCollection before = compiled();
      byte[] record = shard.read(Space.RECORDS, key.bytes());
      Optional<StoredDocument> live = live(record, key, now);
      if (compiled() == before) {
        return live;
      }
      // the rules have changed since the record was read: it may be live now
    }
  }

  /**
   * As {@link #read}, from memory only.
   *
   * @throws WouldBlock if the record is not in memory
   */
  public Optional<StoredDocument> readIfCached(PrimaryKey key, long now) {
    checkMayLookUp(/* mayBlock= */ false);
    while (true) {
      CompiledCollection before = compiled();
      byte[] record = shard.readIfCached(Space.RECORDS, key.bytes());
      if (Shard.isNotCached(record)) {
        throw new WouldBlock();
      }
      Optional<StoredDocument> live = live(record, key, now);
      if (compiled() == before) {
        return live;
      }
    }
  }

  /** A look-up of a parent may wait for the disk. */
  private void checkMayLookUp(boolean mayBlock) {
    if (!mayBlock && view.family().parents() != null) {
      throw new WouldBlock();
    }
  }

  private Optional<StoredDocument> live(byte @Nullable [] read, PrimaryKey key, long now) {
    Liveness liveness = liveness(now);
    byte[] record = read;
    if (liveness.parents() != null) {
      record = withCertainParent(read, liveness.parents(), key);
    }
    if (record == null || !liveness.isLive(record, key.bytes())) {
      return Optional.empty();
    }
    StoredDocument stored = RecordFormat.stored(view.schedule(), record);
    return Optional.of(sliding.isOn() ? sliding.exact(stored, key.bytes(), record) : stored);
  }

  /**
   * Returns the record of a child, read again while it seems to have no parent and changes: the
   * sweep may have removed the child and its departed parent since the child was read.
   */
  private byte @Nullable [] withCertainParent(
      byte @Nullable [] read, ParentLookup parents, PrimaryKey key) {
    byte[] record = read;
    while (record != null && parents.fate(record).state() == ParentLookup.State.NONE) {
      byte[] again = shard.read(Space.RECORDS, key.bytes());
      if (again != null && Header.sequence(again, 0) == Header.sequence(record, 0)) {
        return again;
      }
      record = again;
    }
    return record;
  }

  /** Waits until all writes that have begun are done. */
  public void settle() {
    lock.awaitExclusive();
    pendingGroups.commitAll();
    positions.awaitOpen();
  }

  /** The position of the newest change. */
  public long lastPosition() {
    return positions.through();
  }

  /** The size of the feed in bytes. */
  public long feedBytes() {
    try (Scan oldest = shard.scan(Space.QUEUES, Range.prefix(Layout.feedPrefix()), Direction.UP)) {
      return oldest.next()
          ? documentCounts.totals().offset() - FeedFormat.offset(oldest.value())
          : 0;
    }
  }

  /** Positions at which the times of changes go back. */
  public FeedTimes feedTimes() {
    return feedTimes;
  }

  /** The newest position that was trimmed; 0 if none was. */
  public long trimmedTo() {
    return trimmedTo;
  }

  /**
   * Commits the trim of changes up to a position. Concurrent readers must see the new limit before
   * the changes disappear; if the commit fails, the limit is read again. The caller holds the lock.
   */
  public void commitTrimmed(Batch trimmed, long position) {
    inDoubt = true;
    trimmedTo = position;
    shard.commit(trimmed);
    inDoubt = false;
  }

  /** Waits for a change after a position; returns false on timeout. */
  public boolean awaitChange(long after, long nanos) throws InterruptedException {
    return await(changes, () -> positions.through() > after, after, nanos);
  }

  /** The newest committed arrival in a capped collection. */
  public long lastArrival() {
    return lastArrival;
  }

  /** Waits for an arrival after another; returns false on timeout. */
  public boolean awaitArrival(long after, long nanos) throws InterruptedException {
    return await(arrived, () -> lastArrival > after, after, nanos);
  }

  /** Waits without the lock, so that waiting readers do not delay writers. */
  private boolean await(ChangeSignal signal, BooleanSupplier arrivedYet, long after, long nanos)
      throws InterruptedException {
    long left = nanos;
    while (!arrivedYet.getAsBoolean() && !closed && left > 0) {
      left = signal.await(after, left);
    }
    return arrivedYet.getAsBoolean();
  }

  /** Rejects all operations from now on and wakes all waiting threads. */
  public void close() {
    lock.lockWithoutRecovery();
    try {
      if (!closed && !dropped && !inDoubt) {
        sliding.close();
      }
      if (!closed && !dropped && !inDoubt && positions.entries() > 0) {
        checkpointOrNot(positions.through(), documentCounts.totals());
      }
      closed = true;
    } finally {
      lock.unlock();
    }
    laneRecount.close();
    changes.wakeAll();
    arrived.wakeAll();
  }

  /** As {@link #close}, for a dropped collection. Only its feed can be read from now on. */
  public void drop() {
    dropped = true;
    close();
    lock.lockWithoutRecovery();
    try {
      zones.clear();
      documentCounts.forgetBuckets();
      receipts.clear();
      idleBuffers.clear();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns whether the collection was dropped: its documents disappear even from open snapshots.
   */
  public boolean dropped() {
    return dropped;
  }

  /**
   * Checks that a read has seen all documents it should: the collection was not dropped, and the
   * read has not outlasted the time for which the sweep waits for readers.
   *
   * @param since the confirmed time when the read began
   * @throws EngineException DROPPED, SNAPSHOT_TOO_OLD
   */
  public void checkReadable(Cutoffs reading, long since) {
    if (dropped) {
      throw new EngineException(
          Reason.DROPPED, "collection " + compiled().state().namespace() + " was dropped");
    }
    if (view.sweptLanes().goesBeyond(reading)
        && since <= clock.getAsLong() - OpenReads.MAX_READ_MILLIS) {
      throw new EngineException(
          Reason.SNAPSHOT_TOO_OLD,
          "the query took too long: documents that it should return have been swept");
    }
  }

  public void checkOpen() {
    if (closed) {
      throw new EngineException(Reason.CLOSED, "the collection was dropped or the engine closed");
    }
  }

  /** The stored record of a primary key, live or not. */
  public byte @Nullable [] record(byte[] primaryKey) {
    return shard.read(Space.RECORDS, primaryKey);
  }
}
