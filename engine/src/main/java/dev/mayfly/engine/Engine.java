package dev.mayfly.engine;

import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Transaction.Purpose;
import dev.mayfly.expiry.Clock;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreException;
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
public final class Engine implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Engine.class.getName());

  /** How much time may pass before the time is kept: a crash forgets no more. */
  private static final long KEPT_MILLIS = 10_000;

  private final Store store;
  private final EngineSettings settings;
  private final Catalog catalog;
  private final EngineTime time;
  private final Sequence sequence;
  private final boolean dropsByItself;
  private final Alarms alarms = new Alarms();
  private final Pulse pulse = new Pulse();
  private final Readers readers = new Readers();
  private final Companions companions = new Companions(Runtime.getRuntime().availableProcessors());
  private final Pacer pacer;
  private final Keeper keeper;
  private final Registry registry;
  private final Transactions transactions;
  private final OptionalLong keptBefore;
  private long keptTime;
  private volatile boolean closed;

  private Engine(Store store, Clock clock, EngineSettings settings) {
    this.store = store;
    this.settings = settings;
    this.catalog = new Catalog(store.own(Catalog.SHARD));
    this.keptBefore = catalog.time();
    this.keptTime = keptBefore.orElse(Long.MIN_VALUE);
    this.time = new EngineTime(clock, settings.ticker(), settings.clock(), alarms, keptBefore);
    this.sequence = new Sequence(catalog.firstSequence(), catalog::reserveSequences);
    Graveyard graveyard = new Graveyard();
    this.dropsByItself = settings.dropInCompaction() && store.install(graveyard);
    this.pacer = new Pacer(settings.ticker());
    this.keeper = new Keeper(this);
    this.registry = new Registry(this, store, catalog, graveyard, pulse);
    this.transactions = new Transactions(this, store, catalog.shard());
  }

  /** Opens what the store holds. */
  public static Engine open(Store store, Clock clock, EngineSettings settings) {
    settings.sorting().removeLeftovers();
    Engine engine = new Engine(store, clock, settings);
    engine.registry.load();
    if (settings.background()) {
      engine.keeper.start();
    }
    return engine;
  }

  /** Who helps with long scans. */
  Companions companions() {
    return companions;
  }

  /**
   * The time all operations go by: the clock's. It goes back only when the clock has leapt ahead
   * and takes that back, or when it is confirmed at an earlier time.
   */
  public long now() {
    return time.now();
  }

  /**
   * The time by which anything is removed for good: behind {@link #now} while a leap is in doubt.
   */
  long confirmedNow() {
    return time.confirmed();
  }

  /** The leap of the clock that is in doubt, if there is one. */
  public Optional<ClockLeap> clockLeap() {
    return time.leap();
  }

  /**
   * Believes the clock as it is now. If it had leapt ahead, what it says is expired is removed; if
   * it had gone back, what has expired since may be back.
   */
  public void confirmClock() {
    time.confirm();
    synchronized (this) {
      keptTime = time.confirmed();
      catalog.keepTime(keptTime);
    }
    keeper.wake();
  }

  /** The time at which this data was last in use before it was opened, if that is known. */
  public OptionalLong keptTime() {
    return keptBefore;
  }

  /** Keeps the time for the next start, once enough of it has passed. */
  void keepTime() {
    keepTime(KEPT_MILLIS);
  }

  /**
   * A time that nothing is compared with is not kept: the next start could not tell it from a wrong
   * one. A store that refuses it now is asked again; until then a start goes by a time before.
   */
  private synchronized void keepTime(long passedMillis) {
    long now = time.continued();
    if (settings.clock().leapMillis() == 0) {
      return;
    }
    if (keptTime < now - passedMillis || now < keptTime) {
      try {
        catalog.keepTime(now);
        keptTime = now;
      } catch (StoreException | OutOfMemoryError failure) {
        LOG.log(System.Logger.Level.DEBUG, "the time was not kept", failure);
      }
    }
  }

  /** Starts an operation of the foreground and takes its one look at the clock. */
  long enter() {
    checkOpen();
    pacer.foreground();
    return now();
  }

  /** As {@link #enter}, for who reads for a while: until {@link Readers#leave}. */
  long enterToRead() {
    checkOpen();
    pacer.foreground();
    return readers.enter(this::now, registry.expiryPaused());
  }

  private void checkOpen() {
    if (closed) {
      throw new EngineException(Reason.CLOSED, "the engine is closed");
    }
  }

  /** Creates a collection. */
  public Collection create(Namespace namespace, CollectionSpec spec) {
    return registry.create(namespace, spec);
  }

  /** The collection of that name. */
  public Collection collection(Namespace namespace) {
    return registry.collection(namespace);
  }

  public Optional<Collection> find(Namespace namespace) {
    return registry.find(namespace);
  }

  /** The names of all collections, in order. */
  public List<Namespace> namespaces() {
    return registry.namespaces();
  }

  /** Begins a transaction that nobody will ask for by name. */
  public Transaction begin() {
    return begin(TransactionId.NONE);
  }

  /**
   * Begins a transaction. One of the same session and a lower number must be over.
   *
   * @throws EngineException NOT_SUPPORTED when the store has no view of all shards at one instant
   */
  public Transaction begin(TransactionId id) {
    return transactions.begin(id, Purpose.WRITING, settings.transactions().lifeMillis());
  }

  /**
   * What is there now, to be read for so long, at most ten minutes: a transaction that writes
   * nothing. Who asks it later, or for a collection that has changed since, is told
   * SNAPSHOT_TOO_OLD.
   *
   * @throws EngineException NOT_SUPPORTED as {@link #begin(TransactionId)}
   */
  public Transaction view(long lifeMillis) {
    long life = Math.min(lifeMillis, Keeper.LONGEST_READ_MILLIS);
    return transactions.begin(TransactionId.NONE, Purpose.READING, life);
  }

  /**
   * Whether a transaction has been committed, for who has not heard of it: remembered as long as
   * receipts of writes are, across a restart too.
   *
   * @throws EngineException TRANSACTION_TOO_OLD when the session has committed a later one
   */
  public boolean committed(TransactionId id) {
    return transactions.committed(id);
  }

  /**
   * Refuses what would add to a full disk. Deletes pass, as do changes of rules, sweeps and all
   * that makes room.
   */
  void checkRoom(List<Write> writes) {
    if (!store.hasRoom() && !writes.stream().allMatch(write -> write instanceof Write.Delete)) {
      throw noRoom();
    }
  }

  void checkRoom() {
    if (!store.hasRoom()) {
      throw noRoom();
    }
  }

  private static StoreException noRoom() {
    return new StoreException(
        StoreException.Reason.DISK_FULL,
        "the disk is full: reads and deletes go on, other writes are refused until there is room");
  }

  /** Returns when all that was written before survives a loss of power. */
  public void sync() {
    checkOpen();
    registry.sync();
  }

  /** Drops a collection: it is gone at once, its space comes back behind. */
  public void drop(Namespace namespace) {
    registry.drop(namespace);
  }

  /** Drops all collections of a database that speak a dialect; false when there are none. */
  public boolean dropDatabase(String database, Dialect dialect) {
    return registry.dropDatabase(database, dialect);
  }

  /**
   * Renames a collection.
   *
   * @param replace whether a collection that has the name already is dropped
   */
  public void rename(Namespace from, Namespace to, boolean replace) {
    registry.rename(from, to, replace);
  }

  /**
   * Does something while nobody else writes to a collection, nor creates, changes or drops any.
   * Reads go on; what counts the documents of the collection waits.
   */
  public <T> T exclusively(Namespace namespace, Function<Collection, T> action) {
    return registry.exclusively(namespace, action);
  }

  /**
   * What happened to collections behind a position, oldest first.
   *
   * @throws EngineException TRIMMED when that is no longer known
   */
  public List<CatalogChange> catalogChanges(long after) {
    return registry.chronicle().read(after);
  }

  /** The lowest position that {@link #catalogChanges} can be read from. */
  public long oldestCatalogChange() {
    return registry.chronicle().oldest();
  }

  /**
   * Returns when the changes of collections themselves that had begun are done: they can be read,
   * and all with lower positions.
   */
  public void settle() {
    registry.chronicle().settle();
  }

  /** All collections, and those that are dropped but whose changes can still be read. */
  public List<Collection> withFeeds() {
    return registry.withFeeds();
  }

  /**
   * The highest position that any change has so far. A change of a collection up to there can be
   * read once the collection has {@linkplain Collection#settle settled}.
   */
  public long lastPosition() {
    return sequence.peek() - 1;
  }

  /**
   * Waits until something has changed in any collection behind a position, or one was dropped.
   *
   * @return how many of the nanoseconds are left; none, or less, when the time has run out
   */
  public long awaitChange(long after, long nanos) throws InterruptedException {
    return pulse.await(after, nanos);
  }

  /**
   * Does one round of background work by hand: a slice of sweeping, building, following and
   * trimming for each collection. Returns true while there is more to do.
   */
  public boolean work() {
    return keeper.round();
  }

  /** Does background work until there is none left at this instant. */
  public void workUntilIdle() {
    while (work()) {
      // each round does a slice of everything
    }
  }

  /** Stops the sweep; expired documents stay invisible all the same. */
  public void pauseSweep() {
    keeper.pause(true);
  }

  public void resumeSweep() {
    keeper.pause(false);
  }

  /**
   * Stops time to live altogether: nothing expires, and what has expired but is not swept yet is
   * visible again. Not remembered across a restart.
   */
  public void pauseExpiry() {
    registry.pauseExpiry(true);
  }

  /** Lets documents expire again: those whose time has come meanwhile are gone at once. */
  public void resumeExpiry() {
    registry.pauseExpiry(false);
  }

  public boolean expiryPaused() {
    return registry.expiryPaused();
  }

  /** What the sweep has done and how far behind it is. */
  public SweepStats sweepStats() {
    return keeper.stats();
  }

  /**
   * Sets the observer of every run of the sweep, in place of any before. It is called by the
   * threads that sweep, several at a time, and must return soon: its shard is not swept meanwhile.
   */
  public void onSweep(Consumer<SweepRun> observer) {
    keeper.onSweep(observer);
  }

  /**
   * Sets the observer of every slice of the sweep that has removed something, in place of any
   * before; called as that of {@link #onSweep}.
   */
  public void onSweepSlice(Consumer<SweepRun> observer) {
    keeper.onSweepSlice(observer);
  }

  /** The conditions that an operator must know of. */
  public Alarms alarms() {
    return alarms;
  }

  /** What has expired in all collections and is still to be swept. */
  public Usage backlog() {
    return registry.all().stream().map(Collection::backlog).reduce(Usage.NONE, Usage::plus);
  }

  /** Tells the engine that a clock moved by hand has been moved. */
  public void clockMoved() {
    keeper.wake();
  }

  Store store() {
    return store;
  }

  EngineSettings settings() {
    return settings;
  }

  Sequence sequence() {
    return sequence;
  }

  Readers readers() {
    return readers;
  }

  Pacer pacer() {
    return pacer;
  }

  Keeper keeper() {
    return keeper;
  }

  Registry registry() {
    return registry;
  }

  /** How many transactions are open. */
  public int openTransactions() {
    return transactions.openCount();
  }

  Transactions transactions() {
    return transactions;
  }

  boolean dropsByItself() {
    return dropsByItself;
  }

  @Override
  public void close() {
    transactions.abortAll();
    closed = true;
    keeper.close();
    registry.close();
    keepTime(0);
  }
}
