package dev.mayfly.engine;

import dev.mayfly.engine.archive.ArchiveStatus;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Document database with exact time to live, on any store. Knows no protocol. Reads only the clock
 * that it was opened with. Safe for many threads. Closing it leaves the store open.
 *
 * <pre>{@code
 * Collection carts =
 *     engine.create(
 *         new Namespace("shop", "carts"), CollectionSpec.mongo().withDefaultTtl(3_600));
 * carts.insert(Document.writer().put("_id", 7).build());
 * // an hour later no read finds it, whether the sweep has removed it or not
 * carts.read(DocumentKey.of(Value.of(7)));  // empty
 * engine.backlog();                         // 1 document, until the sweep removes it
 * }</pre>
 */
public interface Engine extends AutoCloseable {
  /**
   * Returns the time that all operations use, in epoch milliseconds. It goes back only if the clock
   * was set ahead and back again, or was confirmed at an earlier time.
   */
  long now();

  /** Returns the step of the clock that is not confirmed, if there is one. */
  Optional<ClockLeap> clockLeap();

  /**
   * Confirms the current clock. If it was set ahead, documents that are expired by it are removed;
   * if it was set back, documents that have expired since may be live again.
   */
  void confirmClock();

  /** Returns when this data was last in use before it was opened, if that is known. */
  OptionalLong keptTime();

  /**
   * Creates a collection.
   *
   * @throws EngineException COLLECTION_EXISTS
   */
  Collection create(Namespace namespace, CollectionSpec spec);

  /**
   * Returns the collection of that name.
   *
   * @throws EngineException NO_SUCH_COLLECTION
   */
  Collection collection(Namespace namespace);

  Optional<Collection> find(Namespace namespace);

  /** Returns the names of all collections, in order. */
  List<Namespace> namespaces();

  /** Begins a transaction without an id: {@link #committed} cannot find it. */
  Transaction begin();

  /**
   * Begins a transaction at the instant of an operation. Earlier transactions of the same session
   * must be over.
   *
   * @throws EngineException NOT_SUPPORTED if the store has no snapshot of all shards at one instant
   */
  Transaction begin(OperationContext operation, TransactionId id);

  /** As {@link #begin(OperationContext, TransactionId)}, as an operation of its own. */
  Transaction begin(TransactionId id);

  /**
   * Opens a snapshot to read from: a transaction that cannot write. Reads after its life, or of a
   * collection that was altered since, fail with SNAPSHOT_TOO_OLD.
   *
   * @param lifeMillis at most ten minutes
   * @throws EngineException NOT_SUPPORTED as {@link #begin(OperationContext, TransactionId)}
   */
  Transaction view(OperationContext operation, long lifeMillis);

  /** As {@link #view(OperationContext, long)}, as an operation of its own. */
  default Transaction view(long lifeMillis) {
    return view(OperationContext.begin(this::now), lifeMillis);
  }

  /**
   * Returns whether a transaction was committed, for a client that lost the reply. Kept as long as
   * receipts of writes, across restarts.
   *
   * @throws EngineException TRANSACTION_TOO_OLD if the session has committed a later one
   */
  boolean committed(TransactionId id);

  /** Waits until all earlier writes survive a power failure. */
  void sync();

  /** Drops a collection at once. Its space is freed in the background. */
  void drop(Namespace namespace);

  /** Drops all collections of a database with a dialect. Returns whether there were any. */
  boolean dropDatabase(String database, Dialect dialect);

  /**
   * Renames a collection.
   *
   * @param replace whether to drop a collection that has the new name
   * @throws EngineException COLLECTION_EXISTS
   */
  void rename(Namespace from, Namespace to, boolean replace);

  /**
   * Runs an action while no other thread writes to the collection, and none creates, alters or
   * drops a collection. Reads continue; counts of the collection's documents wait.
   */
  <T> T exclusively(Namespace namespace, Function<Collection, T> action);

  /**
   * Returns the changes of collections after a position, oldest first.
   *
   * @throws EngineException TRIMMED if they are no longer kept
   */
  List<CatalogChange> catalogChanges(long after);

  /** Returns the lowest position that {@link #catalogChanges} can be read from. */
  long oldestCatalogChange();

  /**
   * Waits for changes of collections that have begun: afterwards {@link #catalogChanges} returns
   * them, and all with lower positions.
   */
  void settle();

  /** Returns all collections, and dropped ones whose changes can still be read. */
  List<Collection> withFeeds();

  /**
   * Returns the highest position that a change has. Changes up to it can be read from a collection
   * after {@link Collection#settle}.
   */
  long lastPosition();

  /**
   * Waits until any collection has a change after a position, or a collection was dropped.
   *
   * @return the nanoseconds that are left; 0 or less after a timeout
   */
  long awaitChange(long after, long nanos) throws InterruptedException;

  /**
   * Does one round of background work in this thread: a slice of sweep, index build, lazy indexing
   * and feed trimming for each collection. Returns whether more is to be done.
   */
  boolean work();

  /** Does background work in this thread until nothing is left at this instant. */
  void workUntilIdle();

  /** Stops the sweep. Expired documents stay invisible. */
  void pauseSweep();

  void resumeSweep();

  boolean sweepPaused();

  /**
   * Stops expiry: no document expires, and expired documents that are not swept yet are visible
   * again. A restart resumes expiry.
   */
  void pauseExpiry();

  /** Resumes expiry: documents whose deadline has passed meanwhile expire at once. */
  void resumeExpiry();

  boolean expiryPaused();

  /** Returns what the sweep has done, and its lag. */
  SweepStats sweepStats();

  /** Returns how far the delivery of expired documents is, of all collections together. */
  ArchiveStatus archiveStatus();

  /**
   * Sets the observer of sweep runs; replaces the former one. The sweeping threads call it, several
   * at a time. It must return soon, because its shard is not swept meanwhile.
   */
  void onSweep(Consumer<SweepRun> observer);

  /**
   * Sets the observer of slices that removed documents; replaces the former one. Called like that
   * of {@link #onSweep}.
   */
  void onSweepSlice(Consumer<SweepRun> observer);

  /** Returns the conditions that an operator must know of. */
  Alarms alarms();

  /** Returns documents and bytes of all collections that have expired and are not swept yet. */
  Usage backlog();

  /** Wakes background work after a manual clock was moved. */
  void clockMoved();

  /** Returns the number of open transactions. */
  int openTransactions();

  @Override
  void close();
}
