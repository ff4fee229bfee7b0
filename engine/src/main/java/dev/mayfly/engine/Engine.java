package dev.mayfly.engine;

import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.expiry.Clock;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Shard;
import dev.mayfly.store.ShardBatch;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.Together;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A document database in which every document lives exactly as long as it should, on any store.
 *
 * <p>Knows no protocol, reads no clock but the one it is given. Safe for many threads. Closing it
 * leaves the store open.
 */
public final class Engine implements AutoCloseable {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int MOST_REMAINS = 1000;
  private static final Comparator<Remains> LATEST_FIRST =
      Comparator.comparingLong(Remains::droppedAt)
          .thenComparingLong(left -> left.collection().id())
          .reversed();

  private final Store store;
  private final Clock clock;
  private final EngineSettings settings;
  private final Catalog catalog;
  private final UUID identity;
  private final Sequence sequence;
  private final Graveyard graveyard = new Graveyard();
  private final Pulse pulse = new Pulse();
  private final boolean dropsByItself;
  private final Readers readers = new Readers();
  private final Set<Transaction> transactions = ConcurrentHashMap.newKeySet();
  private final Receipts commits;
  private final Pacer pacer;
  private final Keeper keeper;
  private final AtomicLong latest = new AtomicLong(Long.MIN_VALUE);
  private final Map<Namespace, Collection> collections = new ConcurrentHashMap<>();
  private final Chronicle chronicle;

  /** By the number of the collection, which is the order of their creation. */
  private final Map<Long, Remains> remains = new ConcurrentSkipListMap<>();

  private final Set<Remains> stripped = ConcurrentHashMap.newKeySet();
  private final ReentrantLock ddl = new ReentrantLock();
  private final Companions companions = new Companions(Runtime.getRuntime().availableProcessors());
  private volatile boolean expiryPaused;
  private volatile boolean closed;

  private Engine(Store store, Clock clock, EngineSettings settings) {
    this.store = store;
    this.clock = clock;
    this.settings = settings;
    this.catalog = new Catalog(store.own(Catalog.SHARD));
    this.identity = catalog.identity();
    this.sequence = new Sequence(catalog.firstSequence(), catalog::reserveSequences);
    this.commits = Receipts.load(catalog.shard());
    this.chronicle = new Chronicle(catalog.shard(), sequence::next, pulse, this::uuidOf);
    this.dropsByItself = settings.dropInCompaction() && store.install(graveyard);
    this.pacer = new Pacer(settings.ticker());
    this.keeper = new Keeper(this);
    for (CollectionState state : catalog.collections()) {
      admit(open(state));
    }
    for (Document left : catalog.remains()) {
      Collection gone = open(CollectionState.of(left.field("state").asDocument()));
      gone.owners().forEach(ShardOwner::close);
      keepRemains(Remains.of(gone, left.field("droppedAt").asLong()));
    }
  }

  private void keepRemains(Remains left) {
    remains.put(left.collection().id(), left);
  }

  /** Opens what the store holds. */
  public static Engine open(Store store, Clock clock, EngineSettings settings) {
    settings.sorting().removeLeftovers();
    Engine engine = new Engine(store, clock, settings);
    if (settings.background()) {
      engine.keeper.start();
    }
    return engine;
  }

  private Collection open(CollectionState state) {
    // the last sequence handed out: that of the creation, or one of before the restart
    Compiled compiled = new Compiled(state, expiryPaused, sequence.peek() - 1);
    long patience = settings.transactions().patienceMillis() * NANOS_PER_MILLI;
    List<ShardOwner> owners = new ArrayList<>();
    for (int number : state.shards()) {
      owners.add(
          new ShardOwner(
              store.own(number), sequence, compiled, graveyard, pulse, keeper::due, patience));
    }
    return new Collection(this, compiled, owners);
  }

  /** Lets everybody see a collection that the catalog has. */
  private void admit(Collection collection) {
    collections.put(collection.namespace(), collection);
    keeper.keep(collection);
  }

  /** Who helps with long scans. */
  Companions companions() {
    return companions;
  }

  /** The time all operations go by: the clock's, but never going back. */
  public long now() {
    long now = clock.now();
    return latest.accumulateAndGet(now, Math::max);
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
    return readers.enter(this::now, expiryPaused);
  }

  private void checkOpen() {
    if (closed) {
      throw new EngineException(Reason.CLOSED, "the engine is closed");
    }
  }

  /** Creates a collection. */
  public Collection create(Namespace namespace, CollectionSpec spec) {
    return guarded(
        () -> {
          checkFree(namespace);
          long now = enter();
          CollectionState state = conceive(namespace, spec, now, sequence.next());
          return chronicle.during(
              () -> {
                Batch batch = new Batch();
                announce(batch, state, now);
                catalog.commit(batch);
                Collection collection = open(state);
                admit(collection);
                return collection;
              });
        });
  }

  private void announce(Batch batch, CollectionState created, long now) {
    catalog.create(batch, created);
    chronicle.created(batch, created, now);
  }

  private void checkFree(Namespace namespace) {
    if (collections.containsKey(namespace)) {
      throw new EngineException(Reason.COLLECTION_EXISTS, namespace.toString());
    }
  }

  private CollectionState conceive(
      Namespace namespace, CollectionSpec spec, long now, long sequenceOfIt) {
    return Alteration.create(
        catalog.takeCollection(),
        namespace,
        spec,
        catalog.takeShards(spec.shards()),
        now,
        sequenceOfIt);
  }

  /**
   * Makes a collection for a transaction: neither the catalog nor anybody else knows of it before
   * {@link #commit} has it among what is created.
   *
   * @param sequenceOfIt the first that the transaction may use
   */
  Collection prepare(Namespace namespace, CollectionSpec spec, long now, long sequenceOfIt) {
    return guarded(
        () -> {
          checkFree(namespace);
          return open(conceive(namespace, spec, now, sequenceOfIt));
        });
  }

  /** Changes a collection that nobody else knows of and that nothing was written to. */
  void prepareAgain(Collection prepared, CollectionSpec spec, long now, long sequenceOfIt) {
    CollectionState old = prepared.state();
    CollectionState state =
        Alteration.create(old.id(), old.namespace(), spec, old.shards(), now, sequenceOfIt);
    guarded(
        () ->
            locked(
                List.of(prepared),
                () -> {
                  prepared.publish(state, expiryPaused, now);
                  return prepared;
                }));
  }

  /** Lets go of a collection that was prepared and is not wanted any more. */
  void discard(Collection prepared) {
    for (ShardOwner owner : prepared.owners()) {
      owner.close();
      graveyard.forget(owner.shard().number());
    }
    prepared.closed();
  }

  /**
   * Commits a transaction that has prepared collections, while nobody else creates, renames or
   * drops any: all see them from then on.
   *
   * @throws EngineException WRITE_CONFLICT when another collection has one of their names by now
   */
  void admit(java.util.Collection<Collection> prepared, Runnable commit) {
    guarded(
        () -> {
          for (Collection collection : prepared) {
            if (collections.containsKey(collection.namespace())) {
              throw Transaction.conflict("a collection of that name has come meanwhile");
            }
          }
          return chronicle.during(
              () -> {
                commit.run();
                prepared.forEach(this::admitPrepared);
                return prepared;
              });
        });
  }

  /** Expiry may have been paused, or gone on, since the collection was prepared. */
  private void admitPrepared(Collection collection) {
    locked(
        List.of(collection),
        () -> {
          if (collection.compiled().paused() != expiryPaused) {
            collection.publish(collection.state(), expiryPaused, now());
          }
          return collection;
        });
    admit(collection);
  }

  /** A batch for {@link #commit} that enters collections into the catalog. */
  Batch announce(java.util.Collection<Collection> created, long now) {
    Batch batch = new Batch();
    created.forEach(collection -> announce(batch, collection.state(), now));
    return batch;
  }

  /** The collection of that name. */
  public Collection collection(Namespace namespace) {
    return find(namespace)
        .orElseThrow(() -> new EngineException(Reason.NO_SUCH_COLLECTION, namespace.toString()));
  }

  public Optional<Collection> find(Namespace namespace) {
    return Optional.ofNullable(collections.get(namespace));
  }

  /** The names of all collections, in order. */
  public List<Namespace> namespaces() {
    return collections.keySet().stream()
        .sorted(Comparator.comparing(Namespace::database).thenComparing(Namespace::collection))
        .toList();
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
    return begin(id, Transaction.Purpose.WRITING, settings.transactions().lifeMillis());
  }

  /**
   * What is there now, to be read for so long, at most ten minutes: a transaction that writes
   * nothing. Who asks it later, or for a collection that has changed since, is told
   * SNAPSHOT_TOO_OLD.
   *
   * @throws EngineException NOT_SUPPORTED as {@link #begin(TransactionId)}
   */
  public Transaction view(long lifeMillis) {
    return begin(
        TransactionId.NONE,
        Transaction.Purpose.READING,
        Math.min(lifeMillis, Keeper.LONGEST_READ_MILLIS));
  }

  private Transaction begin(TransactionId id, Transaction.Purpose purpose, long lifeMillis) {
    Together together =
        store
            .together()
            .orElseThrow(
                () -> new EngineException(Reason.NOT_SUPPORTED, "the store has no snapshots"));
    long now = enterToRead();
    try {
      long first = sequence.peek();
      Transaction transaction =
          new Transaction(this, id, purpose, lifeMillis, together.snapshot(), now, first);
      transactions.add(transaction);
      keeper.due(transaction.deadline());
      return transaction;
    } catch (RuntimeException failed) {
      readers.leave(now);
      throw failed;
    }
  }

  /**
   * Whether a transaction has been committed, for who has not heard of it: remembered as long as
   * receipts of writes are, across a restart too.
   *
   * @throws EngineException TRANSACTION_TOO_OLD when the session has committed a later one
   */
  public boolean committed(TransactionId id) {
    synchronized (commits) {
      return commits.find(id.session(), id.number()).isPresent();
    }
  }

  /**
   * Commits the batches of a transaction with its receipt.
   *
   * @param own what it changes in the catalog
   * @return a ticket that the shards of the batches take, and {@link #syncCatalog} if that is any
   */
  long commit(TransactionId id, List<ShardBatch> batches, Batch own, long now) {
    List<ShardBatch> all = new ArrayList<>(batches);
    Optional<Receipts.Chain> receipt =
        id.named() ? Optional.of(Receipts.note(own, id, now)) : Optional.empty();
    if (!own.isEmpty()) {
      all.add(new ShardBatch(catalog.shard(), own));
    }
    long ticket = all.isEmpty() ? 0 : commit(all);
    receipt.ifPresent(
        chain -> {
          synchronized (commits) {
            commits.keep(id.session(), chain);
          }
        });
    return ticket;
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
    guarded(
        () -> {
          List<Shard> shards = new ArrayList<>(List.of(catalog.shard()));
          collections
              .values()
              .forEach(one -> one.owners().forEach(owner -> shards.add(owner.shard())));
          // a store with one log for all has nothing left to do after the last ticket
          List<Long> tickets = shards.stream().map(shard -> shard.commit(new Batch())).toList();
          for (int i = shards.size() - 1; i >= 0; i--) {
            shards.get(i).sync(tickets.get(i));
          }
          return shards;
        });
  }

  /** Waits until what was committed to the catalog is on disk. */
  void syncCatalog(long ticket) {
    catalog.shard().sync(ticket);
  }

  private long commit(List<ShardBatch> batches) {
    if (batches.size() == 1) {
      return batches.getFirst().shard().commit(batches.getFirst().batch());
    }
    return store
        .together()
        .orElseThrow(
            () -> new EngineException(Reason.NOT_SUPPORTED, "the store has no common commits"))
        .commit(batches);
  }

  void ended(Transaction transaction) {
    transactions.remove(transaction);
    readers.leave(transaction.now());
  }

  /** Ends transactions that have lasted too long, and forgets some that are long committed. */
  boolean tendTransactions(int most) {
    long now = now();
    transactions.forEach(transaction -> transaction.abortIfIdle(now));
    synchronized (commits) {
      Batch forgotten = commits.forgetIdle(now - settings.receiptMillis(), most);
      if (!forgotten.isEmpty()) {
        catalog.shard().commit(forgotten);
      }
      return forgotten.operations() == most;
    }
  }

  /** When the first open transaction will have lasted too long. */
  long nextTransactionDeadline() {
    return transactions.stream().mapToLong(Transaction::deadline).min().orElse(Deadline.NEVER);
  }

  /** Drops a collection: it is gone at once, its space comes back behind. */
  public void drop(Namespace namespace) {
    guarded(() -> drop(collection(namespace)));
  }

  private Collection drop(Collection dropped) {
    return locked(
        List.of(dropped),
        () ->
            chronicle.during(
                () -> {
                  long now = now();
                  Batch batch = new Batch();
                  chronicle.dropped(batch, dropped.state(), lastChange(dropped), now);
                  Optional<Remains> left = bury(batch, dropped, now);
                  catalog.commit(batch);
                  collections.remove(dropped.namespace());
                  left.ifPresent(this::keepRemains);
                  retire(dropped);
                  return dropped;
                }));
  }

  /** Drops all collections of a database that speak a dialect; false when there are none. */
  public boolean dropDatabase(String database, Dialect dialect) {
    return guarded(
        () -> {
          List<Collection> all =
              collections.values().stream()
                  .filter(one -> one.namespace().database().equals(database))
                  .filter(one -> one.spec().dialect() == dialect)
                  .toList();
          all.forEach(this::drop);
          if (!all.isEmpty()) {
            chronicle.during(
                () -> {
                  Batch batch = new Batch();
                  chronicle.databaseDropped(batch, database, now());
                  catalog.commit(batch);
                  return batch;
                });
          }
          return !all.isEmpty();
        });
  }

  /** The last change of a collection that can be read once it is dropped; 0 for none. */
  private static long lastChange(Collection dropped) {
    return Remains.wanted(dropped) ? dropped.lastPosition() : 0;
  }

  /** Takes a collection out of the catalog; what is left of it is kept when it is wanted. */
  private Optional<Remains> bury(Batch batch, Collection dropped, long now) {
    if (!Remains.wanted(dropped)) {
      catalog.drop(batch, dropped.state());
      return Optional.empty();
    }
    Remains left = Remains.of(dropped, now);
    catalog.keepRemains(batch, left);
    return Optional.of(left);
  }

  /**
   * Renames a collection.
   *
   * @param replace whether a collection that has the name already is dropped
   */
  public void rename(Namespace from, Namespace to, boolean replace) {
    guarded(
        () -> {
          Collection renamed = collection(from);
          Optional<Collection> inTheWay = find(to);
          if (inTheWay.isPresent() && (!replace || from.equals(to))) {
            throw new EngineException(Reason.COLLECTION_EXISTS, to.toString());
          }
          List<Collection> concerned = new ArrayList<>(List.of(renamed));
          inTheWay.ifPresent(concerned::add);
          return locked(
              concerned, () -> chronicle.during(() -> renameLocked(renamed, to, inTheWay)));
        });
  }

  private Collection renameLocked(Collection renamed, Namespace to, Optional<Collection> inTheWay) {
    long now = now();
    Namespace from = renamed.namespace();
    CollectionState state = renamed.state().withNamespace(to);
    Batch batch = new Batch();
    chronicle.renamed(
        batch,
        renamed.state(),
        to,
        inTheWay.map(Collection::id).orElse(0L),
        inTheWay.map(Engine::lastChange).orElse(0L),
        now);
    catalog.replace(batch, state);
    Optional<Remains> left = inTheWay.flatMap(dropped -> bury(batch, dropped, now));
    catalog.commit(batch);
    renamed.publish(state, expiryPaused, now);
    collections.put(to, renamed);
    collections.remove(from);
    left.ifPresent(this::keepRemains);
    inTheWay.ifPresent(this::retire);
    return renamed;
  }

  /**
   * Does something while nobody else writes to a collection, nor creates, changes or drops any.
   * Reads go on; what counts the documents of the collection waits.
   */
  public <T> T exclusively(Namespace namespace, Function<Collection, T> action) {
    return guarded(
        () -> {
          Collection collection = collection(namespace);
          return locked(List.of(collection), () -> action.apply(collection));
        });
  }

  private void retire(Collection collection) {
    keeper.release(collection);
    collection.owners().forEach(ShardOwner::close);
    collection.closed();
  }

  void alter(Collection collection, UnaryOperator<CollectionSpec> change) {
    replace(
        collection,
        (state, at) -> Alteration.apply(state, change.apply(state.spec()), at, sequence.next()));
  }

  /** Changes a collection unless that expires too much; returns what it expired. */
  Usage alter(Collection collection, UnaryOperator<CollectionSpec> change, long mostExpired) {
    AtomicReference<Usage> expired = new AtomicReference<>(Usage.NONE);
    replace(
        collection,
        (state, at) -> {
          CollectionState next =
              Alteration.apply(state, change.apply(state.spec()), at, sequence.next());
          expired.set(collection.expiredBy(state, next, at.now()));
          Collection.checkExpired(expired.get(), mostExpired);
          return next;
        });
    return expired.get();
  }

  void undo(Collection collection) {
    replace(collection, Alteration::undone);
  }

  /** Undoes changes of rules until something is back; returns what. */
  Usage restore(Collection collection) {
    AtomicReference<Usage> restored = new AtomicReference<>(Usage.NONE);
    replace(
        collection,
        (state, at) -> {
          CollectionState undone = state;
          while (restored.get().documents() == 0) {
            undone = Alteration.undone(undone, at);
            restored.set(collection.expiredBy(undone, state, at.now()));
          }
          return undone;
        });
    return restored.get();
  }

  /** What the state of a collection becomes at an instant. */
  interface Step {
    CollectionState from(CollectionState state, Moment at);
  }

  /** Takes a collection from one state to the next while nobody writes to it. */
  void replace(Collection collection, Step step) {
    guarded(
        () ->
            locked(
                List.of(collection),
                () -> {
                  checkThere(collection);
                  long now = now();
                  CollectionState next = step.from(collection.state(), moment(now));
                  return next.equals(collection.state())
                      ? next
                      : chronicle.during(() -> replace(collection, next, now));
                }));
  }

  private CollectionState replace(Collection collection, CollectionState next, long now) {
    Batch batch = new Batch();
    catalog.replace(batch, next);
    if (!next.spec().equals(collection.spec())) {
      chronicle.altered(batch, collection.state(), next, now);
    }
    catalog.commit(batch);
    collection.publish(next, expiryPaused, now);
    keeper.changed(collection);
    return next;
  }

  /** A collection that was dropped must not come back into the catalog. */
  private void checkThere(Collection collection) {
    if (collections.get(collection.namespace()) != collection) {
      throw new EngineException(Reason.CLOSED, "the collection is gone");
    }
  }

  Moment moment(long now) {
    return new Moment(now, Math.min(now, keeper.horizon()), expiryPaused);
  }

  private <T> T guarded(Supplier<T> action) {
    ddl.lock();
    try {
      return action.get();
    } finally {
      ddl.unlock();
    }
  }

  /** Holds the locks of all shards of collections, taken in the order that commits take them. */
  private static <T> T locked(List<Collection> concerned, Supplier<T> action) {
    List<ShardOwner> owners = new ArrayList<>();
    concerned.forEach(collection -> owners.addAll(collection.owners()));
    owners.sort(Comparator.comparingInt(owner -> owner.shard().number()));
    List<ShardOwner> held = new ArrayList<>();
    try {
      for (ShardOwner owner : owners) {
        owner.lock().lock();
        held.add(owner);
      }
      return action.get();
    } finally {
      held.forEach(owner -> owner.lock().unlock());
    }
  }

  /** Gives back the space of dropped collections. */
  boolean purgeDropped() {
    return guarded(
        () -> {
          purgeRemains(now());
          List<Integer> dropped = catalog.droppedShards();
          for (int shard : dropped) {
            store.drop(shard);
            graveyard.forget(shard);
            catalog.forgetShard(shard);
          }
          return !dropped.isEmpty();
        });
  }

  /** Feeds of dropped collections are kept as long as others are, and not more than one might. */
  private void purgeRemains(long now) {
    long bytes = 0;
    int count = 0;
    for (Remains left : remains.values().stream().sorted(LATEST_FIRST).toList()) {
      bytes += left.bytes();
      count++;
      if (left.past(now) || bytes > FeedSpec.DEFAULT.maxBytes() || count > MOST_REMAINS) {
        Batch batch = new Batch();
        catalog.forget(batch, left.collection().state());
        catalog.commit(batch);
        remains.remove(left.collection().id());
        stripped.remove(left);
      } else if (stripped.add(left)) {
        left.strip();
        left.collection().owners().forEach(owner -> graveyard.forget(owner.shard().number()));
      }
    }
  }

  /** Forgets what happened to collections so long ago that no feed tells of the time. */
  boolean trimChronicle(int most) {
    long retention =
        collections.values().stream()
            .mapToLong(collection -> collection.spec().feed().retentionMillis())
            .reduce(FeedSpec.DEFAULT.retentionMillis(), Math::max);
    return chronicle.trim(now() - retention, most);
  }

  /**
   * What happened to collections behind a position, oldest first.
   *
   * @throws EngineException TRIMMED when that is no longer known
   */
  public List<CatalogChange> catalogChanges(long after) {
    return chronicle.read(after);
  }

  /** The lowest position that {@link #catalogChanges} can be read from. */
  public long oldestCatalogChange() {
    return chronicle.oldest();
  }

  /**
   * Returns when the changes of collections themselves that had begun are done: they can be read,
   * and all with lower positions.
   */
  public void settle() {
    chronicle.settle();
  }

  /** All collections, and those that are dropped but whose changes can still be read. */
  public List<Collection> withFeeds() {
    Map<Long, Collection> all = new TreeMap<>();
    // those that are dropped meanwhile are met twice rather than never
    collections.values().forEach(collection -> all.put(collection.id(), collection));
    remains.values().forEach(left -> all.put(left.collection().id(), left.collection()));
    return List.copyOf(all.values());
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
    pauseExpiry(true);
  }

  /** Lets documents expire again: those whose time has come meanwhile are gone at once. */
  public void resumeExpiry() {
    pauseExpiry(false);
  }

  public boolean expiryPaused() {
    return expiryPaused;
  }

  private void pauseExpiry(boolean on) {
    guarded(
        () -> {
          // on before the first collection is, off after the last: who reads then says so
          expiryPaused = true;
          for (Collection collection : collections.values()) {
            locked(
                List.of(collection),
                () -> {
                  collection.publish(collection.state(), on, now());
                  return on;
                });
          }
          expiryPaused = on;
          keeper.wake();
          return on;
        });
  }

  /** What the sweep has done and how far behind it is. */
  public SweepStats sweepStats() {
    return keeper.stats();
  }

  /**
   * Has somebody told of every run of the sweep, in place of any before; it must return soon, for
   * nothing is swept meanwhile.
   */
  public void onSweep(Consumer<SweepRun> told) {
    keeper.onSweep(told);
  }

  /** What has expired in all collections and is still to be swept. */
  public Usage backlog() {
    return collections.values().stream().map(Collection::backlog).reduce(Usage.NONE, Usage::plus);
  }

  /** Tells the engine that a clock moved by hand has been moved. */
  public void clockMoved() {
    keeper.wake();
  }

  UUID uuidOf(long collection) {
    return new UUID(
        identity.getMostSignificantBits(), identity.getLeastSignificantBits() ^ collection);
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

  boolean dropsByItself() {
    return dropsByItself;
  }

  /** All collections, in no order. */
  List<Collection> all() {
    return List.copyOf(collections.values());
  }

  @Override
  public void close() {
    transactions.forEach(Transaction::abort);
    closed = true;
    keeper.close();
    for (Collection collection : collections.values()) {
      collection.owners().forEach(ShardOwner::close);
      collection.closed();
    }
  }
}
