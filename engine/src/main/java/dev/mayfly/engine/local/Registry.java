package dev.mayfly.engine.local;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.catalog.Alteration;
import dev.mayfly.engine.catalog.Catalog;
import dev.mayfly.engine.catalog.CatalogLog;
import dev.mayfly.engine.catalog.ChangeTime;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.LaneState;
import dev.mayfly.engine.shard.ExpiredEntryFilter;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.ChangeSignal;
import dev.mayfly.engine.storage.VerifiedCommit;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Store;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The collections there are: how they come, change, take other names and go. One such step is taken
 * at a time, is in the catalog and the chronicle before it counts, and holds off the writers of the
 * collections it concerns.
 */
public final class Registry {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final LocalEngine engine;
  private final Store store;
  private final Catalog catalog;
  private final ExpiredEntryFilter expiredEntryFilter;
  private final ChangeSignal changeSignal;
  private final UUID identity;
  private final CatalogLog catalogLog;
  private final DroppedCollections droppedCollections;
  private final Map<Namespace, LocalCollection> collections = new ConcurrentHashMap<>();
  private final ReentrantLock ddl = new ReentrantLock();

  /** Held by the one who gives back space, which takes long: outside of {@link #ddl}. */
  private final ReentrantLock purging = new ReentrantLock();

  private volatile boolean expiryPaused;

  Registry(
      LocalEngine engine,
      Store store,
      Catalog catalog,
      ExpiredEntryFilter expiredEntryFilter,
      ChangeSignal changeSignal) {
    this.engine = engine;
    this.store = store;
    this.catalog = catalog;
    this.expiredEntryFilter = expiredEntryFilter;
    this.changeSignal = changeSignal;
    this.identity = catalog.identity();
    this.catalogLog =
        new CatalogLog(catalog.shard(), engine.sequence()::next, changeSignal, this::uuidOf);
    this.droppedCollections = new DroppedCollections(catalog, expiredEntryFilter);
  }

  /** Opens what the catalog knows. */
  void load() {
    for (CollectionState state : catalog.collections()) {
      admit(open(state));
    }
    for (Document left : catalog.remains()) {
      LocalCollection gone = open(CollectionState.of(left.field("state").asDocument()));
      gone.owners().forEach(ShardOwner::drop);
      droppedCollections.keep(DroppedCollection.of(gone, left.field("droppedAt").asLong()));
    }
  }

  private LocalCollection open(CollectionState state) {
    // the last sequence handed out: that of the creation, or one of before the restart
    CompiledCollection compiled =
        new CompiledCollection(state, expiryPaused, engine.sequence().peek() - 1);
    long patience = engine.settings().transactions().patienceMillis() * NANOS_PER_MILLI;
    List<ShardOwner> owners = new ArrayList<>();
    for (int number : state.shards()) {
      owners.add(
          new ShardOwner(
              store.own(number),
              engine.sequence(),
              compiled,
              expiredEntryFilter,
              changeSignal,
              engine::now,
              at -> engine.maintenance().due(state.id(), at)));
    }
    return new LocalCollection(engine, compiled, owners, patience);
  }

  /** Lets everybody see a collection that the catalog has. */
  private void admit(LocalCollection collection) {
    collections.put(collection.namespace(), collection);
    engine.maintenance().keep(collection);
  }

  /** Creates a collection. */
  LocalCollection create(Namespace namespace, CollectionSpec spec) {
    return guarded(
        () -> {
          checkFree(namespace);
          long now = engine.enter();
          // all that may fail comes before the catalog knows of it
          LocalCollection collection =
              open(conceive(namespace, spec, now, engine.sequence().next()));
          boolean admitted = false;
          try {
            catalogLog.during(() -> enter(collection, now));
            admitted = true;
          } finally {
            if (!admitted && collections.get(namespace) != collection) {
              discard(collection);
            }
          }
          return collection;
        });
  }

  private LocalCollection enter(LocalCollection created, long now) {
    Batch batch = new Batch();
    announce(batch, created.state(), now);
    catalog.commit(batch, () -> admit(created));
    return created;
  }

  private void announce(Batch batch, CollectionState created, long now) {
    catalog.create(batch, created);
    catalogLog.created(batch, created, now);
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
   * {@link #admit} lets it in.
   *
   * @param sequenceOfIt the first that the transaction may use
   */
  LocalCollection prepare(Namespace namespace, CollectionSpec spec, long now, long sequenceOfIt) {
    return guarded(
        () -> {
          checkFree(namespace);
          return open(conceive(namespace, spec, now, sequenceOfIt));
        });
  }

  /** Changes a collection that nobody else knows of and that nothing was written to. */
  void prepareAgain(LocalCollection prepared, CollectionSpec spec, long now, long sequenceOfIt) {
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
  void discard(LocalCollection prepared) {
    for (ShardOwner owner : prepared.owners()) {
      owner.close();
      expiredEntryFilter.forget(owner.shard().number());
    }
    prepared.closed();
  }

  /**
   * Commits a transaction that has prepared collections, while nobody else creates, renames or
   * drops any: all see them from then on.
   *
   * @param commit returns a ticket to wait for the disk with
   * @throws EngineException WRITE_CONFLICT when another collection has one of their names by now
   */
  void admit(java.util.Collection<LocalCollection> prepared, LongSupplier commit) {
    guarded(
        () -> {
          for (LocalCollection collection : prepared) {
            if (collections.containsKey(collection.namespace())) {
              throw LocalTransaction.conflict("a collection of that name has come meanwhile");
            }
          }
          return catalogLog.during(
              () -> {
                long ticket = commit.getAsLong();
                try {
                  // what is in the catalog is on disk before it counts
                  VerifiedCommit.sync(catalog.shard(), ticket);
                } finally {
                  prepared.forEach(this::admitPrepared);
                }
                return prepared;
              });
        });
  }

  /** Expiry may have been paused, or gone on, since the collection was prepared. */
  private void admitPrepared(LocalCollection collection) {
    locked(
        List.of(collection),
        () -> {
          if (collection.compiled().paused() != expiryPaused) {
            collection.publish(collection.state(), expiryPaused, engine.now());
          }
          return collection;
        });
    admit(collection);
  }

  /** A batch that enters prepared collections into the catalog, for the one who commits it. */
  Batch announce(java.util.Collection<LocalCollection> created, long now) {
    Batch batch = new Batch();
    created.forEach(collection -> announce(batch, collection.state(), now));
    return batch;
  }

  /** The collection of that name. */
  LocalCollection collection(Namespace namespace) {
    return find(namespace)
        .orElseThrow(() -> new EngineException(Reason.NO_SUCH_COLLECTION, namespace.toString()));
  }

  Optional<LocalCollection> find(Namespace namespace) {
    return Optional.ofNullable(collections.get(namespace));
  }

  /** The names of all collections, in order. */
  List<Namespace> namespaces() {
    return collections.keySet().stream()
        .sorted(Comparator.comparing(Namespace::database).thenComparing(Namespace::collection))
        .toList();
  }

  /** All collections, in no order. */
  List<LocalCollection> all() {
    return List.copyOf(collections.values());
  }

  /** All collections, and those that are dropped but whose changes can still be read. */
  List<LocalCollection> withFeeds() {
    Map<Long, LocalCollection> all = new TreeMap<>();
    // those that are dropped meanwhile are met twice rather than never
    collections.values().forEach(collection -> all.put(collection.id(), collection));
    droppedCollections.collections().forEach(collection -> all.put(collection.id(), collection));
    return List.copyOf(all.values());
  }

  /** Drops a collection: it is gone at once, its space comes back behind. */
  void drop(Namespace namespace) {
    guarded(() -> drop(collection(namespace), false));
  }

  private LocalCollection drop(LocalCollection dropped, boolean withDatabase) {
    return locked(
        List.of(dropped),
        () ->
            catalogLog.during(
                () -> {
                  long now = engine.now();
                  Batch batch = new Batch();
                  catalogLog.dropped(
                      batch, dropped.state(), lastChange(dropped), withDatabase, now);
                  Optional<DroppedCollection> left = bury(batch, dropped, now);
                  catalog.commit(
                      batch,
                      () -> {
                        collections.remove(dropped.namespace());
                        left.ifPresent(droppedCollections::keep);
                        retire(dropped);
                      });
                  return dropped;
                }));
  }

  /** Drops all collections of a database that speak a dialect; false when there are none. */
  boolean dropDatabase(String database, Dialect dialect) {
    return guarded(
        () -> {
          List<LocalCollection> all =
              collections.values().stream()
                  .filter(one -> one.namespace().database().equals(database))
                  .filter(one -> one.spec().dialect() == dialect)
                  .toList();
          all.forEach(collection -> drop(collection, true));
          if (!all.isEmpty()) {
            catalogLog.during(
                () -> {
                  Batch batch = new Batch();
                  catalogLog.databaseDropped(batch, database, engine.now());
                  catalog.commit(batch);
                  return batch;
                });
          }
          return !all.isEmpty();
        });
  }

  /** The last change of a collection that can be read once it is dropped; 0 for none. */
  private static long lastChange(LocalCollection dropped) {
    return DroppedCollection.wanted(dropped) ? dropped.lastPosition() : 0;
  }

  /** Takes a collection out of the catalog; what is left of it is kept when it is wanted. */
  private Optional<DroppedCollection> bury(Batch batch, LocalCollection dropped, long now) {
    if (!DroppedCollection.wanted(dropped)) {
      catalog.drop(batch, dropped.state());
      return Optional.empty();
    }
    DroppedCollection left = DroppedCollection.of(dropped, now);
    catalog.keepDropped(batch, left.collection().state().id(), left.toDocument());
    return Optional.of(left);
  }

  /** As {@link LocalEngine#rename}. */
  void rename(Namespace from, Namespace to, boolean replace) {
    guarded(
        () -> {
          LocalCollection renamed = collection(from);
          Optional<LocalCollection> inTheWay = find(to);
          if (inTheWay.isPresent() && (!replace || from.equals(to))) {
            throw new EngineException(Reason.COLLECTION_EXISTS, to.toString());
          }
          List<LocalCollection> concerned = new ArrayList<>(List.of(renamed));
          inTheWay.ifPresent(concerned::add);
          return locked(
              concerned, () -> catalogLog.during(() -> renameLocked(renamed, to, inTheWay)));
        });
  }

  private LocalCollection renameLocked(
      LocalCollection renamed, Namespace to, Optional<LocalCollection> inTheWay) {
    long now = engine.now();
    Namespace from = renamed.namespace();
    CollectionState state = renamed.state().withNamespace(to);
    Batch batch = new Batch();
    catalogLog.renamed(
        batch,
        renamed.state(),
        to,
        inTheWay.map(LocalCollection::id).orElse(0L),
        inTheWay.map(Registry::lastChange).orElse(0L),
        now);
    catalog.replace(batch, state);
    Optional<DroppedCollection> left = inTheWay.flatMap(dropped -> bury(batch, dropped, now));
    catalog.commit(
        batch,
        () -> {
          renamed.publish(state, expiryPaused, now);
          collections.put(to, renamed);
          collections.remove(from);
          left.ifPresent(droppedCollections::keep);
          inTheWay.ifPresent(this::retire);
        });
    return renamed;
  }

  /** As {@link LocalEngine#exclusively}. */
  <T> T exclusively(Namespace namespace, Function<Collection, T> action) {
    return guarded(
        () -> {
          LocalCollection collection = collection(namespace);
          return locked(List.of(collection), () -> action.apply(collection));
        });
  }

  private void retire(LocalCollection collection) {
    engine.maintenance().release(collection);
    collection.owners().forEach(ShardOwner::drop);
    collection.closed();
  }

  void alter(LocalCollection collection, UnaryOperator<CollectionSpec> change) {
    replace(
        collection,
        (state, at) ->
            Alteration.apply(state, change.apply(state.spec()), at, engine.sequence().next()));
  }

  /** Takes a collection from one state to the next while nobody writes to it. */
  public void replace(LocalCollection collection, StateChange step) {
    guarded(
        () ->
            locked(
                List.of(collection),
                () -> {
                  checkThere(collection);
                  long now = engine.now();
                  CollectionState next =
                      step.from(collection.state(), moment(engine.confirmedNow()));
                  return next.equals(collection.state())
                      ? next
                      : catalogLog.during(() -> replace(collection, next, now));
                }));
  }

  private CollectionState replace(LocalCollection collection, CollectionState next, long now) {
    clearNewLanes(collection, next);
    Batch batch = new Batch();
    catalog.replace(batch, next);
    if (!next.spec().equals(collection.spec())) {
      catalogLog.altered(batch, collection.state(), next, now);
    }
    catalog.commit(
        batch,
        () -> {
          collection.publish(next, expiryPaused, now);
          engine.maintenance().changed(collection);
        });
    return next;
  }

  /**
   * A lane that is declared begins empty. A crash, or a failure, after an earlier lane of its
   * number was retired can have left entries of it.
   */
  private static void clearNewLanes(LocalCollection collection, CollectionState next) {
    List<Integer> kept =
        collection.state().lanes().stream().filter(LaneState::kept).map(LaneState::number).toList();
    for (LaneState lane : next.lanes()) {
      if (lane.kept() && !kept.contains(lane.number())) {
        boolean fresh = !collection.state().hasLane(lane.number());
        for (ShardOwner owner : collection.owners()) {
          if (fresh) {
            owner.clearLaneWithMarks(lane.number());
          } else {
            owner.clearLane(lane.number());
          }
        }
      }
    }
  }

  /** A collection that was dropped must not come back into the catalog. */
  private void checkThere(LocalCollection collection) {
    if (collections.get(collection.namespace()) != collection) {
      throw new EngineException(Reason.CLOSED, "the collection is gone");
    }
  }

  /** An instant as changes of rules see it. */
  ChangeTime moment(long now) {
    return new ChangeTime(now, Math.min(now, engine.maintenance().horizon()), expiryPaused);
  }

  boolean expiryPaused() {
    return expiryPaused;
  }

  void pauseExpiry(boolean on) {
    guarded(
        () -> {
          // on before the first collection is, off after the last: who reads then says so
          expiryPaused = true;
          for (LocalCollection collection : collections.values()) {
            locked(
                List.of(collection),
                () -> {
                  collection.publish(collection.state(), on, engine.now());
                  return on;
                });
          }
          expiryPaused = on;
          engine.maintenance().wake();
          return on;
        });
  }

  /** Returns when all that was written before survives a loss of power. */
  void sync() {
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

  /** Gives back the space of dropped collections. */
  boolean purgeDropped() {
    purging.lock();
    try {
      guarded(() -> droppedCollections.forget(engine.confirmedNow()))
          .forEach(droppedCollections::strip);
      List<Integer> dropped = guarded(catalog::droppedShards);
      for (int shard : dropped) {
        store.drop(shard);
        expiredEntryFilter.forget(shard);
        guarded(() -> catalog.forgetShard(shard));
      }
      return !dropped.isEmpty();
    } finally {
      purging.unlock();
    }
  }

  /** Forgets what happened to collections so long ago that no feed tells of the time. */
  public boolean trimChronicle(int most) {
    long retention =
        collections.values().stream()
            .mapToLong(collection -> collection.spec().feed().retentionMillis())
            .reduce(FeedSpec.DEFAULT.retentionMillis(), Math::max);
    return catalogLog.trim(engine.confirmedNow() - retention, most);
  }

  UUID uuidOf(long collection) {
    return new UUID(
        identity.getMostSignificantBits(), identity.getLeastSignificantBits() ^ collection);
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
  private static <T> T locked(List<LocalCollection> concerned, Supplier<T> action) {
    List<ShardOwner> owners = new ArrayList<>();
    concerned.forEach(collection -> owners.addAll(collection.owners()));
    owners.sort(Comparator.comparingInt(owner -> owner.shard().number()));
    // as large as need be: nothing is allocated between taking a lock and noting that
    List<ShardOwner> held = new ArrayList<>(owners.size());
    try {
      for (ShardOwner owner : owners) {
        owner.lock().lock();
        held.add(owner);
      }
      return action.get();
    } finally {
      for (int i = 0; i < held.size(); i++) {
        held.get(i).lock().unlock();
      }
    }
  }

  /** What happened to collections. */
  CatalogLog catalogLog() {
    return catalogLog;
  }

  /** Ends all writing: the engine is closed. */
  void close() {
    for (LocalCollection collection : collections.values()) {
      collection.owners().forEach(ShardOwner::close);
      collection.closed();
    }
  }
}
