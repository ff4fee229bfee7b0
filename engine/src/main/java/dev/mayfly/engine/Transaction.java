package dev.mayfly.engine;

import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Multi-document transaction with snapshot isolation, over any collections and shards.
 *
 * <p>Reads see the snapshot of the beginning and the transaction's own writes. Documents that were
 * live at the beginning stay readable. A write locks its document at once. It fails with
 * WRITE_CONFLICT if another transaction has locked the document, or if the document has changed or
 * expired since the beginning. A document that expires after that is absent for other readers; the
 * commit inserts it again with what was written. There are no dirty, unrepeatable or phantom reads
 * and no lost updates, but write skew is possible: two transactions may each write a document that
 * the other has read.
 *
 * <p>No other reader sees a collection that the transaction creates before the commit. If several
 * transactions create the same collection, the first commit wins.
 *
 * <p>Nothing is stored before the commit. It replays the writes under the locks of their shards and
 * commits them in one batch. A conflict, the time limit or the size limit aborts the transaction.
 * Used by one thread at a time.
 *
 * <pre>{@code
 * try (Transaction transaction = engine.begin()) {
 *   transaction.write(accounts, List.of(withdraw));
 *   transaction.write(payments, List.of(new Write.Insert(payment)));
 *   transaction.commit(Durability.SYNCED);  // both, or WRITE_CONFLICT and none
 * }  // without a commit: aborted
 * }</pre>
 */
public interface Transaction extends AutoCloseable {
  TransactionId id();

  /** Returns the instant of the beginning, which all reads use, in epoch milliseconds. */
  long now();

  /** Begins an operation that may block: reads the clock. */
  OperationContext operation();

  /** Returns whether it is neither committed nor aborted, and within its time limit. */
  default boolean open() {
    return open(operation());
  }

  /** As {@link #open()}, at the instant of an operation. */
  boolean open(OperationContext operation);

  /**
   * Creates a collection that only this transaction sees until it commits. The commit fails with
   * WRITE_CONFLICT if another collection has the name by then.
   *
   * @throws EngineException COLLECTION_EXISTS
   */
  Collection create(Namespace namespace, CollectionSpec spec);

  /** Returns the collection of that name if this transaction has created it. */
  Optional<Collection> created(Namespace namespace);

  /**
   * Checks that no collection had this name when the transaction began: a collection that was
   * dropped or renamed since cannot be read as it was.
   *
   * @throws EngineException as for a collection that has changed since
   */
  void checkAbsent(Namespace namespace);

  /**
   * Changes a collection that this transaction has created and not written to.
   *
   * @throws EngineException NOT_SUPPORTED for any other collection
   */
  void alter(Collection own, UnaryOperator<CollectionSpec> change);

  /** Returns whether it has writes or new collections to commit; false once it has ended. */
  boolean wrote();

  /** Returns whether it has written to a collection. */
  boolean wrote(Collection collection);

  /** As {@link #read(OperationContext, Collection, DocumentKey)}, as an operation of its own. */
  default Optional<StoredDocument> read(Collection collection, DocumentKey key) {
    return read(operation(), collection, key);
  }

  /**
   * Returns a document that was live at the beginning or that this transaction has written. The
   * instant of the operation, here and below, shows whether the transaction has exceeded its time
   * limit; what it reads depends on the beginning only.
   */
  Optional<StoredDocument> read(OperationContext operation, Collection collection, DocumentKey key);

  /** As {@link #query(OperationContext, Collection, Query)}, as an operation of its own. */
  default Cursor query(Collection collection, Query query) {
    return query(operation(), collection, query);
  }

  /** Returns the documents of a query, as of the beginning and with its own writes. */
  Cursor query(OperationContext operation, Collection collection, Query query);

  /** As {@link #query(OperationContext, Collection, Query)}, but never sorts. */
  Cursor.Planned queryUnsorted(OperationContext operation, Collection collection, Query query);

  /** Returns the number of matching documents. */
  long count(Collection collection, Filter filter);

  /** As {@link #write(OperationContext, Collection, List)}, as an operation of its own. */
  default WriteResult write(Collection collection, List<Write> writes) {
    return write(operation(), collection, writes);
  }

  /**
   * Does writes in order, up to the first that fails. Versions in the outcomes are provisional:
   * documents get theirs at the commit.
   *
   * @throws EngineException WRITE_CONFLICT, TRANSACTION_TOO_LARGE: the transaction is aborted
   */
  WriteResult write(OperationContext operation, Collection collection, List<Write> writes);

  /** As {@link #commit(OperationContext, Durability)}, as an operation of its own. */
  default void commit(Durability durability) {
    commit(operation(), durability);
  }

  /**
   * Commits: all writes become visible at once. The commit renews the operation once it has the
   * locks of its shards, and is decided at that instant. If this fails, nothing was written and the
   * transaction is aborted. The exception is OUTCOME_UNKNOWN: the transaction is committed if its
   * writes are visible, and may not survive a power failure.
   *
   * @throws EngineException WRITE_CONFLICT, OUTCOME_UNKNOWN
   */
  void commit(OperationContext operation, Durability durability);

  /** Aborts the transaction. Has no effect if it is over. */
  void abort();

  /** Aborts the transaction unless it is committed. */
  @Override
  void close();
}
