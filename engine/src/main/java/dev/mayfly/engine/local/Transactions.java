package dev.mayfly.engine.local;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.TransactionId;
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

/** The transactions that are open, and which of those with a name were committed. */
final class Transactions {
  private final LocalEngine engine;
  private final Store store;

  /** The shard of the catalog, which belongs to no collection. */
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

  /** How many are open. */
  int openCount() {
    return open.size();
  }

  LocalTransaction begin(TransactionId id, LocalTransaction.Purpose purpose, long lifeMillis) {
    CrossShard crossShard = together("snapshots");
    long now = engine.enterToRead();
    try {
      long first = engine.sequence().peek();
      LocalTransaction transaction =
          new LocalTransaction(engine, id, purpose, lifeMillis, crossShard.snapshot(), now, first);
      open.add(transaction);
      engine.maintenance().transactionDue(transaction.deadline());
      return transaction;
    } catch (RuntimeException failed) {
      engine.openReads().leave(now);
      throw failed;
    }
  }

  /**
   * Whether a transaction has been committed, for who has not heard of it: remembered as long as
   * receipts of writes are, across a restart too.
   *
   * @throws EngineException TRANSACTION_TOO_OLD when the session has committed a later one
   */
  synchronized boolean committed(TransactionId id) {
    return commits.find(id.session(), id.number()).isPresent();
  }

  /** Has what was committed read from the store again: it may not be what is known. */
  private synchronized void doubt() {
    commits.clear();
  }

  /** Notes a commit; if that fails, it is read from the store when it is asked for. */
  private synchronized void remember(ByteKey session, Receipts.Chain chain) {
    try {
      commits.keep(session, chain);
    } catch (RuntimeException | Error failure) {
      commits.clear();
    }
  }

  /**
   * Commits the batches of a transaction with its receipt.
   *
   * @param own what it changes in the catalog
   * @return a ticket that the shards of the batches take, and the catalog's if that is any
   */
  long commit(TransactionId id, List<ShardBatch> batches, Batch own, long now) {
    List<ShardBatch> all = new ArrayList<>(batches);
    Optional<Receipts.Chain> receipt =
        id.named() ? Optional.of(Receipts.note(own, id, now)) : Optional.empty();
    if (!own.isEmpty()) {
      all.add(new ShardBatch(catalog, own));
    }
    long ticket = 0;
    try {
      ticket = all.isEmpty() ? 0 : commit(all);
    } catch (RuntimeException | Error failure) {
      doubt();
      throw failure;
    }
    receipt.ifPresent(chain -> remember(id.session(), chain));
    return ticket;
  }

  private long commit(List<ShardBatch> batches) {
    ShardBatch first = batches.getFirst();
    Supplier<OptionalLong> commit =
        batches.size() == 1
            ? () -> OptionalLong.of(first.shard().commit(first.batch()))
            : () -> OptionalLong.of(together("common commits").commit(batches));
    return VerifiedCommit.of(first.shard(), first.batch(), commit).orElseThrow();
  }

  private CrossShard together(String what) {
    return store
        .together()
        .orElseThrow(() -> new EngineException(Reason.NOT_SUPPORTED, "the store has no " + what));
  }

  void ended(LocalTransaction transaction) {
    open.remove(transaction);
    engine.openReads().leave(transaction.now());
  }

  /** Ends transactions that have lasted too long, and forgets some that are long committed. */
  boolean tend(int most) {
    long now = engine.now();
    open.forEach(transaction -> transaction.abortIfIdle(now));
    return forgetCommits(engine.confirmedNow() - engine.settings().receiptMillis(), most);
  }

  private synchronized boolean forgetCommits(long since, int most) {
    Batch forgotten = commits.forgetIdle(since, most);
    if (!forgotten.isEmpty()) {
      catalog.commit(forgotten);
    }
    return commits.searching();
  }

  /** When the first open transaction will have lasted too long. */
  long nextDeadline() {
    return open.stream().mapToLong(LocalTransaction::deadline).min().orElse(Deadline.NEVER);
  }

  /** Ends all of them: the engine is being closed. */
  void abortAll() {
    open.forEach(LocalTransaction::abort);
  }
}
