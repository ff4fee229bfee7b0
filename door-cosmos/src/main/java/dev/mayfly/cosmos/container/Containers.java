package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.Cap;
import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.engine.CollectionSpec.IndexPolicy;
import dev.mayfly.engine.CollectionSpec.Shape;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.ExpiryService.ChangeAuthor;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Directory of the databases and containers of one engine, by name and by rid.
 *
 * <p>Lookups take no lock; changes of definitions do. Safe for many threads.
 */
public final class Containers {
  private static final int OWNER_MISSING = 1003;
  private static final long MILLIS = 1000;

  private final Engine engine;
  private final Metadata metadata;
  private final Map<String, DatabaseEntry> byName = new ConcurrentHashMap<>();
  private final Map<String, DatabaseEntry> byRid = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** A database and its containers. */
  private record DatabaseEntry(
      Database database, Map<String, Container> byName, Map<String, Container> byRid) {
    DatabaseEntry(Database database) {
      this(database, new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
    }

    void put(Container container) {
      byName.put(container.id(), container);
      byRid.put(container.rid().text(), container);
    }

    void remove(Container container) {
      byName.remove(container.id());
      byRid.remove(container.rid().text());
    }
  }

  public Containers(Engine engine, Metadata metadata) {
    this.engine = engine;
    this.metadata = metadata;
    for (Metadata.Entry entry : metadata.children("dbs/")) {
      add(new Database(entry.id(), entry));
    }
    for (Namespace namespace : engine.namespaces()) {
      DatabaseEntry databaseEntry = byName.get(databaseOf(namespace));
      if (databaseEntry != null) {
        databaseEntry.put(Container.of(databaseEntry.database(), engine.collection(namespace)));
      }
    }
  }

  private static String databaseOf(Namespace namespace) {
    String database = namespace.database();
    return database.startsWith(Metadata.PREFIX) ? database.substring(Metadata.PREFIX.length()) : "";
  }

  private DatabaseEntry add(Database database) {
    DatabaseEntry databaseEntry = new DatabaseEntry(database);
    byName.put(database.id(), databaseEntry);
    byRid.put(database.rid().text(), databaseEntry);
    return databaseEntry;
  }

  /** Returns the metadata of all other resources. */
  public Metadata metadata() {
    return metadata;
  }

  /**
   * Returns the container on the path of an address.
   *
   * @throws CosmosException 404 with sub-status 1003
   */
  public Container find(Address address) {
    return container(address).orElseThrow(Containers::ownerMissing);
  }

  /** As {@link #find}; empty if it does not exist. */
  public Optional<Container> container(Address address) {
    DatabaseEntry databaseEntry = databaseEntry(address);
    if (databaseEntry == null) {
      return Optional.empty();
    }
    String id = address.container();
    Container found = address.byRid() ? databaseEntry.byRid().get(id) : null;
    return Optional.ofNullable(found == null ? databaseEntry.byName().get(id) : found)
        .map(this::upToDate);
  }

  /** The admin API and the command line change rules without this directory. */
  private Container upToDate(Container known) {
    if (known.isCurrent()) {
      return known;
    }
    if (!lock.tryLock()) {
      // an event loop must not wait for a change of definitions
      return Container.of(known.database(), known.collection());
    }
    try {
      return current(known);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the container with a rid. */
  public Optional<Container> container(Rid rid) {
    DatabaseEntry databaseEntry = byRid.get(rid.database().text());
    return databaseEntry == null
        ? Optional.empty()
        : Optional.ofNullable(databaseEntry.byRid().get(rid.container().text()))
            .map(this::upToDate);
  }

  /** Returns the database on the path of an address. */
  public Optional<Database> database(Address address) {
    return Optional.ofNullable(databaseEntry(address)).map(DatabaseEntry::database);
  }

  private @Nullable DatabaseEntry databaseEntry(Address address) {
    String id = address.database();
    DatabaseEntry found = address.byRid() ? byRid.get(id) : null;
    return found == null ? byName.get(id) : found;
  }

  private static CosmosException ownerMissing() {
    return new CosmosException(
        Status.NOT_FOUND, OWNER_MISSING, CosmosException.errors("Owner resource does not exist"));
  }

  /** Returns all databases, ordered by id. */
  public List<Database> databases() {
    return byName.values().stream()
        .map(DatabaseEntry::database)
        .sorted(Comparator.comparing(Database::id))
        .toList();
  }

  /** Returns the containers of a database, ordered by id. */
  public List<Container> containers(Database database) {
    DatabaseEntry databaseEntry = byName.get(database.id());
    return databaseEntry == null
        ? List.of()
        : databaseEntry.byName().values().stream()
            .map(this::upToDate)
            .sorted(Comparator.comparing(Container::id))
            .toList();
  }

  /**
   * Creates a database.
   *
   * @throws CosmosException 409
   */
  public Database create(String databaseId) {
    lock.lock();
    try {
      Metadata.Entry entry = metadata.create("dbs/" + databaseId, Document.EMPTY);
      return add(new Database(databaseId, entry)).database();
    } finally {
      lock.unlock();
    }
  }

  /** Deletes a database after its containers, so that a failure leaves no orphans. */
  public void delete(Database database) {
    lock.lock();
    try {
      DatabaseEntry databaseEntry = byName.get(database.id());
      if (databaseEntry == null) {
        throw CosmosException.notFound();
      }
      for (Container container : new ArrayList<>(databaseEntry.byName().values())) {
        remove(databaseEntry, container);
      }
      metadata.delete(database.link());
      byName.remove(database.id());
      byRid.remove(database.rid().text());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Creates a container.
   *
   * @param throughput request units per second; 0 for no limit
   * @param now epoch milliseconds of the request
   * @throws CosmosException 404, 409
   */
  public Container create(
      Database database, ContainerDefinition definition, double throughput, long now) {
    lock.lock();
    try {
      DatabaseEntry databaseEntry = byName.get(database.id());
      if (databaseEntry == null) {
        throw ownerMissing();
      }
      if (databaseEntry.byName().containsKey(definition.id())) {
        throw CosmosException.exists();
      }
      Document options = Container.options(definition, now / MILLIS, 1);
      CollectionSpec spec = spec(definition).withThroughput(throughput).withOptions(options);
      Container container =
          Container.of(database, engine.create(namespace(database, definition), spec));
      databaseEntry.put(container);
      return container;
    } finally {
      lock.unlock();
    }
  }

  private static Namespace namespace(Database database, ContainerDefinition definition) {
    return new Namespace(Metadata.PREFIX + database.id(), definition.id());
  }

  private static CollectionSpec spec(ContainerDefinition definition) {
    return definition.applyTo(
        new CollectionSpec(
            new Shape(Dialect.COSMOS, definition.partitionKey().paths(), 1),
            IndexPolicy.NONE,
            TimeToLive.NONE.withStrict(true),
            FeedSpec.DEFAULT,
            Cap.NONE,
            OnExpire.NOTHING,
            Optional.empty(),
            0,
            Document.EMPTY));
  }

  /** Result of a replacement: the container, and the items that expired. */
  public record Replaced(Container container, Usage expired) {}

  /** Result of an undo: the container, and the items that were restored. */
  public record Undone(Container container, Usage restored) {}

  /**
   * Replaces the definition of a container.
   *
   * @param maxExpired the replacement fails if it would expire more items at once; {@link
   *     ExpiryService#NO_LIMIT} for no limit
   * @param now epoch milliseconds of the request
   * @throws CosmosException if a property would change that is fixed at creation
   */
  public Replaced replace(
      Container old, ContainerDefinition definition, long maxExpired, long now) {
    lock.lock();
    try {
      Container current = current(old);
      Redefinition.check(current, definition);
      Document options = options(definition, current, now);
      Usage expired =
          ChangeAuthor.as(
              "cosmos",
              () ->
                  current
                      .collection()
                      .expiry()
                      .alter(spec -> definition.applyTo(spec).withOptions(options), maxExpired));
      return new Replaced(refresh(current), expired);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the items that a definition would expire at once. */
  public Usage whatIf(
      OperationContext operation, Container container, ContainerDefinition definition) {
    Redefinition.check(container, definition);
    return container.collection().expiry(operation).whatIf(definition::applyTo);
  }

  /**
   * Undoes the last change of time to live and restores the items that it expired.
   *
   * @param now epoch milliseconds of the request
   */
  public Undone undo(Container old, long now) {
    lock.lock();
    try {
      Container current = current(old);
      Usage restored = current.collection().expiry().undo();
      ContainerDefinition undone = refresh(current).definition();
      Document options = options(undone, current, now);
      current.collection().alter(spec -> spec.withOptions(options));
      return new Undone(refresh(current), restored);
    } finally {
      lock.unlock();
    }
  }

  private static Document options(ContainerDefinition definition, Container current, long now) {
    Document options = Container.options(definition, now / MILLIS, current.version() + 1);
    for (ContainerFlag containerFlag : ContainerFlag.values()) {
      options = current.has(containerFlag) ? Container.with(containerFlag, options) : options;
    }
    return options;
  }

  /** Sets a flag, before the first operation that needs it. */
  public void setFlag(ContainerFlag containerFlag, Container known) {
    if (known.has(containerFlag)) {
      return;
    }
    lock.lock();
    try {
      Container current = current(known);
      if (!current.has(containerFlag)) {
        current
            .collection()
            .alter(spec -> spec.withOptions(Container.with(containerFlag, spec.options())));
        refresh(current);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Sets the throughput of a container. */
  public void throttle(Container old, double throughput) {
    lock.lock();
    try {
      current(old).collection().alter(spec -> spec.withThroughput(throughput));
    } finally {
      lock.unlock();
    }
  }

  private Container refresh(Container old) {
    Container changed = Container.of(old.database(), old.collection());
    databaseEntry(old).put(changed);
    return changed;
  }

  private Container current(Container known) {
    Container current = databaseEntry(known).byName().get(known.id());
    if (current == null || !current.rid().equals(known.rid())) {
      throw CosmosException.notFound();
    }
    return current.isCurrent() ? current : refresh(current);
  }

  private DatabaseEntry databaseEntry(Container container) {
    DatabaseEntry databaseEntry = byName.get(container.databaseId());
    if (databaseEntry == null) {
      throw CosmosException.notFound();
    }
    return databaseEntry;
  }

  public void delete(Container container) {
    lock.lock();
    try {
      remove(databaseEntry(container), current(container));
    } finally {
      lock.unlock();
    }
  }

  /** Returns the collection of a container's attachments; empty before the first attachment. */
  public Optional<Collection> attachments(Container container) {
    return engine.find(attachmentsOf(container));
  }

  /** As {@link #attachments}; creates the collection if it does not exist. */
  public Collection openAttachments(Container container, CollectionSpec spec) {
    lock.lock();
    try {
      Namespace namespace = attachmentsOf(current(container));
      return engine.find(namespace).orElseGet(() -> engine.create(namespace, spec));
    } finally {
      lock.unlock();
    }
  }

  private static Namespace attachmentsOf(Container container) {
    return new Namespace(Metadata.PREFIX, "annex " + container.rid().text());
  }

  /** Drops the attachments first, so that a failure leaves no orphans. */
  private void remove(DatabaseEntry databaseEntry, Container container) {
    attachments(container).ifPresent(attachments -> engine.drop(attachments.namespace()));
    engine.drop(container.collection().namespace());
    databaseEntry.remove(container);
    metadata.delete(container.link());
  }
}
