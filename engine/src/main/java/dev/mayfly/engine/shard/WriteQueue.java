package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Charge;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Write queue of one shard, with group commit. A request is decided and committed alone, or
 * together with requests of other callers that wait for the lock at the same time. A deferred
 * request is decided first and committed later, together with others.
 *
 * <p>The queue decides requests in a {@link WriteGroup} of the {@link ShardOwner}, and passes the
 * group to the owner, which commits it. The {@link WriteRequest} then contains the outcomes and the
 * ticket for {@link ShardOwner#sync}. Safe for many threads.
 */
public final class WriteQueue {
  /** Maximum number of requests in one commit; all of them wait until the last one is decided. */
  private static final int MAX_REQUESTS = 64;

  /** Maximum size of a batch, in bytes, that further requests may join. */
  static final long MAX_SHARED_BYTES = 16 << 20;

  /** How long a non-blocking caller waits for the lock. Most holders release it earlier. */
  private static final long TRY_LOCK_NANOS = 1_000_000;

  private final ShardOwner owner;
  private final ShardLock lock;
  private final long conflictNanos;
  private final Queue<WriteRequest> waiting = new ConcurrentLinkedQueue<>();

  /**
   * @param conflictNanos how long a write waits for a transaction that has locked its document
   */
  public WriteQueue(ShardOwner owner, long conflictNanos) {
    this.owner = owner;
    this.lock = owner.lock();
    this.conflictNanos = conflictNanos;
  }

  /**
   * Decides and commits writes. Single writes that arrive during another commit queue up, and the
   * first caller to get the lock commits all of them at once.
   */
  public List<WriteOutcome> write(
      List<Write> writes, WriteOptions options, long instant, Charge charge) {
    WriteRequest request = new WriteRequest(writes, options, instant);
    if (request.canShareGroup()) {
      waiting.add(request);
    } else {
      request.prefetched(owner.prefetch(writes));
    }
    try {
      owner.announceDue(execute(request));
    } finally {
      if (!request.isDone()) {
        // its caller leaves with an exception: no other thread may execute it
        waiting.remove(request);
      }
    }
    List<WriteOutcome> outcomes = request.outcomes();
    charge.add(request.charge());
    sync(request);
    return outcomes;
  }

  /**
   * Executes a request in this thread unless another thread already has; returns when the sweep is
   * next due.
   */
  private long execute(WriteRequest request) {
    long earliest = Deadline.NEVER;
    lock.lock();
    try {
      boolean together = request.canShareGroup() && owner.locks().isEmpty() && !owner.capped();
      while (!request.isDone()) {
        long now = together ? writeTogether() : writeAlone(request);
        earliest = owner.earliestDue(now);
      }
    } finally {
      lock.unlock();
    }
    return earliest;
  }

  /** Waits until a committed request survives a power failure, if its caller requires that. */
  private void sync(WriteRequest request) {
    if (request.awaitsFlush()) {
      owner.sync(request.ticket());
    }
  }

  /**
   * Decides a write ahead of its commit, which it shares with other writes that arrive before
   * {@code pending} is awaited.
   *
   * @throws WouldBlock if the call would have to wait; nothing is done then
   */
  public List<WriteOutcome> defer(
      List<Write> writes,
      WriteOptions options,
      long instant,
      Charge charge,
      PendingCommit pending) {
    WriteRequest request = new WriteRequest(writes, options, instant);
    if (!request.canShareGroup() || !lock.tryLockWithoutSettling(TRY_LOCK_NANOS)) {
      throw new WouldBlock();
    }
    try {
      PendingGroup joined = owner.pendingGroupFor(request);
      decideInSharedGroup(joined.group(), request, instant);
      joined.add(request);
    } catch (WouldBlock later) {
      throw later;
    } catch (RuntimeException | Error failure) {
      request.failed(failure);
      owner.abandonPending(failure);
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
      if (!request.isSettled()) {
        // taking the lock commits the pending group
        lock.lock();
        lock.unlock();
      }
      request.outcomes();
      WriteQueue.this.sync(request);
    }

    @Override
    public boolean tryCommit() {
      // if the lock is busy, the request stays pending, and the caller awaits it in another thread
      if (!request.isSettled() && lock.tryLockWithoutSettling(TRY_LOCK_NANOS)) {
        try {
          owner.tryCommitPending();
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

    @Override
    public boolean isSettled() {
      return request.isSettled();
    }

    @Override
    public void sync() {
      WriteQueue.this.sync(request);
    }
  }

  /**
   * Executes one request. If a transaction has locked one of its documents, waits for the end of a
   * transaction, at most {@link #conflictNanos} each time. Other threads write during the wait, so
   * the request is decided again after it, even after a timeout.
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
      owner.commit(group, List.of(request));
    } catch (RuntimeException | Error failure) {
      request.failed(failure);
    }
    return now;
  }

  private WriteGroup decided(WriteRequest request, long now) {
    owner.checkOpen();
    WriteGroup group = owner.groupOfWrites(request.prefetched(), now);
    decide(group, request, now);
    return group;
  }

  /** Executes the requests that wait. */
  private long writeTogether() {
    List<WriteRequest> ready = compatibleRequests();
    List<WriteRequest> taken = new ArrayList<>(ready.size());
    long now = ready.stream().mapToLong(WriteRequest::instant).max().orElseThrow();
    try {
      // before anything that can fail: a failing request must not stay at the head of the queue
      take(taken);
      owner.checkOpen();
      WriteGroup group = owner.groupOfWrites(now);
      decideInSharedGroup(group, taken.getFirst(), now);
      while (taken.size() < ready.size() && group.batch().bytes() < MAX_SHARED_BYTES) {
        take(taken);
        decideInSharedGroup(group, taken.getLast(), now);
      }
      owner.commit(group, taken);
    } catch (RuntimeException | Error failure) {
      WriteRequest.failAll(taken, failure);
    }
    assert taken.stream().allMatch(WriteRequest::isDone);
    return now;
  }

  /**
   * Decides a request in a group with others. If it is rejected, it fails alone, unless it has
   * added operations to the batch: then the whole group fails.
   *
   * @throws WouldBlock if it cannot be decided without waiting
   */
  private void decideInSharedGroup(WriteGroup group, WriteRequest request, long now) {
    int before = group.batch().operations();
    try {
      decide(group, request, now);
    } catch (WouldBlock later) {
      checkNothingAdded(group, before, later);
      throw later;
    } catch (RuntimeException refused) {
      checkNothingAdded(group, before, refused);
      request.failed(refused);
    }
  }

  private static void checkNothingAdded(WriteGroup group, int before, Throwable refused) {
    if (group.batch().operations() != before) {
      if (refused instanceof StoreException failure) {
        throw failure;
      }
      if (refused instanceof EngineException failure && failure.isMachineFailure()) {
        throw failure;
      }
      throw new IllegalStateException("a rejected write left operations in the batch", refused);
    }
  }

  private void take(List<WriteRequest> taken) {
    taken.add(waiting.remove());
  }

  /**
   * Returns the waiting requests, from the first on, that can share one commit. Two requests of one
   * session cannot: the second may be a retry and must see the receipt of the first.
   */
  private List<WriteRequest> compatibleRequests() {
    List<WriteRequest> compatible = new ArrayList<>();
    Set<ByteKey> sessions = new HashSet<>();
    for (WriteRequest next : waiting) {
      Retry retry = next.options().retry();
      if (compatible.size() == MAX_REQUESTS || (retry != null && !sessions.add(retry.session()))) {
        break;
      }
      compatible.add(next);
    }
    return compatible;
  }

  /** Decides a request and adds its operations to the batch of a group. */
  private void decide(WriteGroup group, WriteRequest request, long now) {
    assert lock.isHeldByCurrentThread();
    assert !request.isSettled();
    Retry retry = request.options().retry();
    double before = group.charge().units();
    Receipts.Receipt known =
        retry == null
            ? Receipts.Receipt.NONE
            : owner
                .receipts()
                .find(
                    retry.session(),
                    retry.number(),
                    retry.firstStatement(),
                    request.writes().size(),
                    group.reader());
    // this thread may belong to another caller, whose limits do not apply to this request
    List<WriteOutcome> outcomes =
        Interrupt.uninterrupted(
            () ->
                decide(
                    group, request.writes(), request.options().grouping(), repeated(known, retry)));
    Optional<Receipts.Receipt> receipt =
        retry == null ? Optional.empty() : Receipts.put(group.batch(), retry, known, outcomes, now);
    request.decided(outcomes, receipt, group.charge().units() - before);
  }

  /** Returns whether an open transaction has caused a write to fail; it may end soon. */
  private boolean conflicting(List<WriteOutcome> outcomes) {
    return !owner.locks().isEmpty()
        && outcomes.stream()
            .anyMatch(
                outcome ->
                    outcome instanceof WriteOutcome.Failed(EngineException failure)
                        && failure.reason() == Reason.WRITE_CONFLICT);
  }

  /** The outcomes of writes that an earlier attempt has committed, by their index. */
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
        if (refused.isMachineFailure()) {
          // not a rejection: the batch may contain a part of the write
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
}
