package dev.mayfly.engine.local;

import dev.mayfly.engine.Alarms;
import dev.mayfly.engine.CatalogChange;
import dev.mayfly.engine.ClockLeap;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.SweepRun;
import dev.mayfly.engine.SweepStats;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.archive.ArchiveStatus;
import dev.mayfly.engine.catalog.Catalog;
import dev.mayfly.engine.catalog.Sequence;
import dev.mayfly.engine.local.LocalTransaction.Purpose;
import dev.mayfly.engine.read.ScanWorkers;
import dev.mayfly.engine.shard.ExpiredEntryFilter;
import dev.mayfly.engine.shard.OpenReads;
import dev.mayfly.engine.storage.ChangeSignal;
import dev.mayfly.engine.sweep.Pacer;
import dev.mayfly.expiry.Clock;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/** Engine in this process: the owner of all shards of its store. Safe for many threads. */
public final class LocalEngine implements Engine {
  private static final System.Logger LOG = System.getLogger(LocalEngine.class.getName());

  /** Interval at which the time is stored, for the check of the clock at the next start. */
  private static final long KEEP_TIME_MILLIS = 10_000;

  /** How long background work rests for an open query: its client may have forgotten it. */
  private static final long ACTIVE_READ_MILLIS = 10_000;

  private final Store store;
  private final EngineSettings settings;
  private final Catalog catalog;
  private final EngineTime time;
  private final Sequence sequence;
  private final boolean dropsInCompaction;
  private final Alarms alarms = new Alarms();
  private final ChangeSignal changeSignal = new ChangeSignal();
  private final OpenReads openReads = new OpenReads();
  private final ScanWorkers scanWorkers =
      new ScanWorkers(Runtime.getRuntime().availableProcessors());
  private final Pacer pacer;
  private final Maintenance maintenance;
  private final Registry registry;
  private final Transactions transactions;
  private final OptionalLong keptBefore;
  private long keptTime;
  private volatile boolean closed;

  private LocalEngine(Store store, Clock clock, EngineSettings settings) {
    this.store = store;
    this.settings = settings;
    this.catalog = new Catalog(store.own(Catalog.SHARD));
    this.keptBefore = catalog.time();
    this.keptTime = keptBefore.orElse(Long.MIN_VALUE);
    this.time = new EngineTime(clock, settings.ticker(), settings.clock(), alarms, keptBefore);
    this.sequence = new Sequence(catalog.firstSequence(), catalog::reserveSequences);
    ExpiredEntryFilter expiredEntryFilter = new ExpiredEntryFilter();
    this.dropsInCompaction = settings.dropInCompaction() && store.install(expiredEntryFilter);
    this.pacer =
        new Pacer(
            settings.ticker(), () -> openReads.startedAfter(confirmedNow() - ACTIVE_READ_MILLIS));
    this.maintenance = new Maintenance(this);
    this.registry = new Registry(this, store, catalog, expiredEntryFilter, changeSignal);
    this.transactions = new Transactions(this, store, catalog.shard());
  }

  /** Opens the engine on a store, with all collections in it. */
  public static LocalEngine open(Store store, Clock clock, EngineSettings settings) {
    settings.sorting().removeLeftovers();
    LocalEngine engine = new LocalEngine(store, clock, settings);
    engine.registry.load();
    if (settings.background()) {
      engine.maintenance.start();
    }
    return engine;
  }

  /** Returns the threads for parallel scans. */
  ScanWorkers scanWorkers() {
    return scanWorkers;
  }

  @Override
  public long now() {
    return time.now();
  }

  /**
   * Returns the time that removals use: earlier than {@link #now} while a step of the clock is not
   * confirmed.
   */
  long confirmedNow() {
    return time.confirmed();
  }

  @Override
  public Optional<ClockLeap> clockLeap() {
    return time.leap();
  }

  @Override
  public void confirmClock() {
    time.confirm();
    synchronized (this) {
      keptTime = time.confirmed();
      catalog.keepTime(keptTime);
    }
    maintenance.wake();
  }

  @Override
  public OptionalLong keptTime() {
    return keptBefore;
  }

  /** Stores the time for the next start, if enough has passed. */
  void keepTime() {
    keepTime(KEEP_TIME_MILLIS);
  }

  /**
   * Stores the time, unless the check of clock leaps is off: a wrong time would then be stored,
   * too. If the store fails, a later call tries again; until then a start uses an earlier time.
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
        LOG.log(System.Logger.Level.DEBUG, "the time was not stored for the next start", failure);
      }
    }
  }

  /** Starts a foreground operation that has no context: reads the clock, once. */
  long enter() {
    countForeground();
    return now();
  }

  /** Starts a call of a foreground operation and returns the instant of the operation. */
  long enter(OperationContext operation) {
    countForeground();
    return operation.now();
  }

  /** As {@link #enter(OperationContext)}, for a read that lasts until {@link OpenReads#leave}. */
  OpenReads.Reading enterToRead(OperationContext operation) {
    countForeground();
    return openReads.enter(operation, time.latestConfirmed(), registry.expiryPaused());
  }

  private void countForeground() {
    checkOpen();
    pacer.foreground();
  }

  private void checkOpen() {
    if (closed) {
      throw new EngineException(Reason.CLOSED, "the engine is closed");
    }
  }

  @Override
  public LocalCollection create(Namespace namespace, CollectionSpec spec) {
    return registry.create(namespace, spec);
  }

  @Override
  public LocalCollection collection(Namespace namespace) {
    return registry.collection(namespace);
  }

  @Override
  public Optional<Collection> find(Namespace namespace) {
    return registry.find(namespace).map(Function.identity());
  }

  @Override
  public List<Namespace> namespaces() {
    return registry.namespaces();
  }

  @Override
  public LocalTransaction begin() {
    return begin(TransactionId.NONE);
  }

  @Override
  public LocalTransaction begin(TransactionId id) {
    return begin(OperationContext.begin(this::now), id);
  }

  @Override
  public LocalTransaction begin(OperationContext operation, TransactionId id) {
    long life = settings.transactions().lifeMillis();
    return transactions.begin(operation, id, Purpose.WRITING, life);
  }

  @Override
  public LocalTransaction view(OperationContext operation, long lifeMillis) {
    long life = Math.min(lifeMillis, OpenReads.MAX_READ_MILLIS);
    return transactions.begin(operation, TransactionId.NONE, Purpose.READING, life);
  }

  @Override
  public boolean committed(TransactionId id) {
    return transactions.committed(id);
  }

  /**
   * Rejects writes that need space on a full disk. Deletes pass, and so do changes of rules and
   * sweeps, which free space.
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
        "the disk is full: writes other than deletes fail until space is freed");
  }

  @Override
  public void sync() {
    checkOpen();
    registry.sync();
  }

  @Override
  public void drop(Namespace namespace) {
    registry.drop(namespace);
  }

  @Override
  public boolean dropDatabase(String database, Dialect dialect) {
    return registry.dropDatabase(database, dialect);
  }

  @Override
  public void rename(Namespace from, Namespace to, boolean replace) {
    registry.rename(from, to, replace);
  }

  @Override
  public <T> T exclusively(Namespace namespace, Function<Collection, T> action) {
    return registry.exclusively(namespace, action);
  }

  @Override
  public List<CatalogChange> catalogChanges(long after) {
    return registry.catalogLog().read(after);
  }

  @Override
  public long oldestCatalogChange() {
    return registry.catalogLog().oldest();
  }

  @Override
  public void settle() {
    registry.catalogLog().settle();
  }

  @Override
  public List<Collection> withFeeds() {
    return List.copyOf(registry.withFeeds());
  }

  @Override
  public long lastPosition() {
    return sequence.peek() - 1;
  }

  @Override
  public long awaitChange(long after, long nanos) throws InterruptedException {
    return changeSignal.await(after, nanos);
  }

  @Override
  public boolean work() {
    return maintenance.round();
  }

  @Override
  public void workUntilIdle() {
    while (work()) {
      // each round runs one slice of every task
    }
  }

  @Override
  public void pauseSweep() {
    maintenance.pause(true);
  }

  @Override
  public void resumeSweep() {
    maintenance.pause(false);
  }

  @Override
  public boolean sweepPaused() {
    return maintenance.paused();
  }

  @Override
  public void pauseExpiry() {
    registry.pauseExpiry(true);
  }

  @Override
  public void resumeExpiry() {
    registry.pauseExpiry(false);
  }

  @Override
  public boolean expiryPaused() {
    return registry.expiryPaused();
  }

  @Override
  public SweepStats sweepStats() {
    return maintenance.stats();
  }

  @Override
  public ArchiveStatus archiveStatus() {
    return maintenance.archiveStatus();
  }

  @Override
  public void onSweep(Consumer<SweepRun> observer) {
    maintenance.onSweep(observer);
  }

  @Override
  public void onSweepSlice(Consumer<SweepRun> observer) {
    maintenance.onSweepSlice(observer);
  }

  @Override
  public Alarms alarms() {
    return alarms;
  }

  @Override
  public Usage backlog() {
    return registry.all().stream()
        .map(collection -> collection.expiry().backlog())
        .reduce(Usage.NONE, Usage::plus);
  }

  @Override
  public void clockMoved() {
    maintenance.wake();
  }

  public Store store() {
    return store;
  }

  EngineSettings settings() {
    return settings;
  }

  Sequence sequence() {
    return sequence;
  }

  OpenReads openReads() {
    return openReads;
  }

  Pacer pacer() {
    return pacer;
  }

  Maintenance maintenance() {
    return maintenance;
  }

  public Registry registry() {
    return registry;
  }

  @Override
  public int openTransactions() {
    return transactions.openCount();
  }

  Transactions transactions() {
    return transactions;
  }

  public boolean dropsInCompaction() {
    return dropsInCompaction;
  }

  @Override
  public void close() {
    transactions.abortAll();
    closed = true;
    maintenance.close();
    registry.close();
    keepTime(0);
  }
}
