package dev.mayfly.engine.local;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.CatalogChange;
import dev.mayfly.engine.Charge;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Transaction;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.WriteResult;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.liveness.ParentLookup;
import dev.mayfly.engine.liveness.ParentView;
import dev.mayfly.engine.local.LocalCollection.Sorting;
import dev.mayfly.engine.read.Plan;
import dev.mayfly.engine.read.Planner;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.engine.read.ShardScan;
import dev.mayfly.engine.shard.OpenReads;
import dev.mayfly.engine.shard.Parents;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.store.Batch;
import dev.mayfly.store.ShardBatch;
import dev.mayfly.store.StoreSnapshot;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Transaction of the engine in this process: snapshot isolation over several documents, collections
 * and shards. It prevents dirty, unrepeatable and phantom reads and lost updates, but not write
 * skew: each of two transactions may write a document that the other has read.
 *
 * <p>Reads use the snapshot taken at the beginning, with the writes of the transaction on top;
 * documents that were live then stay readable. A write locks its document at once. It fails with
 * WRITE_CONFLICT if another transaction has locked the document, or if the document has changed or
 * expired since the beginning. If a locked document expires before the commit, it is absent for
 * other operations, and the commit inserts it again with the written contents.
 *
 * <p>A collection that the transaction creates is visible to others after the commit. If several
 * transactions create the same collection, the first commit succeeds.
 *
 * <p>Nothing is stored before the commit. The commit replays the writes under the locks of all
 * shards that they belong to, and commits all batches atomically. A conflict aborts the
 * transaction, and so does exceeding its lifetime or size. Used by one thread at a time.
 */
public final class LocalTransaction implements Transaction {
  private static final System.Logger LOG = System.getLogger(LocalTransaction.class.getName());

  private final LocalEngine engine;
  private final TransactionId id;
  private final Purpose purpose;
  private final long lifeMillis;
  private final StoreSnapshot snapshot;
  private final OpenReads.Reading reading;
  private final long now;
  private final long sequence;
  private final Map<LocalCollection, UsedCollection> collections = new HashMap<>();

  /** Collections that only this transaction sees until it commits. */
  private final Map<Namespace, LocalCollection> created = new LinkedHashMap<>();

  /** By shard number, which is the order in which locks are taken. */
  private final Map<Integer, TransactionPart> parts = new TreeMap<>();

  /** Open cursors, which read from the snapshot. */
  private final Set<QueryCursor> cursors = new HashSet<>();

  private final ReentrantLock lock = new ReentrantLock();
  private State state = State.OPEN;

  /** Purpose of a transaction, with the reasons for its failures. */
  enum Purpose {
    /** Reading and writing. */
    WRITING(Reason.NO_SUCH_TRANSACTION, Reason.WRITE_CONFLICT),
    /** Reading the state at one instant. */
    READING(Reason.SNAPSHOT_TOO_OLD, Reason.SNAPSHOT_TOO_OLD);

    private final Reason over;
    private final Reason changed;

    Purpose(Reason over, Reason changed) {
      this.over = over;
      this.changed = changed;
    }
  }

  private enum State {
    OPEN,
    COMMITTED,
    ABORTED
  }

  /** The state of a collection and its shards when the transaction first used it. */
  private record UsedCollection(CompiledCollection compiled, List<ShardOwner.View> views) {}

  /**
   * @param reading when it began
   * @param sequence the sequence at which it began: later changes have this or a higher one
   */
  LocalTransaction(
      LocalEngine engine,
      TransactionId id,
      Purpose purpose,
      long lifeMillis,
      StoreSnapshot snapshot,
      OpenReads.Reading reading,
      long sequence) {
    this.engine = engine;
    this.id = id;
    this.purpose = purpose;
    this.lifeMillis = lifeMillis;
    this.snapshot = snapshot;
    this.reading = reading;
    this.now = reading.now();
    this.sequence = sequence;
  }

  @Override
  public TransactionId id() {
    return id;
  }

  @Override
  public long now() {
    return now;
  }

  /** Its registration among the open reads. */
  OpenReads.Reading reading() {
    return reading;
  }

  @Override
  public OperationContext operation() {
    return OperationContext.begin(engine::now);
  }

  @Override
  public boolean open(OperationContext operation) {
    lock.lock();
    try {
      return state == State.OPEN && !over(operation.now());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public LocalCollection create(Namespace namespace, CollectionSpec spec) {
    return guarded(
        operation(),
        () -> {
          if (created.containsKey(namespace)) {
            throw new EngineException(Reason.COLLECTION_EXISTS, namespace.toString());
          }
          LocalCollection collection = engine.registry().prepare(namespace, spec, now, sequence);
          created.put(namespace, collection);
          return collection;
        });
  }

  @Override
  public Optional<Collection> created(Namespace namespace) {
    return whileOpen(() -> Optional.<Collection>ofNullable(created.get(namespace)));
  }

  @Override
  public void checkAbsent(Namespace namespace) {
    boolean known = engine.oldestCatalogChange() < sequence;
    if (!known
        || engine.catalogChanges(sequence - 1).stream()
            .anyMatch(change -> leaves(change, namespace))) {
      throw changed();
    }
  }

  private static boolean leaves(CatalogChange change, Namespace namespace) {
    return switch (change) {
      case CatalogChange.Dropped dropped -> dropped.subject().namespace().equals(namespace);
      case CatalogChange.Renamed renamed -> renamed.subject().namespace().equals(namespace);
      case CatalogChange.Created _, CatalogChange.Altered _, CatalogChange.DatabaseDropped _ ->
          false;
    };
  }

  private EngineException changed() {
    return new EngineException(
        purpose.changed, "the collection has changed since the transaction began");
  }

  @Override
  public void alter(Collection collection, UnaryOperator<CollectionSpec> change) {
    LocalCollection own = local(collection);
    guarded(
        operation(),
        () -> {
          if (!creates(own) || wrote(own)) {
            throw new EngineException(
                Reason.NOT_SUPPORTED,
                "a transaction can only alter a collection that it has created and not written");
          }
          engine.registry().prepareAgain(own, change.apply(own.spec()), now, sequence);
          collections.remove(own);
          own.owners().forEach(owner -> parts.remove(owner.shard().number()));
          return own;
        });
  }

  /** Returns the implementation of a collection, which is always of this engine. */
  private static LocalCollection local(Collection collection) {
    return (LocalCollection) collection;
  }

  private boolean creates(LocalCollection collection) {
    return created.get(collection.namespace()) == collection;
  }

  @Override
  public boolean wrote() {
    lock.lock();
    try {
      return state == State.OPEN
          && (!created.isEmpty() || parts.values().stream().anyMatch(TransactionPart::wrote));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean wrote(Collection collection) {
    return whileOpen(
        () ->
            local(collection).owners().stream()
                .map(owner -> parts.get(owner.shard().number()))
                .anyMatch(part -> part != null && part.wrote()));
  }

  @Override
  public Optional<StoredDocument> read(
      OperationContext operation, Collection from, DocumentKey key) {
    LocalCollection collection = local(from);
    return guarded(
        operation,
        () -> {
          PrimaryKey primaryKey = PrimaryKey.of(collection.spec(), key);
          ShardOwner owner = collection.ownerOf(primaryKey);
          Optional<StoredDocument> found = part(collection, owner).read(primaryKey);
          if (found.isPresent() && owner.sliding().isOn()) {
            owner.readAndTouch(primaryKey, engine.now(), true);
          }
          collection.spend(
              found.map(one -> Charge.read(one.document().length())).orElse(Charge.MISS));
          return found;
        });
  }

  @Override
  public QueryCursor query(Collection from, Query query) {
    return query(operation(), from, query);
  }

  @Override
  public QueryCursor query(OperationContext operation, Collection from, Query query) {
    return query(operation, from, query, Sorting.IF_NEEDED);
  }

  @Override
  public Cursor.Planned queryUnsorted(OperationContext operation, Collection from, Query query) {
    return query(operation, from, query, Sorting.NEVER).planned();
  }

  private QueryCursor query(
      OperationContext operation, Collection from, Query query, Sorting sorting) {
    LocalCollection collection = local(from);
    return guarded(
        operation,
        () -> {
          UsedCollection used = firstUse(collection);
          Plan plan =
              Planner.plan(
                  used.compiled().state(), query, collection::arrays, collection.indexStatistics());
          List<ShardScan> sources = new ArrayList<>();
          for (ShardOwner owner : collection.ownersFor(plan)) {
            sources.addAll(part(collection, owner).sources(plan));
          }
          QueryCursor cursor =
              collection.cursor(
                  query, plan, sources, sorting, collection::spend, new CursorUse(), null);
          cursors.add(cursor);
          return cursor;
        });
  }

  /**
   * Holds the lock of the transaction while one of its cursors reads, so that the snapshot stays
   * open.
   */
  private final class CursorUse implements QueryCursor.Use {
    @Override
    public void begin() {
      lock.lock();
      if (state != State.OPEN) {
        lock.unlock();
        throw over();
      }
    }

    @Override
    public void end() {
      lock.unlock();
    }

    @Override
    public void close(Runnable closing) {
      lock.lock();
      try {
        closing.run();
        cursors.removeIf(QueryCursor::closed);
      } finally {
        lock.unlock();
      }
    }
  }

  private EngineException over() {
    return new EngineException(purpose.over, "the transaction was committed or aborted");
  }

  @Override
  public long count(Collection collection, Filter filter) {
    long count = 0;
    try (QueryCursor cursor =
        query(collection, Query.of(filter, collection.spec().dialect().mode()))) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  @Override
  public WriteResult write(OperationContext operation, Collection collection, List<Write> writes) {
    if (purpose == Purpose.READING) {
      throw new EngineException(Reason.NOT_SUPPORTED, "the transaction is read-only");
    }
    return guarded(
        operation,
        () -> {
          try {
            return writeAll(local(collection), writes, operation.now());
          } catch (EngineException fatal) {
            end(State.ABORTED);
            throw fatal;
          }
        });
  }

  private WriteResult writeAll(LocalCollection collection, List<Write> writes, long instant) {
    WriteOutcome[] outcomes = new WriteOutcome[writes.size()];
    Arrays.fill(outcomes, new WriteOutcome.Skipped());
    double before = units();
    for (int i = 0; i < outcomes.length; i++) {
      try {
        PrimaryKey key = collection.keyOf(writes.get(i));
        outcomes[i] = part(collection, collection.ownerOf(key)).write(writes.get(i), key, instant);
      } catch (EngineException refused) {
        if (refused.reason() == Reason.WRITE_CONFLICT) {
          throw refused;
        }
        outcomes[i] = new WriteOutcome.Failed(refused);
        break;
      }
      checkSize();
    }
    double units = units() - before;
    collection.spend(units);
    return new WriteResult(List.of(outcomes), units);
  }

  private double units() {
    return parts.values().stream().mapToDouble(TransactionPart::units).sum();
  }

  private void checkSize() {
    long bytes = parts.values().stream().mapToLong(TransactionPart::bytes).sum();
    long most = engine.settings().transactions().bytes();
    if (bytes > most) {
      throw new EngineException(
          Reason.TRANSACTION_TOO_LARGE,
          "the writes of the transaction exceed " + most + " bytes",
          most);
    }
  }

  /**
   * Records the state of a collection at its first use. Fails if it has changed since the
   * transaction began.
   */
  private UsedCollection firstUse(LocalCollection collection) {
    if (collection.owners().stream().anyMatch(ShardOwner::dropped)) {
      throw changed();
    }
    return collections.computeIfAbsent(
        collection,
        _ -> {
          CompiledCollection compiled = collection.compiled();
          List<ShardOwner.View> views = collection.owners().stream().map(ShardOwner::view).toList();
          boolean same =
              (compiled.since() < sequence || creates(collection))
                  && views.stream().allMatch(view -> view.compiled() == compiled);
          if (!same) {
            throw changed();
          }
          return new UsedCollection(compiled, views);
        });
  }

  private TransactionPart part(LocalCollection collection, ShardOwner owner) {
    UsedCollection used = firstUse(collection);
    TransactionPart known = parts.get(owner.shard().number());
    if (known != null) {
      return known;
    }
    ShardOwner.View view = used.views().get(collection.owners().indexOf(owner));
    int number = owner.shard().number();
    TransactionPart part =
        new TransactionPart(
            this, owner, view, snapshot.of(number), parentsOf(view), sequence, reading);
    parts.put(number, part);
    return part;
  }

  /** Returns the look-up of parents as this transaction sees them; null if there are none. */
  private @Nullable ParentLookup parentsOf(ShardOwner.View view) {
    Parents parents = view.family().parents();
    if (parents == null) {
      return null;
    }
    LocalCollection followed = collectionOf(parents, view);
    List<ParentView> views =
        followed.owners().stream().map(owner -> part(followed, owner).parents()).toList();
    return ParentLookup.of(parents.keys(), views, sequence);
  }

  private LocalCollection collectionOf(Parents parents, ShardOwner.View view) {
    Namespace name = new Namespace(view.compiled().state().namespace().database(), parents.name());
    LocalCollection own = created.get(name);
    return own == null ? engine.registry().collection(name) : own;
  }

  static EngineException conflict(String why) {
    return new EngineException(Reason.WRITE_CONFLICT, why);
  }

  @Override
  public void commit(OperationContext operation, Durability durability) {
    guarded(
        operation,
        () -> {
          List<TransactionPart> written =
              parts.values().stream().filter(TransactionPart::wrote).toList();
          long ticket = 0;
          try {
            if (created.isEmpty()) {
              ticket = commit(operation, written);
            } else {
              engine.registry().register(created.values(), () -> commit(operation, written));
            }
          } finally {
            end(state == State.COMMITTED ? state : State.ABORTED);
          }
          if (created.isEmpty() && durability == Durability.SYNCED && !written.isEmpty()) {
            written.getFirst().owner().sync(ticket);
          }
          return written;
        });
  }

  /**
   * Commits the writes. After an exception, {@link #state} is COMMITTED if the commit had succeeded
   * before.
   */
  private long commit(OperationContext operation, List<TransactionPart> written) {
    if (written.size() > 1 && engine.store().together().isEmpty()) {
      throw new EngineException(
          Reason.NOT_SUPPORTED, "the store does not support commits to several shards");
    }
    if (!written.isEmpty()) {
      engine.checkRoom();
    }
    TransactionId marker =
        id.named() ? id : new TransactionId(ByteKey.EMPTY, engine.sequence().next());
    // presized: no allocation may fail between taking a lock and recording it
    List<ShardOwner> owners = concerned(written);
    List<ShardOwner> locked = new ArrayList<>(owners.size());
    try {
      for (ShardOwner owner : owners) {
        owner.lock().lock();
        locked.add(owner);
      }
      // not earlier than the writes that it has waited for
      long at = operation.renew();
      // takes its sequences first: in the feeds, a collection is created before its documents
      Batch catalog = engine.registry().addToBatch(created.values(), at);
      List<ShardBatch> batches = new ArrayList<>();
      replay(written, marker, at);
      for (TransactionPart part : written) {
        batches.add(part.complete());
      }
      long ticket = engine.transactions().commit(id, batches, catalog, at);
      state = State.COMMITTED;
      recordCommitted(written);
      return ticket;
    } finally {
      for (int i = 0; i < locked.size(); i++) {
        locked.get(i).lock().unlock();
      }
    }
  }

  /**
   * Returns the shards that a commit locks, in the order of their numbers: those that it writes to,
   * and those of the parents of the documents that it writes.
   */
  private static List<ShardOwner> concerned(List<TransactionPart> written) {
    Map<Integer, ShardOwner> owners = new TreeMap<>();
    for (TransactionPart part : written) {
      owners.put(part.owner().shard().number(), part.owner());
      Parents parents = part.followed();
      if (parents != null) {
        parents.owners().forEach(owner -> owners.put(owner.shard().number(), owner));
      }
    }
    return List.copyOf(owners.values());
  }

  /** Decides all writes again: those of parents first, because their children look them up. */
  private static void replay(List<TransactionPart> written, TransactionId marker, long at) {
    Map<Integer, TransactionPart> replayed = new HashMap<>();
    for (TransactionPart part : written) {
      if (part.followed() == null) {
        part.replay(marker, at, null);
        replayed.put(part.owner().shard().number(), part);
      }
    }
    for (TransactionPart part : written) {
      Parents parents = part.followed();
      if (parents != null) {
        List<ParentView> views = new ArrayList<>();
        for (ShardOwner owner : parents.owners()) {
          TransactionPart own = replayed.get(owner.shard().number());
          views.add(own == null ? owner.parentView(at) : own.replayedParents(at));
        }
        part.replay(marker, at, ParentLookup.shared(parents.keys(), views));
      }
    }
  }

  private static void recordCommitted(List<TransactionPart> written) {
    try {
      written.forEach(TransactionPart::committed);
    } catch (RuntimeException | Error failure) {
      LOG.log(
          Level.WARNING,
          "the commit succeeded, but its effects must be read again from the store",
          failure);
    }
  }

  @Override
  public void abort() {
    lock.lock();
    try {
      if (state == State.OPEN) {
        end(State.ABORTED);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Aborts a transaction that has exceeded its lifetime, unless an operation is in progress. */
  void abortIfIdle(long instant) {
    if (over(instant) && lock.tryLock()) {
      try {
        abort();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Returns whether it has exceeded its lifetime at an instant, or began during a clock leap that
   * was revoked.
   */
  private boolean over(long instant) {
    return instant >= deadline() || instant < now - lifeMillis;
  }

  /** The instant at which it exceeds its lifetime. */
  long deadline() {
    return now + lifeMillis;
  }

  private void end(State how) {
    state = how;
    parts.values().forEach(TransactionPart::release);
    if (how == State.ABORTED) {
      created.values().forEach(engine.registry()::discard);
    }
    List.copyOf(cursors).forEach(QueryCursor::close);
    snapshot.close();
    engine.transactions().ended(this);
  }

  /** Runs work of an operation, unless the transaction has ended or exceeds its lifetime. */
  private <T> T guarded(OperationContext operation, Supplier<T> work) {
    lock.lock();
    try {
      if (state == State.OPEN && over(engine.enter(operation))) {
        end(State.ABORTED);
      }
      return whileOpen(work);
    } finally {
      lock.unlock();
    }
  }

  private <T> T whileOpen(Supplier<T> work) {
    lock.lock();
    try {
      if (state != State.OPEN) {
        throw over();
      }
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    abort();
  }
}
