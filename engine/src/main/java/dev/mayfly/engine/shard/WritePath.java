package dev.mayfly.engine.shard;

import dev.mayfly.engine.Charge;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.shard.KeyClaims.NeedsExclusiveLock;
import dev.mayfly.engine.shard.PendingGroups.PendingGroup;
import dev.mayfly.engine.storage.VerifiedCommit;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Write path of one shard: decides requests and commits them.
 *
 * <p>Most requests share the shard's lock: each is decided in the thread of its caller, against the
 * keys that it has locked, and committed by that thread; RocksDB joins concurrent commits in one
 * write group. A request that cannot share the lock ({@link NeedsExclusiveLock}) is decided again
 * with the lock held exclusively. Deferred requests of one thread share one commit.
 *
 * <p>Calls go down only. Outcomes and the ticket for {@link ShardOwner#sync} come back in the
 * {@link WriteRequest}. Safe for many threads.
 */
public final class WritePath {
  /** Maximum number of writes in one commit, unless they are atomic: others may have to wait. */
  private static final int MAX_WRITES = 512;

  private final ShardOwner owner;
  private final ShardLock lock;
  private final long conflictNanos;

  /**
   * @param conflictNanos how long a write waits for a transaction that has locked its document
   */
  public WritePath(ShardOwner owner, long conflictNanos) {
    this.owner = owner;
    this.lock = owner.lock();
    this.conflictNanos = conflictNanos;
  }

  /** Decides and commits writes. A long list that is not atomic is committed in parts. */
  public List<WriteOutcome> write(List<Write> writes, WriteOptions options, Charge charge) {
    if (writes.size() <= MAX_WRITES || options.grouping() == Grouping.ATOMIC) {
      WriteRequest request = written(new WriteRequest(writes, options), charge);
      sync(request);
      return request.outcomes();
    }
    List<WriteOutcome> outcomes = new ArrayList<>(writes.size());
    WriteRequest last = null;
    for (int from = 0; from < writes.size() && !ends(outcomes, options); from += MAX_WRITES) {
      List<Write> part = writes.subList(from, Math.min(from + MAX_WRITES, writes.size()));
      WriteRequest request = written(new WriteRequest(part, options.from(from)), charge);
      outcomes.addAll(request.outcomes());
      last = request.awaitsFlush() ? request : last;
    }
    while (outcomes.size() < writes.size()) {
      outcomes.add(new WriteOutcome.Skipped());
    }
    if (last != null) {
      sync(last);
    }
    return outcomes;
  }

  /** Returns whether the rest of a list of writes is skipped. */
  private static boolean ends(List<WriteOutcome> outcomes, WriteOptions options) {
    return options.grouping() == Grouping.ORDERED
        && !outcomes.isEmpty()
        && (outcomes.getLast() instanceof WriteOutcome.Failed
            || outcomes.getLast() instanceof WriteOutcome.Skipped);
  }

  private WriteRequest written(WriteRequest request, Charge charge) {
    owner.fetch(request.writes());
    if (!writeShared(request)) {
      writeExclusively(request);
    }
    request.outcomes();
    charge.add(request.charge());
    return request;
  }

  /** Writes beside other requests; returns false if the request needs the lock exclusively. */
  private boolean writeShared(WriteRequest request) {
    try (SharedGroup shared = owner.sharedGroup(request.writes(), request.instant())) {
      decide(shared.group(), request);
      if (conflicting(request.outcomes())) {
        return false;
      }
      owner.commitShared(shared, List.of(request), true);
    } catch (NeedsExclusiveLock needed) {
      return false;
    } catch (RuntimeException | Error failure) {
      request.failed(failure);
    }
    return true;
  }

  /**
   * Writes while nothing else does. If a transaction has locked one of the documents, waits for the
   * end of a transaction, at most {@link #conflictNanos} each time. Other threads write during the
   * wait, so the request is decided again after it, even after a timeout.
   */
  private void writeExclusively(WriteRequest request) {
    if (owner.view().family().parents() != null) {
      writeChildren(request);
      return;
    }
    lock.lock();
    try {
      WriteGroup group = decided(request);
      boolean patient = true;
      while (patient && conflicting(request.outcomes())) {
        patient = owner.locks().awaitRelease(conflictNanos, request.operation()::check);
        request.operation().renew();
        group = decided(request);
      }
      owner.commit(group, List.of(request));
    } catch (RuntimeException | Error failure) {
      request.failed(failure);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes documents that follow parents, while nothing else writes to this shard and to the shards
   * of the parents: so no parent departs meanwhile. Holds none of these locks while it waits for
   * the end of a transaction.
   */
  private void writeChildren(WriteRequest request) {
    try {
      boolean patient = true;
      while (true) {
        try (Family.Locks _ = Family.Locks.of(owner)) {
          // not before a departure that it has waited for: then the parent is absent
          request.operation().renew();
          WriteGroup group = decided(request);
          if (!patient || !conflicting(request.outcomes())) {
            owner.commit(group, List.of(request));
            return;
          }
        }
        lock.lock();
        try {
          patient = owner.locks().awaitRelease(conflictNanos, request.operation()::check);
        } finally {
          lock.unlock();
        }
      }
    } catch (RuntimeException | Error failure) {
      request.failed(failure);
    }
  }

  private WriteGroup decided(WriteRequest request) {
    owner.checkOpen();
    WriteGroup group = owner.groupOfWrites(request.instant());
    decide(group, request);
    return group;
  }

  /** Waits until a committed request survives a power failure, if its caller requires that. */
  private void sync(WriteRequest request) {
    if (request.awaitsFlush()) {
      owner.sync(request.ticket());
    }
  }

  /**
   * Decides a write ahead of its commit, which it shares with other writes of this thread until
   * {@code pending} is awaited.
   *
   * @throws WouldBlock if the call would have to wait; nothing is done then
   */
  public List<WriteOutcome> defer(
      List<Write> writes, WriteOptions options, Charge charge, PendingCommit pending) {
    assert writes.size() == 1;
    WriteRequest request = new WriteRequest(writes, options);
    PendingGroup joined = join(request);
    List<WriteOutcome> outcomes = request.outcomes();
    pending.add(new Deferred(request, joined));
    charge.add(request.charge());
    return outcomes;
  }

  /** Decides a request in the pending group of this thread, and returns the group. */
  private PendingGroup join(WriteRequest request) {
    while (true) {
      PendingGroup group = owner.pendingGroups().current(request.instant());
      synchronized (group) {
        if (group.isOpen() && group.admits(request)) {
          decideDeferred(group, request);
          return group;
        }
      }
      if (!owner.pendingGroups().commit(group, false)) {
        throw new WouldBlock();
      }
    }
  }

  private void decideDeferred(PendingGroup group, WriteRequest request) {
    try {
      decideBesideOthers(group.group(), request);
      if (!request.hasFailed()) {
        if (conflicting(request.outcomes())) {
          throw new WouldBlock();
        }
        group.add(request);
      }
    } catch (WouldBlock | NeedsExclusiveLock later) {
      throw new WouldBlock();
    } catch (RuntimeException | Error failure) {
      request.failed(failure);
      owner.pendingGroups().abandon(group, failure);
    } finally {
      if (group.requests().isEmpty()) {
        // nobody would end it, and it holds locks
        owner.pendingGroups().commit(group, false);
      }
    }
  }

  /** A request that is decided and not committed. */
  private final class Deferred implements PendingCommit.Part {
    private final WriteRequest request;
    private final PendingGroup group;

    Deferred(WriteRequest request, PendingGroup group) {
      this.request = request;
      this.group = group;
    }

    @Override
    public void await() {
      owner.pendingGroups().commit(group, true);
      request.outcomes();
      WritePath.this.sync(request);
    }

    @Override
    public boolean tryCommit() {
      if (!request.isSettled() && !owner.pendingGroups().commit(group, false)) {
        return false;
      }
      request.outcomes();
      return !request.awaitsFlush() || VerifiedCommit.trySync(owner.shard(), request.ticket());
    }

    @Override
    public boolean isSettled() {
      return request.isSettled();
    }

    @Override
    public boolean tryFlush() {
      request.outcomes();
      return !request.awaitsFlush() || VerifiedCommit.trySyncHere(owner.shard(), request.ticket());
    }

    @Override
    public void wakeAfterFlush(Runnable wake) {
      if (request.awaitsFlush()) {
        owner.shard().wakeAfterFlush(request.ticket(), wake);
      }
    }
  }

  /**
   * Decides a request in a group with others. If it is rejected, it fails alone, unless it has
   * added operations to the batch: then the whole group fails.
   *
   * @throws WouldBlock if it cannot be decided without waiting
   * @throws NeedsExclusiveLock if it cannot share the shard's lock
   */
  private void decideBesideOthers(WriteGroup group, WriteRequest request) {
    int before = group.batch().operations();
    try {
      decide(group, request);
    } catch (WouldBlock | NeedsExclusiveLock later) {
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

  /** Decides a request and adds its operations to the batch of a group. */
  private void decide(WriteGroup group, WriteRequest request) {
    assert request.instant() == group.now();
    assert !request.isSettled();
    Retry retry = request.options().retry();
    if (retry != null) {
      group.claims().session(retry.session());
    }
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
    // a limit must not end a bulk write between two of its documents
    List<WriteOutcome> outcomes =
        Interrupt.uninterrupted(
            () ->
                decide(
                    group, request.writes(), request.options().grouping(), repeated(known, retry)));
    Optional<Receipts.Receipt> receipt =
        retry == null
            ? Optional.empty()
            : Receipts.put(group.batch(), retry, known, outcomes, group.now());
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
