package dev.mayfly.engine;

import dev.mayfly.engine.EngineException.Reason;
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
final class Turns {
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
  private final Queue<Turn> waiting = new ConcurrentLinkedQueue<>();
  private @Nullable Advance advance;

  /**
   * @param due is told when a write has brought a document that is due at an instant
   * @param conflictNanos how long a write waits for a transaction that holds its document
   */
  Turns(ShardOwner owner, Receipts receipts, LongConsumer due, long conflictNanos) {
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
  List<Outcome> write(List<Write> writes, Manner manner, long instant, Charge charge) {
    Turn turn = new Turn(writes, manner, instant);
    if (turn.joins()) {
      waiting.add(turn);
    }
    try {
      due.accept(carryOut(turn));
    } finally {
      if (!turn.over()) {
        // nobody is to carry it out once its caller has gone
        waiting.remove(turn);
      }
    }
    List<Outcome> outcomes = turn.outcomes();
    charge.add(turn.charge());
    sync(turn);
    return outcomes;
  }

  /**
   * Has a turn carried out, by this caller or another; returns when the sweep is to come for it.
   */
  private long carryOut(Turn turn) {
    long earliest = Deadline.NEVER;
    lock.lock();
    try {
      boolean together = turn.joins() && owner.holds().isEmpty() && !spec().capped();
      while (!turn.over()) {
        long now = together ? writeTogether() : writeAlone(turn);
        earliest = earliestDue(now);
      }
    } finally {
      lock.unlock();
    }
    return earliest;
  }

  /** Waits until a turn that was committed survives a loss of power, if that was asked for. */
  void sync(Turn turn) {
    if (turn.awaitsFlush()) {
      owner.sync(turn.ticket());
    }
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
    if (!turn.joins() || !lock.tryEnter(SOON_NANOS)) {
      throw new NotAtOnce();
    }
    try {
      Advance joined = advanceFor(turn);
      decideBesideOthers(joined.group(), turn, instant);
      joined.add(turn);
    } catch (NotAtOnce later) {
      throw later;
    } catch (RuntimeException | Error failure) {
      turn.failed(failure);
      abandonAdvance(failure);
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
    if (advance != null && !advance.admits(turn) && !commitAdvance(owner.shard()::commitAtOnce)) {
      throw new NotAtOnce();
    }
    if (!owner.holds().isEmpty() || spec().capped() || owner.inDoubt()) {
      throw new NotAtOnce();
    }
    if (advance == null) {
      owner.checkOpen();
      long now = turn.instant();
      advance = new Advance(owner.groupAtHand(now), now);
    }
    return advance;
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
    Advance decided = advance;
    if (decided == null) {
      return true;
    }
    try {
      if (!commit(decided.group(), decided.turns(), committing)) {
        return false;
      }
      due.accept(earliestDue(decided.now()));
      advance = null;
      settled(decided.turns());
    } catch (RuntimeException | Error failure) {
      abandonAdvance(failure);
    }
    return true;
  }

  /** Gives up what was decided in advance: it cannot be committed, or no longer be told apart. */
  private void abandonAdvance(Throwable failure) {
    Advance decided = advance;
    advance = null;
    if (decided != null) {
      abandon(decided.turns(), failure);
      settled(decided.turns());
    }
  }

  /** Fails all turns of a group. Allocates nothing, as the failure may be lack of memory. */
  private static void abandon(List<Turn> turns, Throwable failure) {
    for (int i = 0; i < turns.size(); i++) {
      turns.get(i).failed(failure);
    }
  }

  private static void settled(List<Turn> turns) {
    for (int i = 0; i < turns.size(); i++) {
      turns.get(i).settled();
    }
  }

  /**
   * Commits a turn that was decided in advance, and waits for the disk if that was asked for;
   * throws what that failed with.
   */
  void keep(Turn turn) {
    if (!turn.isSettled()) {
      lock.lock();
      lock.unlock();
    }
    turn.outcomes();
    sync(turn);
  }

  /** As {@link #keep}; false when that has to wait. */
  boolean keepAtOnce(Turn turn) {
    // who has the lock settles the turn before anything else
    if (!turn.isSettled() && lock.tryEnter(SOON_NANOS)) {
      try {
        commitAdvance(owner.shard()::commitAtOnce);
      } finally {
        lock.unlock();
      }
    }
    if (!turn.isSettled()) {
      return false;
    }
    turn.outcomes();
    return !turn.awaitsFlush() || owner.shard().syncedThrough() >= turn.ticket();
  }

  /**
   * Carries out one turn, when a transaction is in its way after that is over. Others write while
   * it waits: whether it has waited in vain or not, it is decided anew.
   */
  private long writeAlone(Turn turn) {
    waiting.remove(turn);
    long now = turn.instant();
    try {
      Group group = decided(turn, now);
      boolean patient = true;
      while (patient && conflicting(turn.outcomes())) {
        patient = owner.holds().awaitRelease(conflictNanos, turn.manner().check());
        lock.settle();
        now = turn.manner().clock().getAsLong();
        group = decided(turn, now);
      }
      commit(group, List.of(turn));
    } catch (RuntimeException | Error failure) {
      turn.failed(failure);
    }
    return now;
  }

  private Group decided(Turn turn, long now) {
    owner.checkOpen();
    Group group = owner.groupOfWrites(now);
    decide(group, turn, now);
    return group;
  }

  /** Carries out the turns that wait. */
  private long writeTogether() {
    List<Turn> ready = waitingTurns();
    List<Turn> turns = new ArrayList<>(ready.size());
    long now = ready.stream().mapToLong(Turn::instant).max().orElseThrow();
    try {
      // before anything that can fail: who is first of those that wait must not stay so for ever
      take(turns);
      owner.checkOpen();
      Group group = owner.groupOfWrites(now);
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
   * @throws NotAtOnce when it cannot be decided without waiting
   */
  private void decideBesideOthers(Group group, Turn turn, long now) {
    int before = group.batch().operations();
    try {
      decide(group, turn, now);
    } catch (NotAtOnce later) {
      checkWhole(group, before, later);
      throw later;
    } catch (RuntimeException refused) {
      checkWhole(group, before, refused);
      turn.failed(refused);
    }
  }

  private static void checkWhole(Group group, int before, Throwable refused) {
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

  private void take(List<Turn> turns) {
    turns.add(waiting.remove());
  }

  /**
   * Those of the turns that wait which can be decided together. What is sent twice at the same time
   * cannot: the second must see the first.
   */
  private List<Turn> waitingTurns() {
    List<Turn> turns = new ArrayList<>();
    Set<Bytes> sessions = new HashSet<>();
    for (Turn next : waiting) {
      Retry retry = next.manner().retry();
      if (turns.size() == MOST_TOGETHER || (retry != null && !sessions.add(retry.session()))) {
        break;
      }
      turns.add(next);
    }
    return turns;
  }

  /** Decides a turn and adds what it takes to the batch of a group. */
  private void decide(Group group, Turn turn, long now) {
    Retry retry = turn.manner().retry();
    double before = group.charge().units();
    Receipts.Receipt known =
        retry == null
            ? Receipts.Receipt.NONE
            : receipts.find(
                retry.session(),
                retry.number(),
                retry.firstStatement(),
                turn.writes().size(),
                group.reader());
    // the thread may be another caller's, whose limits are not those of this turn
    List<Outcome> outcomes =
        Interrupt.uninterrupted(
            () -> decide(group, turn.writes(), turn.manner().grouping(), repeated(known, retry)));
    Optional<Receipts.Receipt> receipt =
        retry == null
            ? Optional.empty()
            : Receipts.note(group.batch(), retry, known, outcomes, now);
    turn.decided(outcomes, receipt, group.charge().units() - before);
  }

  private void commit(Group group, List<Turn> turns) {
    commit(group, turns, this::commitWaiting);
  }

  private OptionalLong commitWaiting(Batch decided) {
    return OptionalLong.of(owner.shard().commit(decided));
  }

  /** As {@link #commit(Group, List)}; false when that has to wait. */
  private boolean commit(Group group, List<Turn> turns, Function<Batch, OptionalLong> committing) {
    if (!group.batch().isEmpty()) {
      turns.forEach(Turn::attempted);
      OptionalLong ticket = owner.commit(group, committing);
      if (ticket.isEmpty()) {
        return false;
      }
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
    return !owner.holds().isEmpty()
        && outcomes.stream()
            .anyMatch(
                outcome ->
                    outcome instanceof Outcome.Failed(EngineException failure)
                        && failure.reason() == Reason.WRITE_CONFLICT);
  }

  /** The outcomes of writes, by their place in the group, that were done when first sent. */
  private static IntFunction<Optional<Outcome.Repeated>> repeated(
      Receipts.Receipt known, @Nullable Retry retry) {
    return retry == null
        ? _ -> Optional.empty()
        : index -> known.find(retry.firstStatement() + index);
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
        if (refused.ofTheMachine()) {
          // no refusal: the write may be decided by half
          throw refused;
        }
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

  private CollectionSpec spec() {
    return owner.compiled().spec();
  }

  /** When the sweep is to come for what was written; at once, where indexes follow the feed. */
  private long earliestDue(long now) {
    return spec().indexing() == IndexingMode.LAZY ? now : owner.lanes().takeLowestDue();
  }

  /** What became of a write that may have been sent before, if it was done then. */
  Optional<Outcome.Repeated> receipt(Bytes session, long number, int statement) {
    lock.lock();
    try {
      return receipts.find(session, number, statement, 1, owner.shard()).find(statement);
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
        owner.shard().commit(forgotten);
      }
      return receipts.searching();
    } finally {
      lock.unlock();
    }
  }
}
