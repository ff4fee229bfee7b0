package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Charge;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.query.Interrupt;
import dev.mayfly.store.Batch;
import dev.mayfly.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the writes of callers in a shard, and remembers what became of those that may be sent
 * again. A caller's turn is decided alone, together with the turns of others who wait at the same
 * time, or in advance of a commit that several share.
 */
public final class WriteQueue {
  /** How many turns are carried out at once: more would wait longer than they gain. */
  private static final int MOST_TOGETHER = 64;

  /** How many bytes one batch is filled up to with writes of others; it is copied twice. */
  static final long MOST_BYTES_TOGETHER = 16 << 20;

  /** How long somebody who must not wait does so for the lock: most have it for less. */
  private static final long SOON_NANOS = 1_000_000;

  private final ShardOwner owner;
  private final ShardLock lock;
  private final Receipts receipts;
  private final LongConsumer due;
  private final long conflictNanos;
  private final Queue<WriteRequest> waiting = new ConcurrentLinkedQueue<>();
  private @Nullable PendingGroup pendingGroup;

  /**
   * @param due is told when a write has brought a document that is due at an instant
   * @param conflictNanos how long a write waits for a transaction that holds its document
   */
  WriteQueue(ShardOwner owner, Receipts receipts, LongConsumer due, long conflictNanos) {
    this.owner = owner;
    this.lock = owner.lock();
    this.receipts = receipts;
    this.due = due;
    this.conflictNanos = conflictNanos;
  }

  /**
   * Decides and commits a group of writes. Callers that come while another's commit is in progress
   * queue up, and the first to get the lock commits for all of them at once.
   */
  public List<WriteOutcome> write(
      List<Write> writes, WriteOptions options, long instant, Charge charge) {
    WriteRequest request = new WriteRequest(writes, options, instant);
    if (request.joins()) {
      waiting.add(request);
    }
    try {
      due.accept(carryOut(request));
    } finally {
      if (!request.over()) {
        // nobody is to carry it out once its caller has gone
        waiting.remove(request);
      }
    }
    List<WriteOutcome> outcomes = request.outcomes();
    charge.add(request.charge());
    sync(request);
    return outcomes;
  }

  /**
   * Has a turn carried out, by this caller or another; returns when the sweep is to come for it.
   */
  private long carryOut(WriteRequest request) {
    long earliest = Deadline.NEVER;
    lock.lock();
    try {
      boolean together = request.joins() && owner.locks().isEmpty() && !spec().capped();
      while (!request.over()) {
        long now = together ? writeTogether() : writeAlone(request);
        earliest = earliestDue(now);
      }
    } finally {
      lock.unlock();
    }
    return earliest;
  }

  /** Waits until a turn that was committed survives a loss of power, if that was asked for. */
  private void sync(WriteRequest request) {
    if (request.awaitsFlush()) {
      owner.sync(request.ticket());
    }
  }

  /**
   * Decides a write in advance of its commit, which is shared with others that come before the
   * pledge is kept.
   *
   * @throws WouldBlock when it would have to wait; nothing was done then
   */
  public List<WriteOutcome> defer(
      List<Write> writes,
      WriteOptions options,
      long instant,
      Charge charge,
      PendingCommit pending) {
    WriteRequest request = new WriteRequest(writes, options, instant);
    if (!request.joins() || !lock.tryEnter(SOON_NANOS)) {
      throw new WouldBlock();
    }
    try {
      PendingGroup joined = advanceFor(request);
      decideBesideOthers(joined.group(), request, instant);
      joined.add(request);
    } catch (WouldBlock later) {
      throw later;
    } catch (RuntimeException | Error failure) {
      request.failed(failure);
      abandonAdvance(failure);
    } finally {
      lock.unlock();
    }
    List<WriteOutcome> outcomes = request.outcomes();
    pending.add(new Decided(request));
    charge.add(request.charge());
    return outcomes;
  }

  /** A request that is decided and not committed. */
  private final class Decided implements PendingCommit.Part {
    private final WriteRequest request;

    Decided(WriteRequest request) {
      this.request = request;
    }

    @Override
    public void await() {
      complete(request);
    }

    @Override
    public boolean tryCommit() {
      return tryComplete(request);
    }

    @Override
    public boolean isSettled() {
      return request.isSettled();
    }

    @Override
    public void sync() {
      WriteQueue.this.sync(request);
    }
  }

  /** What a turn is decided with: what others have begun, or a beginning. */
  private PendingGroup advanceFor(WriteRequest request) {
    if (pendingGroup != null
        && !pendingGroup.admits(request)
        && !commitAdvance(owner.shard()::tryCommit)) {
      throw new WouldBlock();
    }
    if (!owner.locks().isEmpty() || spec().capped() || owner.inDoubt()) {
      throw new WouldBlock();
    }
    if (pendingGroup == null) {
      owner.checkOpen();
      long now = request.instant();
      pendingGroup = new PendingGroup(owner.groupAtHand(now), now);
    }
    return pendingGroup;
  }

  /** Has receipts read from the store again. The caller holds the lock. */
  void forgetKnownReceipts() {
    receipts.clear();
  }

  /** Commits what was decided in advance; throws nothing. The caller holds the lock. */
  void settle() {
    commitAdvance(this::commitWaiting);
  }

  /** As {@link #settle}; false when that has to wait. */
  private boolean commitAdvance(Function<Batch, OptionalLong> committing) {
    PendingGroup decided = pendingGroup;
    if (decided == null) {
      return true;
    }
    try {
      if (!commit(decided.group(), decided.turns(), committing)) {
        return false;
      }
      due.accept(earliestDue(decided.now()));
      pendingGroup = null;
      settled(decided.turns());
    } catch (RuntimeException | Error failure) {
      abandonAdvance(failure);
    }
    return true;
  }

  /** Gives up what was decided in advance: it cannot be committed, or no longer be told apart. */
  private void abandonAdvance(Throwable failure) {
    PendingGroup decided = pendingGroup;
    pendingGroup = null;
    if (decided != null) {
      abandon(decided.turns(), failure);
      settled(decided.turns());
    }
  }

  /** Fails all turns of a group. Allocates nothing, as the failure may be lack of memory. */
  private static void abandon(List<WriteRequest> turns, Throwable failure) {
    for (int i = 0; i < turns.size(); i++) {
      turns.get(i).failed(failure);
    }
  }

  private static void settled(List<WriteRequest> turns) {
    for (int i = 0; i < turns.size(); i++) {
      turns.get(i).settled();
    }
  }

  /**
   * Commits a turn that was decided in advance, and waits for the disk if that was asked for;
   * throws what that failed with.
   */
  private void complete(WriteRequest request) {
    if (!request.isSettled()) {
      lock.lock();
      lock.unlock();
    }
    request.outcomes();
    sync(request);
  }

  /** As {@link #complete}; false when that has to wait. */
  private boolean tryComplete(WriteRequest request) {
    // who has the lock settles the turn before anything else
    if (!request.isSettled() && lock.tryEnter(SOON_NANOS)) {
      try {
        commitAdvance(owner.shard()::tryCommit);
      } finally {
        lock.unlock();
      }
    }
    if (!request.isSettled()) {
      return false;
    }
    request.outcomes();
    return !request.awaitsFlush() || owner.shard().syncedThrough() >= request.ticket();
  }

  /**
   * Carries out one turn, when a transaction is in its way after that is over. Others write while
   * it waits: whether it has waited in vain or not, it is decided anew.
   */
  private long writeAlone(WriteRequest request) {
    waiting.remove(request);
    long now = request.instant();
    try {
      WriteGroup group = decided(request, now);
      boolean patient = true;
      while (patient && conflicting(request.outcomes())) {
        patient = owner.locks().awaitRelease(conflictNanos, request.options().check());
        lock.settle();
        now = request.options().clock().getAsLong();
        group = decided(request, now);
      }
      commit(group, List.of(request));
    } catch (RuntimeException | Error failure) {
      request.failed(failure);
    }
    return now;
  }

  private WriteGroup decided(WriteRequest request, long now) {
    owner.checkOpen();
    WriteGroup group = owner.groupOfWrites(now);
    decide(group, request, now);
    return group;
  }

  /** Carries out the turns that wait. */
  private long writeTogether() {
    List<WriteRequest> ready = waitingTurns();
    List<WriteRequest> turns = new ArrayList<>(ready.size());
    long now = ready.stream().mapToLong(WriteRequest::instant).max().orElseThrow();
    try {
      // before anything that can fail: who is first of those that wait must not stay so for ever
      take(turns);
      owner.checkOpen();
      WriteGroup group = owner.groupOfWrites(now);
      decideBesideOthers(group, turns.getFirst(), now);
      while (turns.size() < ready.size() && group.batch().bytes() < MOST_BYTES_TOGETHER) {
        take(turns);
        decideBesideOthers(group, turns.getLast(), now);
      }
      commit(group, turns);
    } catch (RuntimeException | Error failure) {
      abandon(turns, failure);
    }
    return now;
  }

  /**
   * One that cannot be decided leaves nothing behind for the others; else none is committed.
   *
   * @throws WouldBlock when it cannot be decided without waiting
   */
  private void decideBesideOthers(WriteGroup group, WriteRequest request, long now) {
    int before = group.batch().operations();
    try {
      decide(group, request, now);
    } catch (WouldBlock later) {
      checkWhole(group, before, later);
      throw later;
    } catch (RuntimeException refused) {
      checkWhole(group, before, refused);
      request.failed(refused);
    }
  }

  private static void checkWhole(WriteGroup group, int before, Throwable refused) {
    if (group.batch().operations() != before) {
      if (refused instanceof StoreException failure) {
        throw failure;
      }
      if (refused instanceof EngineException failure && failure.ofTheMachine()) {
        throw failure;
      }
      throw new IllegalStateException("a write was decided by half", refused);
    }
  }

  private void take(List<WriteRequest> turns) {
    turns.add(waiting.remove());
  }

  /**
   * Those of the turns that wait which can be decided together. What is sent twice at the same time
   * cannot: the second must see the first.
   */
  private List<WriteRequest> waitingTurns() {
    List<WriteRequest> turns = new ArrayList<>();
    Set<ByteKey> sessions = new HashSet<>();
    for (WriteRequest next : waiting) {
      Retry retry = next.options().retry();
      if (turns.size() == MOST_TOGETHER || (retry != null && !sessions.add(retry.session()))) {
        break;
      }
      turns.add(next);
    }
    return turns;
  }

  /** Decides a turn and adds what it takes to the batch of a group. */
  private void decide(WriteGroup group, WriteRequest request, long now) {
    Retry retry = request.options().retry();
    double before = group.charge().units();
    Receipts.Receipt known =
        retry == null
            ? Receipts.Receipt.NONE
            : receipts.find(
                retry.session(),
                retry.number(),
                retry.firstStatement(),
                request.writes().size(),
                group.reader());
    // the thread may be another caller's, whose limits are not those of this turn
    List<WriteOutcome> outcomes =
        Interrupt.uninterrupted(
            () ->
                decide(
                    group, request.writes(), request.options().grouping(), repeated(known, retry)));
    Optional<Receipts.Receipt> receipt =
        retry == null
            ? Optional.empty()
            : Receipts.note(group.batch(), retry, known, outcomes, now);
    request.decided(outcomes, receipt, group.charge().units() - before);
  }

  private void commit(WriteGroup group, List<WriteRequest> turns) {
    commit(group, turns, this::commitWaiting);
  }

  private OptionalLong commitWaiting(Batch decided) {
    return OptionalLong.of(owner.shard().commit(decided));
  }

  /** As {@link #commit(WriteGroup, List)}; false when that has to wait. */
  private boolean commit(
      WriteGroup group, List<WriteRequest> turns, Function<Batch, OptionalLong> committing) {
    if (!group.batch().isEmpty()) {
      turns.forEach(WriteRequest::attempted);
      OptionalLong ticket = owner.commit(group, committing);
      if (ticket.isEmpty()) {
        return false;
      }
      turns.forEach(request -> request.committed(ticket.getAsLong()));
    }
    for (WriteRequest request : turns) {
      Retry retry = request.options().retry();
      if (retry != null && !request.refused() && request.receipt().isPresent()) {
        receipts.keep(retry.session(), request.receipt().get());
      }
    }
    return true;
  }

  /** Whether a write was refused for the sake of a transaction that may soon be over. */
  private boolean conflicting(List<WriteOutcome> outcomes) {
    return !owner.locks().isEmpty()
        && outcomes.stream()
            .anyMatch(
                outcome ->
                    outcome instanceof WriteOutcome.Failed(EngineException failure)
                        && failure.reason() == Reason.WRITE_CONFLICT);
  }

  /** The outcomes of writes, by their place in the group, that were done when first sent. */
  private static IntFunction<Optional<WriteOutcome.Repeated>> repeated(
      Receipts.Receipt known, @Nullable Retry retry) {
    return retry == null
        ? _ -> Optional.empty()
        : index -> known.find(retry.firstStatement() + index);
  }

  private static List<WriteOutcome> decide(
      WriteGroup group,
      List<Write> writes,
      Grouping grouping,
      IntFunction<Optional<WriteOutcome.Repeated>> repeated) {
    List<WriteOutcome> outcomes = new ArrayList<>(writes.size());
    for (Write write : writes) {
      Optional<WriteOutcome.Repeated> before = repeated.apply(outcomes.size());
      if (before.isPresent()) {
        outcomes.add(before.get());
        continue;
      }
      try {
        outcomes.add(group.apply(write));
      } catch (EngineException refused) {
        if (refused.ofTheMachine()) {
          // no refusal: the write may be decided by half
          throw refused;
        }
        group.charge().add(Charge.REFUSED);
        outcomes.add(new WriteOutcome.Failed(refused));
        if (grouping == Grouping.ATOMIC && writes.size() > 1) {
          group.batch().clear();
          Collections.fill(outcomes.subList(0, outcomes.size() - 1), new WriteOutcome.Skipped());
        }
        if (grouping != Grouping.UNORDERED) {
          break;
        }
      }
    }
    while (outcomes.size() < writes.size()) {
      outcomes.add(new WriteOutcome.Skipped());
    }
    return outcomes;
  }

  private CollectionSpec spec() {
    return owner.compiled().spec();
  }

  /** When the sweep is to come for what was written; at once, where indexes follow the feed. */
  private long earliestDue(long now) {
    return spec().indexing() == IndexingMode.LAZY ? now : owner.lanes().takeLowestDue();
  }

  /** What became of a write that may have been sent before, if it was done then. */
  public Optional<WriteOutcome.Repeated> receipt(ByteKey session, long number, int statement) {
    lock.lock();
    try {
      return receipts.find(session, number, statement, 1, owner.shard()).find(statement);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets what sessions did that have been idle since an instant; true while there is more. */
  public boolean forgetReceipts(long since, int most) {
    lock.lock();
    try {
      Batch forgotten = receipts.forgetIdle(since, most);
      if (!forgotten.isEmpty()) {
        owner.shard().commit(forgotten);
      }
      return receipts.searching();
    } finally {
      lock.unlock();
    }
  }
}
