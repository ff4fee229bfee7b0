package dev.mayfly.engine;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A document database in which every document lives exactly as long as it should, on any store.
 *
 * <p>Knows no protocol, reads no clock but the one it is given. Safe for many threads. Closing it
 * leaves the store open.
 */
public interface Engine extends AutoCloseable {
  /**
   * The time all operations go by: the clock's. It goes back only when the clock has leapt ahead
   * and takes that back, or when it is confirmed at an earlier time.
   */
  long now();

  /** The leap of the clock that is in doubt, if there is one. */
  Optional<ClockLeap> clockLeap();

  /**
   * Believes the clock as it is now. If it had leapt ahead, what it says is expired is removed; if
   * it had gone back, what has expired since may be back.
   */
  void confirmClock();

  /** The time at which this data was last in use before it was opened, if that is known. */
  OptionalLong keptTime();

  /** Creates a collection. */
  Collection create(Namespace namespace, CollectionSpec spec);

  /** The collection of that name. */
  Collection collection(Namespace namespace);

  Optional<Collection> find(Namespace namespace);

  /** The names of all collections, in order. */
  List<Namespace> namespaces();

  /** Begins a transaction that nobody will ask for by name. */
  Transaction begin();

  /**
   * Begins a transaction. One of the same session and a lower number must be over.
   *
   * @throws EngineException NOT_SUPPORTED when the store has no view of all shards at one instant
   */
  Transaction begin(TransactionId id);

  /**
   * What is there now, to be read for so long, at most ten minutes: a transaction that writes
   * nothing. Who asks it later, or for a collection that has changed since, is told
   * SNAPSHOT_TOO_OLD.
   *
   * @throws EngineException NOT_SUPPORTED as {@link #begin(TransactionId)}
   */
  Transaction view(long lifeMillis);

  /**
   * Whether a transaction has been committed, for who has not heard of it: remembered as long as
   * receipts of writes are, across a restart too.
   *
   * @throws EngineException TRANSACTION_TOO_OLD when the session has committed a later one
   */
  boolean committed(TransactionId id);

  /** Returns when all that was written before survives a loss of power. */
  void sync();

  /** Drops a collection: it is gone at once, its space comes back behind. */
  void drop(Namespace namespace);

  /** Drops all collections of a database that speak a dialect; false when there are none. */
  boolean dropDatabase(String database, Dialect dialect);

  /**
   * Renames a collection.
   *
   * @param replace whether a collection that has the name already is dropped
   */
  void rename(Namespace from, Namespace to, boolean replace);

  /**
   * Does something while nobody else writes to a collection, nor creates, changes or drops any.
   * Reads go on; what counts the documents of the collection waits.
   */
  <T> T exclusively(Namespace namespace, Function<Collection, T> action);

  /**
   * What happened to collections behind a position, oldest first.
   *
   * @throws EngineException TRIMMED when that is no longer known
   */
  List<CatalogChange> catalogChanges(long after);

  /** The lowest position that {@link #catalogChanges} can be read from. */
  long oldestCatalogChange();

  /**
   * Returns when the changes of collections themselves that had begun are done: they can be read,
   * and all with lower positions.
   */
  void settle();

  /** All collections, and those that are dropped but whose changes can still be read. */
  List<Collection> withFeeds();

  /**
   * The highest position that any change has so far. A change of a collection up to there can be
   * read once the collection has {@linkplain Collection#settle settled}.
   */
  long lastPosition();

  /**
   * Waits until something has changed in any collection behind a position, or one was dropped.
   *
   * @return how many of the nanoseconds are left; none, or less, when the time has run out
   */
  long awaitChange(long after, long nanos) throws InterruptedException;

  /**
   * Does one round of background work by hand: a slice of sweeping, building, following and
   * trimming for each collection. Returns true while there is more to do.
   */
  boolean work();

  /** Does background work until there is none left at this instant. */
  void workUntilIdle();

  /** Stops the sweep; expired documents stay invisible all the same. */
  void pauseSweep();

  void resumeSweep();

  /**
   * Stops time to live altogether: nothing expires, and what has expired but is not swept yet is
   * visible again. Not remembered across a restart.
   */
  void pauseExpiry();

  /** Lets documents expire again: those whose time has come meanwhile are gone at once. */
  void resumeExpiry();

  boolean expiryPaused();

  /** What the sweep has done and how far behind it is. */
  SweepStats sweepStats();

  /**
   * Sets the observer of every run of the sweep, in place of any before. It is called by the
   * threads that sweep, several at a time, and must return soon: its shard is not swept meanwhile.
   */
  void onSweep(Consumer<SweepRun> observer);

  /**
   * Sets the observer of every slice of the sweep that has removed something, in place of any
   * before; called as that of {@link #onSweep}.
   */
  void onSweepSlice(Consumer<SweepRun> observer);

  /** The conditions that an operator must know of. */
  Alarms alarms();

  /** What has expired in all collections and is still to be swept. */
  Usage backlog();

  /** Tells the engine that a clock moved by hand has been moved. */
  void clockMoved();

  /** How many transactions are open. */
  int openTransactions();

  @Override
  void close();
}
