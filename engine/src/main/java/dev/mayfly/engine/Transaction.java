package dev.mayfly.engine;

import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Reads and writes over several documents, collections and shards that see one instant and become
 * visible together, or not at all.
 *
 * <p>All reads are of the snapshot taken at the beginning, with the transaction's own writes on
 * top; what was live then stays readable. A write takes hold of its document at once, and is
 * refused with WRITE_CONFLICT when another transaction holds it or when it has changed or expired
 * since the beginning. One that expires after that is absent for all others, and is made anew by
 * the commit with what was written to it. That is snapshot isolation: no dirty, unrepeatable or
 * phantom reads and no lost updates, but two transactions may each write what the other has read.
 *
 * <p>A collection it creates is its own until it commits; of those who create the same the first to
 * commit wins.
 *
 * <p>Nothing is stored before the commit, which replays the writes under the locks of all shards
 * they fall into and commits them at one go. A conflict ends the transaction, and so does lasting
 * too long or writing too much. Used by one thread at a time.
 */
public interface Transaction extends AutoCloseable {
  TransactionId id();

  /** When it began: the instant of all its reads. */
  long now();

  /** Whether it can still be used: it is neither over nor has it lasted too long. */
  boolean open();

  /**
   * Creates a collection that only this transaction sees until it commits: the commit is refused
   * with WRITE_CONFLICT when another of that name has come meanwhile.
   *
   * @throws EngineException COLLECTION_EXISTS
   */
  Collection create(Namespace namespace, CollectionSpec spec);

  /** The collection of that name that this transaction has created, if it has. */
  Optional<Collection> created(Namespace namespace);

  /**
   * Makes sure that a name that nobody has was not that of a collection when the transaction began:
   * one that was dropped or renamed since cannot be read as it was.
   *
   * @throws EngineException as for a collection that has changed since
   */
  void checkAbsent(Namespace namespace);

  /**
   * Changes a collection that this transaction has created and not written to.
   *
   * @throws EngineException NOT_SUPPORTED for any other
   */
  void alter(Collection own, UnaryOperator<CollectionSpec> change);

  /** Whether it has written anything, or made a collection; false when it is over. */
  boolean wrote();

  /** Whether it has written to a collection. */
  boolean wrote(Collection collection);

  /** The document of that key, if it was live at the beginning or written since, by this. */
  Optional<StoredDocument> read(Collection collection, DocumentKey key);

  /** The documents of a query, as they were at the beginning and as this has written them. */
  Cursor query(Collection collection, Query query);

  /** How many documents match. */
  long count(Collection collection, Filter filter);

  /**
   * Does writes in their order, up to the first that is refused. Versions in the outcomes are those
   * of the transaction: documents get theirs when it commits.
   *
   * @throws EngineException WRITE_CONFLICT, TRANSACTION_TOO_LARGE: the transaction is aborted
   */
  WriteResult write(Collection collection, List<Write> writes);

  /**
   * Makes all writes visible at once. When this fails nothing was written, and the transaction is
   * aborted; but for OUTCOME_UNKNOWN: it is then committed if all see its writes, and may not
   * survive loss of power.
   *
   * @throws EngineException WRITE_CONFLICT, OUTCOME_UNKNOWN
   */
  void commit(Durability durability);

  /** Lets go of everything, as if nothing had been done. Aborting again does nothing. */
  void abort();

  /** Aborts what has not been committed. */
  @Override
  void close();
}
