package dev.mayfly.engine.local;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.ExpiresWith;
import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.ExpiryService.ChangeAuthor;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.catalog.Alteration;
import dev.mayfly.engine.catalog.Catalog;
import dev.mayfly.engine.catalog.CatalogLog;
import dev.mayfly.engine.catalog.ChangeTime;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.LaneState;
import dev.mayfly.engine.deliver.ActionCheck;
import dev.mayfly.engine.liveness.ParentKeys;
import dev.mayfly.engine.shard.ExpiredEntryFilter;
import dev.mayfly.engine.shard.Parents;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.ChangeSignal;
import dev.mayfly.engine.storage.VerifiedCommit;
import dev.mayfly.engine.sweep.ChildPurge;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Store;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Registry of the collections: creates, alters, renames and drops them. Runs one such change at a
 * time. A change is on disk, in the catalog and its log, before it takes effect; writers of the
 * collection wait for it. Safe for many threads.
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

  /** Held while space is freed, which may take long. Taken before {@link #ddl}. */
  private final ReentrantLock purging = new ReentrantLock();

  private volatile boolean expiryPaused;

  /** Whether documents of a collection follow, or have followed, those of another one. */
  private volatile boolean related;

  /** Whether a collection has, or had, sliding rules. */
  private volatile boolean sliding;

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

  /** Opens all collections of the catalog. */
  void load() {
    List<LocalCollection> opened = catalog.collections().stream().map(this::open).toList();
    opened.forEach(collection -> collections.put(collection.namespace(), collection));
    // before the first sweep: it must know which documents are followed
    if (related) {
      opened.forEach(this::relate);
    }
    opened.forEach(engine.maintenance()::add);
    for (Document left : catalog.keptDropped()) {
      LocalCollection gone = open(CollectionState.of(left.field("state").asDocument()));
      gone.owners().forEach(ShardOwner::drop);
      droppedCollections.keep(DroppedCollection.of(gone, left.field("droppedAt").asLong()));
    }
  }

  private LocalCollection open(CollectionState state) {
    if (state.spec().expiresWith().isPresent()) {
      related = true;
    }
    // the last sequence: that of the creation, or one before the restart
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

  /** Makes a collection that is in the catalog visible. */
  private void register(LocalCollection collection) {
    List<LocalCollection> family = family(collection);
    locked(
        family,
        () -> {
          collections.put(collection.namespace(), collection);
          family.forEach(this::relate);
          return collection;
        });
    engine.maintenance().add(collection);
  }

  /** Returns a collection, that of its parents, and those that follow it. */
  private List<LocalCollection> family(LocalCollection collection) {
    List<LocalCollection> family = new ArrayList<>(List.of(collection));
    parentsOf(collection).ifPresent(family::add);
    family.addAll(followers(collection.namespace()));
    return family;
  }

  private Optional<LocalCollection> parentsOf(LocalCollection collection) {
    return parentsOf(collection.namespace(), collection.spec());
  }

  private Optional<LocalCollection> parentsOf(Namespace namespace, CollectionSpec spec) {
    return spec.expiresWith()
        .flatMap(with -> find(new Namespace(namespace.database(), with.collection())));
  }

  /** Returns the collections whose documents follow those of a collection. */
  private List<LocalCollection> followers(Namespace namespace) {
    if (!related) {
      return List.of();
    }
    return collections.values().stream()
        .filter(one -> one.namespace().database().equals(namespace.database()))
        .filter(
            one ->
                one.spec()
                    .expiresWith()
                    .filter(with -> with.collection().equals(namespace.collection()))
                    .isPresent())
        .toList();
  }

  /** Returns the shards of the collections whose documents follow those of a collection. */
  List<ShardOwner> followersOf(LocalCollection collection) {
    return followers(collection.namespace()).stream()
        .flatMap(one -> one.owners().stream())
        .toList();
  }

  /**
   * Makes the relations of a collection effective. The caller holds the locks of its shards, unless
   * it is not in use yet.
   */
  private void relate(LocalCollection collection) {
    locked(
        List.of(collection),
        () -> {
          Parents parents =
              parentsOf(collection)
                  .filter(found -> matches(collection.spec(), found.spec()))
                  .map(
                      found ->
                          new Parents(
                              found.namespace().collection(),
                              new ParentKeys(collection.spec(), found.spec()),
                              found.owners()))
                  .orElse(null);
          List<LocalCollection> followers = followers(collection.namespace());
          boolean deletes =
              followers.stream()
                  .anyMatch(
                      one -> one.spec().expiresWith().filter(ExpiresWith::deleted).isPresent());
          boolean first =
              !followers.isEmpty() && !collection.owners().getFirst().view().family().isFollowed();
          for (ShardOwner owner : collection.owners()) {
            owner.relate(parents, !followers.isEmpty(), deletes);
            if (followers.isEmpty()) {
              owner.forgetDepartures();
            }
          }
          if (first) {
            // a slice of the sweep that has begun does not record departures
            collection.publish(collection.state(), expiryPaused, engine.now());
          }
          return collection;
        });
  }

  /** Returns whether documents of a collection can have parents in another one. */
  private static boolean matches(CollectionSpec children, CollectionSpec parents) {
    return children.dialect() == parents.dialect()
        && children.partitionKey().size() == parents.partitionKey().size()
        && parents.expiresWith().isEmpty();
  }

  /**
   * Checks the parents that a new definition names.
   *
   * @throws EngineException BAD_SPEC
   */
  private void checkFollowing(Namespace namespace, CollectionSpec spec) {
    if (spec.expiresWith().isEmpty()) {
      return;
    }
    spec.checkParentIndex();
    String parents = spec.expiresWith().get().collection();
    require(!parents.equals(namespace.collection()), "a collection cannot expire with itself");
    Optional<LocalCollection> found = parentsOf(namespace, spec);
    require(
        found.isPresent(),
        "expiresWith names a collection that does not exist: " + parents + "; create it first");
    CollectionSpec other = found.orElseThrow().spec();
    require(
        other.expiresWith().isEmpty(),
        "expiresWith names a collection that expires with another one itself: " + parents);
    require(
        followers(namespace).isEmpty(),
        "other collections expire with this one, so it cannot expire with " + parents);
    require(
        other.dialect() == spec.dialect()
            && other.partitionKey().size() == spec.partitionKey().size(),
        "expiresWith names a collection with another number of partition key paths: " + parents);
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new EngineException(Reason.BAD_SPEC, rule);
    }
  }

  /** Creates a collection. */
  LocalCollection create(Namespace namespace, CollectionSpec spec) {
    return guarded(
        () -> {
          checkFree(namespace);
          long now = engine.enter();
          // steps that may fail come before the write to the catalog
          LocalCollection collection =
              open(newState(namespace, spec, now, engine.sequence().next()));
          boolean registered = false;
          try {
            catalogLog.during(() -> enter(collection, now));
            registered = true;
          } finally {
            if (!registered && collections.get(namespace) != collection) {
              discard(collection);
            }
          }
          return collection;
        });
  }

  private LocalCollection enter(LocalCollection created, long now) {
    Batch batch = new Batch();
    addToBatch(batch, created.state(), now);
    catalog.commit(batch, () -> register(created));
    return created;
  }

  private void addToBatch(Batch batch, CollectionState created, long now) {
    catalog.create(batch, created);
    catalogLog.created(batch, created, now);
  }

  private void checkFree(Namespace namespace) {
    if (collections.containsKey(namespace)) {
      throw new EngineException(Reason.COLLECTION_EXISTS, namespace.toString());
    }
  }

  private CollectionState newState(
      Namespace namespace, CollectionSpec spec, long now, long createdAt) {
    checkAction(namespace, spec);
    checkFollowing(namespace, spec);
    return Alteration.create(
        catalog.takeCollection(),
        namespace,
        spec,
        catalog.takeShards(spec.shards()),
        now,
        createdAt);
  }

  /**
   * Prepares a collection for a transaction. It is neither in the catalog nor visible to others
   * before {@link #register}.
   *
   * @param createdAt the sequence of the creation: the first that the transaction may use
   */
  LocalCollection prepare(Namespace namespace, CollectionSpec spec, long now, long createdAt) {
    return guarded(
        () -> {
          checkFree(namespace);
          return open(newState(namespace, spec, now, createdAt));
        });
  }

  /** Changes a prepared collection that has no documents. */
  void prepareAgain(LocalCollection prepared, CollectionSpec spec, long now, long createdAt) {
    CollectionState old = prepared.state();
    checkAction(old.namespace(), spec);
    checkFollowing(old.namespace(), spec);
    CollectionState state =
        Alteration.create(old.id(), old.namespace(), spec, old.shards(), now, createdAt);
    guarded(
        () ->
            locked(
                List.of(prepared),
                () -> {
                  prepared.publish(state, expiryPaused, now);
                  return prepared;
                }));
  }

  /** Discards a prepared collection. */
  void discard(LocalCollection prepared) {
    for (ShardOwner owner : prepared.owners()) {
      owner.close();
      expiredEntryFilter.forget(owner.shard().number());
    }
    prepared.closed();
  }

  /**
   * Commits a transaction with prepared collections and makes them visible. No other thread
   * creates, renames or drops collections meanwhile.
   *
   * @param commit returns a ticket for the flush to disk
   * @throws EngineException WRITE_CONFLICT if another collection has one of their names
   */
  void register(java.util.Collection<LocalCollection> prepared, LongSupplier commit) {
    guarded(
        () -> {
          for (LocalCollection collection : prepared) {
            if (collections.containsKey(collection.namespace())) {
              throw LocalTransaction.conflict("another collection with this name was created");
            }
          }
          return catalogLog.during(
              () -> {
                long ticket = commit.getAsLong();
                try {
                  // the catalog is on disk before it takes effect
                  VerifiedCommit.sync(catalog.shard(), ticket);
                } finally {
                  prepared.forEach(this::registerPrepared);
                }
                return prepared;
              });
        });
  }

  /** Expiry may have been paused or resumed since the collection was prepared. */
  private void registerPrepared(LocalCollection collection) {
    locked(
        List.of(collection),
        () -> {
          if (collection.compiled().paused() != expiryPaused) {
            collection.publish(collection.state(), expiryPaused, engine.now());
          }
          return collection;
        });
    register(collection);
  }

  /** Returns a batch that adds prepared collections to the catalog. */
  Batch addToBatch(java.util.Collection<LocalCollection> created, long now) {
    Batch batch = new Batch();
    created.forEach(collection -> addToBatch(batch, collection.state(), now));
    return batch;
  }

  /** Returns the collection with a name. */
  LocalCollection collection(Namespace namespace) {
    return find(namespace)
        .orElseThrow(() -> new EngineException(Reason.NO_SUCH_COLLECTION, namespace.toString()));
  }

  Optional<LocalCollection> find(Namespace namespace) {
    return Optional.ofNullable(collections.get(namespace));
  }

  /** Returns the names of all collections, in order. */
  List<Namespace> namespaces() {
    return collections.keySet().stream()
        .sorted(Comparator.comparing(Namespace::database).thenComparing(Namespace::collection))
        .toList();
  }

  /** Returns all collections, in no order. */
  List<LocalCollection> all() {
    return List.copyOf(collections.values());
  }

  /** Returns all collections, and dropped ones whose changes can still be read. */
  List<LocalCollection> withFeeds() {
    Map<Long, LocalCollection> all = new TreeMap<>();
    // in this order, a collection that is dropped meanwhile is found at least once
    collections.values().forEach(collection -> all.put(collection.id(), collection));
    droppedCollections.collections().forEach(collection -> all.put(collection.id(), collection));
    return List.copyOf(all.values());
  }

  /** Drops a collection at once. Its space is freed in the background. */
  void drop(Namespace namespace) {
    guarded(() -> drop(collection(namespace), false));
  }

  private LocalCollection drop(LocalCollection dropped, boolean withDatabase) {
    List<LocalCollection> family = family(dropped);
    return locked(
        family,
        () ->
            catalogLog.during(
                () -> {
                  long now = engine.now();
                  removeChildren(dropped, now);
                  Batch batch = new Batch();
                  catalogLog.dropped(
                      batch, dropped.state(), lastChange(dropped), withDatabase, now);
                  Optional<DroppedCollection> left = removeFromCatalog(batch, dropped, now);
                  catalog.commit(
                      batch,
                      () -> {
                        collections.remove(dropped.namespace());
                        left.ifPresent(droppedCollections::keep);
                        retire(dropped);
                        family.stream().filter(one -> one != dropped).forEach(this::relate);
                      });
                  return dropped;
                }));
  }

  /**
   * Removes documents that follow those of a collection that is dropped: of parents that are dead,
   * and of all parents if the documents follow a delete. The caller holds the locks.
   */
  private void removeChildren(LocalCollection dropped, long now) {
    for (LocalCollection children : followers(dropped.namespace())) {
      if (children.spec().expiresWith().filter(ExpiresWith::deleted).isPresent()) {
        dropped.owners().forEach(owner -> ChildPurge.departAll(owner, now));
      }
      ChildPurge.purge(children.owners(), now);
    }
  }

  /** Drops all collections of a database with a dialect. Returns whether there were any. */
  boolean dropDatabase(String database, Dialect dialect) {
    return guarded(
        () -> {
          List<LocalCollection> all =
              collections.values().stream()
                  .filter(one -> one.namespace().database().equals(database))
                  .filter(one -> one.spec().dialect() == dialect)
                  // children first: nothing is left to remove when their parents are dropped
                  .sorted(Comparator.comparing(one -> one.spec().expiresWith().isEmpty()))
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

  /**
   * Returns the position of the last change that can be read after the drop; 0 if there is none.
   */
  private static long lastChange(LocalCollection dropped) {
    return DroppedCollection.mustKeep(dropped) ? dropped.lastPosition() : 0;
  }

  /**
   * Removes a collection from the catalog, but keeps its feeds if change streams may still read
   * them.
   */
  private Optional<DroppedCollection> removeFromCatalog(
      Batch batch, LocalCollection dropped, long now) {
    if (!DroppedCollection.mustKeep(dropped)) {
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
          Optional<LocalCollection> replaced = find(to);
          if (replaced.isPresent() && (!replace || from.equals(to))) {
            throw new EngineException(Reason.COLLECTION_EXISTS, to.toString());
          }
          checkRename(renamed, to, replaced);
          List<LocalCollection> concerned = new ArrayList<>(List.of(renamed));
          replaced.ifPresent(concerned::add);
          return locked(
              concerned, () -> catalogLog.during(() -> renameLocked(renamed, to, replaced)));
        });
  }

  /** Relations name collections, so a rename must not change what they mean. */
  private void checkRename(
      LocalCollection renamed, Namespace to, Optional<LocalCollection> replaced) {
    require(
        followers(renamed.namespace()).isEmpty() && followers(to).isEmpty(),
        "other collections expire with "
            + (followers(to).isEmpty() ? renamed.namespace() : to)
            + ": it cannot be renamed or replaced");
    require(
        replaced.isEmpty() || replaced.get().spec().expiresWith().isEmpty(),
        to + " expires with another collection: it cannot be replaced");
    require(
        renamed.spec().expiresWith().isEmpty()
            || renamed.namespace().database().equals(to.database()),
        renamed.namespace() + " expires with a collection of its database: it cannot leave it");
  }

  private LocalCollection renameLocked(
      LocalCollection renamed, Namespace to, Optional<LocalCollection> replaced) {
    long now = engine.now();
    Namespace from = renamed.namespace();
    CollectionState state = renamed.state().withNamespace(to);
    Batch batch = new Batch();
    catalogLog.renamed(
        batch,
        renamed.state(),
        to,
        replaced.map(LocalCollection::id).orElse(0L),
        replaced.map(Registry::lastChange).orElse(0L),
        now);
    catalog.replace(batch, state);
    Optional<DroppedCollection> left =
        replaced.flatMap(dropped -> removeFromCatalog(batch, dropped, now));
    catalog.commit(
        batch,
        () -> {
          renamed.publish(state, expiryPaused, now);
          collections.put(to, renamed);
          collections.remove(from);
          left.ifPresent(droppedCollections::keep);
          replaced.ifPresent(this::retire);
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
    engine.maintenance().remove(collection);
    collection.owners().forEach(ShardOwner::drop);
    collection.closed();
  }

  void alter(LocalCollection collection, UnaryOperator<CollectionSpec> change) {
    replace(
        collection,
        (state, at) ->
            Alteration.apply(state, change.apply(state.spec()), at, engine.sequence().next()));
  }

  /** Changes the state of a collection while its writers wait. */
  public void replace(LocalCollection collection, StateChange step) {
    guarded(
        () -> {
          try {
            return replace(collection, step, Optional.empty());
          } catch (NewParents found) {
            return replace(collection, step, Optional.of(found.parents));
          }
        });
  }

  /** Thrown if a change of a collection names parents whose shards are not locked. */
  private static final class NewParents extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient LocalCollection parents;

    NewParents(LocalCollection parents) {
      super("other parents", null, false, false);
      this.parents = parents;
    }
  }

  private CollectionState replace(
      LocalCollection collection, StateChange step, Optional<LocalCollection> newParents) {
    List<LocalCollection> family = new ArrayList<>(List.of(collection));
    parentsOf(collection).ifPresent(family::add);
    newParents.filter(found -> !family.contains(found)).ifPresent(family::add);
    return locked(
        family,
        () -> {
          checkExists(collection);
          long now = engine.now();
          // documents that are expired now keep the lower sequences of before the change
          collection.owners().forEach(owner -> owner.sliding().persistDueAt(Deadline.NEVER));
          ChangeTime at = changeTime(engine.confirmedNow());
          CollectionState next = logged(collection.state(), step.from(collection.state(), at), at);
          if (!next.spec().onExpire().equals(collection.spec().onExpire())) {
            checkAction(next.namespace(), next.spec());
          }
          next.spec().checkParentIndex();
          if (!next.spec().expiresWith().equals(collection.spec().expiresWith())) {
            changeParents(collection, next.spec(), family, now);
          }
          return next.equals(collection.state())
              ? next
              : catalogLog.during(() -> replace(collection, next, family, now));
        });
  }

  /**
   * Checks the new parents of the documents of a collection, and removes children of dead parents,
   * which would come back without them.
   */
  private void changeParents(
      LocalCollection collection, CollectionSpec next, List<LocalCollection> locked, long now) {
    checkFollowing(collection.namespace(), next);
    if (next.expiresWith().isPresent()) {
      related = true;
    }
    Optional<LocalCollection> parents = parentsOf(collection.namespace(), next);
    if (parents.isPresent() && !locked.contains(parents.get())) {
      throw new NewParents(parents.get());
    }
    ChildPurge.purge(collection.owners(), now);
  }

  private void checkAction(Namespace namespace, CollectionSpec spec) {
    ActionCheck.check(
        namespace, spec.onExpire(), engine.settings().archive(), engine::find, this::all);
  }

  /** Returns the next state with its change of rules in the history, if it changes rules. */
  private static CollectionState logged(
      CollectionState before, CollectionState next, ChangeTime at) {
    boolean sameRules = next.spec().timeToLive().equals(before.spec().timeToLive());
    return sameRules || !next.ruleChanges().equals(before.ruleChanges())
        ? next
        : next.withRuleChange(
            before, at.now(), false, OptionalLong.empty(), ChangeAuthor.current());
  }

  private CollectionState replace(
      LocalCollection collection, CollectionState next, List<LocalCollection> family, long now) {
    clearNewLanes(collection, next);
    Batch batch = new Batch();
    catalog.replace(batch, next);
    if (!next.spec().equals(collection.spec())) {
      catalogLog.altered(batch, collection.state(), next, now);
    }
    catalog.commit(
        batch,
        () -> {
          boolean related = next.spec().expiresWith().equals(collection.spec().expiresWith());
          collection.publish(next, expiryPaused, now);
          if (!related) {
            family.forEach(this::relate);
          }
          engine.maintenance().changed(collection);
        });
    return next;
  }

  /**
   * Clears lanes that become maintained with the next state. A crash or failure may have left
   * entries of an earlier lane with the same number.
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

  /**
   * Checks that the collection exists, so that a change does not put a dropped one back into the
   * catalog.
   */
  private void checkExists(LocalCollection collection) {
    if (collections.get(collection.namespace()) != collection) {
      throw new EngineException(Reason.CLOSED, "the collection was dropped");
    }
  }

  /** Returns the instant of a rule change, with the limits of the sweep at that time. */
  ChangeTime changeTime(long now) {
    return new ChangeTime(now, Math.min(now, engine.maintenance().horizon()), expiryPaused);
  }

  boolean expiryPaused() {
    return expiryPaused;
  }

  void pauseExpiry(boolean on) {
    guarded(
        () -> {
          // true before the first collection is paused, and until the last one is resumed
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

  /** Waits until all earlier writes survive a power failure. */
  void sync() {
    guarded(
        () -> {
          List<Shard> shards = new ArrayList<>(List.of(catalog.shard()));
          collections
              .values()
              .forEach(one -> one.owners().forEach(owner -> shards.add(owner.shard())));
          // if all shards share one log, the sync of the last ticket is enough
          List<Long> tickets = shards.stream().map(shard -> shard.commit(new Batch())).toList();
          for (int i = shards.size() - 1; i >= 0; i--) {
            shards.get(i).sync(tickets.get(i));
          }
          return shards;
        });
  }

  /** Frees the space of dropped collections. Returns whether there were any. */
  boolean purgeDropped() {
    purging.lock();
    try {
      guarded(() -> droppedCollections.removeOld(engine.confirmedNow()))
          .forEach(droppedCollections::strip);
      List<Integer> dropped = guarded(catalog::droppedShards);
      if (dropped.isEmpty()) {
        return false;
      }
      for (int shard : dropped) {
        store.drop(shard);
        expiredEntryFilter.forget(shard);
      }
      return guarded(() -> catalog.forgetShards(dropped));
    } finally {
      purging.unlock();
    }
  }

  /**
   * Trims entries of the catalog log that are older than the retention of every feed. Returns
   * whether more remain.
   */
  public boolean trimCatalogLog(int most) {
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

  /** Runs an action under the locks of all shards, taken in the order that commits use. */
  private static <T> T locked(List<LocalCollection> concerned, Supplier<T> action) {
    List<ShardOwner> owners = new ArrayList<>();
    concerned.forEach(collection -> owners.addAll(collection.owners()));
    owners.sort(Comparator.comparingInt(owner -> owner.shard().number()));
    // presized: no allocation may fail between taking a lock and recording it
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

  /** Persists the touches on which reads of all collections at an instant depend. */
  void settleTouches(long now) {
    if (sliding) {
      for (LocalCollection collection : collections.values()) {
        collection.owners().forEach(owner -> owner.sliding().settle(now));
      }
    }
  }

  /** Records that a collection has sliding rules. */
  void slides() {
    sliding = true;
  }

  /** Returns the log of catalog changes. */
  CatalogLog catalogLog() {
    return catalogLog;
  }

  /** Closes all shards, because the engine is closed. */
  void close() {
    for (LocalCollection collection : collections.values()) {
      collection.owners().forEach(ShardOwner::close);
      collection.closed();
    }
  }
}
