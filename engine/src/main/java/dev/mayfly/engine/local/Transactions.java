package dev.mayfly.engine.local;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.shard.OpenReads;
import dev.mayfly.engine.shard.Receipts;
import dev.mayfly.engine.storage.VerifiedCommit;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.store.Batch;
import dev.mayfly.store.CrossShard;
import dev.mayfly.store.Shard;
import dev.mayfly.store.ShardBatch;
import dev.mayfly.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Table of the open transactions, and receipts of the committed ones. Safe for many threads. */
final class Transactions {
  private final LocalEngine engine;
  private final Store store;

  /** The shard of the catalog, where receipts are stored. */
  private final Shard catalog;

  /** Guarded by this. */
  private final Receipts commits;

  private final Set<LocalTransaction> open = ConcurrentHashMap.newKeySet();

  Transactions(LocalEngine engine, Store store, Shard catalog) {
    this.engine = engine;
    this.store = store;
    this.catalog = catalog;
    this.commits = new Receipts(catalog);
  }

  /** The number of open transactions. */
  int openCount() {
    return open.size();
  }

  LocalTransaction begin(
      OperationContext operation,
      TransactionId id,
      LocalTransaction.Purpose purpose,
      long lifeMillis) {
    CrossShard crossShard = crossShard("snapshots of several shards");
    OpenReads.Reading reading = engine.enterToRead(operation);
    try {
      engine.registry().settleTouches(reading.now());
      long first = engine.sequence().peek();
      LocalTransaction transaction =
          new LocalTransaction(
              engine, id, purpose, lifeMillis, crossShard.snapshot(), reading, first);
      open.add(transaction);
      engine.maintenance().transactionDue(transaction.deadline());
      return transaction;
    } catch (RuntimeException failed) {
      engine.openReads().leave(reading);
      throw failed;
    }
  }

  /**
   * Returns whether a transaction was committed, for a client that has lost the reply. Receipts are
   * stored, and kept for {@link dev.mayfly.engine.EngineSettings#receiptMillis}.
   *
   * @throws EngineException TRANSACTION_TOO_OLD if the session has committed a later one
   */
  synchronized boolean committed(TransactionId id) {
    return commits.find(id.session(), id.number()).isPresent();
  }

  /** Clears the cached receipts, because they may differ from the stored ones. */
  private synchronized void clearCache() {
    commits.clear();
  }

  /** Caches the receipt of a commit; if that fails, it is read from the store when needed. */
  private synchronized void cache(ByteKey session, Receipts.Chain chain) {
    try {
      commits.cache(session, chain);
    } catch (RuntimeException | Error failure) {
      commits.clear();
    }
  }

  /**
   * Commits the batches of a transaction with its receipt.
   *
   * @param own its changes of the catalog; the receipt is added
   * @return a ticket for the sync of any of the shards
   */
  long commit(TransactionId id, List<ShardBatch> batches, Batch own, long now) {
    List<ShardBatch> all = new ArrayList<>(batches);
    Optional<Receipts.Chain> receipt =
        id.named() ? Optional.of(Receipts.put(own, id, now)) : Optional.empty();
    if (!own.isEmpty()) {
      all.add(new ShardBatch(catalog, own));
    }
    long ticket = 0;
    try {
      ticket = all.isEmpty() ? 0 : commit(all);
    } catch (RuntimeException | Error failure) {
      clearCache();
      throw failure;
    }
    receipt.ifPresent(chain -> cache(id.session(), chain));
    return ticket;
  }

  private long commit(List<ShardBatch> batches) {
    ShardBatch first = batches.getFirst();
    Supplier<OptionalLong> commit =
        batches.size() == 1
            ? () -> OptionalLong.of(first.shard().commit(first.batch()))
            : () -> OptionalLong.of(crossShard("commits to several shards").commit(batches));
    return VerifiedCommit.of(first.shard(), first.batch(), commit).orElseThrow();
  }

  private CrossShard crossShard(String what) {
    return store
        .together()
        .orElseThrow(
            () -> new EngineException(Reason.NOT_SUPPORTED, "the store does not support " + what));
  }

  void ended(LocalTransaction transaction) {
    open.remove(transaction);
    engine.openReads().leave(transaction.reading());
  }

  /**
   * Aborts transactions that exceed their lifetime, and deletes old receipts. Returns whether more
   * receipts remain to be checked.
   */
  boolean cleanUp(int most) {
    long now = engine.now();
    open.forEach(transaction -> transaction.abortIfIdle(now));
    return deleteIdleReceipts(engine.confirmedNow() - engine.settings().receiptMillis(), most);
  }

  private synchronized boolean deleteIdleReceipts(long since, int most) {
    Batch forgotten = commits.deleteIdle(since, most);
    if (!forgotten.isEmpty()) {
      catalog.commit(forgotten);
    }
    return commits.searching();
  }

  /** The earliest instant at which an open transaction exceeds its lifetime. */
  long nextDeadline() {
    return open.stream().mapToLong(LocalTransaction::deadline).min().orElse(Deadline.NEVER);
  }

  /** Aborts all transactions, because the engine is closed. */
  void abortAll() {
    open.forEach(LocalTransaction::abort);
  }
}
