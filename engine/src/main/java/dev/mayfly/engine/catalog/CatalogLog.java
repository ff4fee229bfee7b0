package dev.mayfly.engine.catalog;

import dev.mayfly.engine.CatalogChange;
import dev.mayfly.engine.CatalogChange.Altered;
import dev.mayfly.engine.CatalogChange.Created;
import dev.mayfly.engine.CatalogChange.DatabaseDropped;
import dev.mayfly.engine.CatalogChange.Dropped;
import dev.mayfly.engine.CatalogChange.Gone;
import dev.mayfly.engine.CatalogChange.Renamed;
import dev.mayfly.engine.CatalogChange.Subject;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.ByteCursor;
import dev.mayfly.engine.storage.ChangeSignal;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Log of catalog changes, for change streams. An entry is in the same batch as the change of the
 * catalog. Specified in {@code docs/formats/catalog.md}. Safe for many threads.
 */
public final class CatalogLog {
  private static final byte[] TRIMMED_KEY = {'T'};
  private static final String WITH_DATABASE = "withDatabase";

  private final Shard shard;
  private final LongSupplier positions;
  private final ChangeSignal changeSignal;
  private final LongFunction<UUID> uuids;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long last;
  private volatile long trimmedTo;

  /** Lower bound of the time of the first entry: a trim before this time need not read the log. */
  private volatile long firstTime = Long.MIN_VALUE;

  /**
   * @param positions returns the next position among all changes
   * @param uuids returns the UUID of a collection by its number
   */
  public CatalogLog(
      Shard shard, LongSupplier positions, ChangeSignal changeSignal, LongFunction<UUID> uuids) {
    this.shard = shard;
    this.positions = positions;
    this.changeSignal = changeSignal;
    this.uuids = uuids;
    trimmedTo = storedTrim();
    last = trimmedTo;
    try (Scan newest = shard.scan(Space.QUEUES, all(), Direction.DOWN)) {
      if (newest.next()) {
        last = Layout.position(newest.key());
      }
    }
  }

  private static Range all() {
    return Range.prefix(Layout.feedPrefix());
  }

  /**
   * Runs a change of the catalog that adds entries. Then wakes threads that wait for changes.
   * {@link #settle} waits for changes in progress.
   */
  public <T> T during(Supplier<T> action) {
    lock.lock();
    try {
      long before = last;
      T done = action.get();
      if (last != before) {
        changeSignal.report(last);
      }
      return done;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for changes in progress: afterwards all entries with lower positions can be read. */
  public void settle() {
    lock.lock();
    try {
      // the lock was free: earlier changes are done
    } finally {
      lock.unlock();
    }
  }

  /** The position of the newest entry. */
  long end() {
    return last;
  }

  /** The lowest position after which entries can be read. */
  public long oldest() {
    return trimmedTo;
  }

  /**
   * Adds an entry to the batch of a creation. Called within {@link #during}, like the methods
   * below.
   */
  public void created(Batch batch, CollectionState state, long now) {
    put(batch, begin("CREATED", now).put("spec", state.spec().toDocument()), state);
  }

  public void altered(Batch batch, CollectionState before, CollectionState after, long now) {
    DocumentWriter entry =
        begin("ALTERED", now)
            .put("spec", before.spec().toDocument())
            .put("after", after.spec().toDocument());
    put(batch, entry, before);
  }

  /**
   * Records that a collection was dropped.
   *
   * @param lastChange the position of the last change of its documents; 0 if there is none
   * @param withDatabase whether its whole database is dropped
   */
  public void dropped(
      Batch batch, CollectionState state, long lastChange, boolean withDatabase, long now) {
    DocumentWriter entry =
        begin("DROPPED", now).put("spec", state.spec().toDocument()).put("last", lastChange);
    if (withDatabase) {
      entry.put(WITH_DATABASE, true);
    }
    put(batch, entry, state);
  }

  /**
   * Records that a collection was renamed.
   *
   * @param replaced the number of the collection that is dropped for it, 0 for none
   * @param lastChange the position of the last change of the dropped collection
   */
  public void renamed(
      Batch batch, CollectionState from, Namespace to, long replaced, long lastChange, long now) {
    DocumentWriter entry =
        begin("RENAMED", now)
            .put("spec", from.spec().toDocument())
            .put("toDatabase", to.database())
            .put("toCollection", to.collection())
            .put("replaced", replaced)
            .put("last", lastChange);
    put(batch, entry, from);
  }

  public void databaseDropped(Batch batch, String database, long now) {
    put(batch, begin("DATABASE_DROPPED", now).put("database", database));
  }

  private static DocumentWriter begin(String kind, long now) {
    return Document.writer().put("kind", kind).put("time", now);
  }

  private void put(Batch batch, DocumentWriter entry, CollectionState of) {
    put(
        batch,
        entry
            .put("id", (long) of.id())
            .put("database", of.namespace().database())
            .put("collection", of.namespace().collection()));
  }

  private void put(Batch batch, DocumentWriter entry) {
    long position = positions.getAsLong();
    batch.put(Space.QUEUES, Layout.feed(position), entry.build().bytes());
    last = position;
  }

  /**
   * Returns the entries after a position, oldest first.
   *
   * @throws EngineException TRIMMED if some of them were trimmed
   */
  public List<CatalogChange> read(long after) {
    List<CatalogChange> changes = new ArrayList<>();
    if (after < last) {
      Range range = Range.of(Layout.feed(after + 1), Layout.feed(Long.MAX_VALUE));
      try (Scan scan = shard.scan(Space.QUEUES, range, Direction.UP)) {
        while (scan.next()) {
          changes.add(change(Layout.position(scan.key()), Document.trusted(scan.value())));
        }
      }
    }
    // read from the store: a concurrent trim may have removed entries before the scan
    long kept = after < last ? storedTrim() : trimmedTo;
    if (after < kept) {
      throw new EngineException(
          Reason.TRIMMED, "catalog changes up to position " + kept + " were trimmed", kept);
    }
    return changes;
  }

  private long storedTrim() {
    byte[] trimmed = shard.read(Space.META, TRIMMED_KEY);
    return trimmed == null ? 0 : new ByteCursor(trimmed, 0).varint();
  }

  private CatalogChange change(long position, Document entry) {
    long time = entry.field("time").asLong();
    String kind = entry.field("kind").asString();
    return switch (kind) {
      case "CREATED" -> new Created(position, time, subject(entry), spec(entry, "spec"));
      case "ALTERED" ->
          new Altered(position, time, subject(entry), spec(entry, "spec"), spec(entry, "after"));
      case "DROPPED" ->
          new Dropped(
              position,
              time,
              subject(entry),
              spec(entry, "spec"),
              entry.field("last").asLong(),
              !entry.field(WITH_DATABASE).isMissing());
      case "RENAMED" ->
          new Renamed(
              position,
              time,
              subject(entry),
              spec(entry, "spec"),
              new Namespace(
                  entry.field("toDatabase").asString(), entry.field("toCollection").asString()),
              replaced(entry));
      case "DATABASE_DROPPED" ->
          new DatabaseDropped(position, time, entry.field("database").asString());
      default ->
          throw new EngineException(Reason.UNREADABLE, "unknown kind of catalog change: " + kind);
    };
  }

  private Subject subject(Document entry) {
    long id = entry.field("id").asLong();
    Namespace namespace =
        new Namespace(entry.field("database").asString(), entry.field("collection").asString());
    return new Subject(id, uuids.apply(id), namespace);
  }

  private Gone replaced(Document entry) {
    long id = entry.field("replaced").asLong();
    return id == 0
        ? CatalogChange.NOTHING
        : new Gone(id, uuids.apply(id), entry.field("last").asLong());
  }

  private static CollectionSpec spec(Document entry, String field) {
    return CollectionSpec.of(entry.field(field).asDocument());
  }

  /** Trims entries that are older than an instant; returns whether more remain. */
  public boolean trim(long before, int most) {
    if (firstTime >= before) {
      return false;
    }
    long upTo = trimmedTo;
    long first = before;
    int seen = 0;
    byte[] oldest = trimmedTo == 0 ? Layout.feedPrefix() : Layout.feed(trimmedTo + 1);
    Range kept = Range.of(oldest, Layout.feed(Long.MAX_VALUE));
    try (Scan scan = shard.scan(Space.QUEUES, kept, Direction.UP)) {
      while (seen < most && scan.next()) {
        first = Document.trusted(scan.value()).field("time").asLong();
        if (first >= before) {
          break;
        }
        upTo = Layout.position(scan.key());
        seen++;
      }
    }
    if (seen > 0) {
      trimTo(oldest, upTo);
    }
    firstTime = first;
    return seen == most;
  }

  private void trimTo(byte[] oldest, long upTo) {
    shard.commit(
        new Batch()
            .deleteRange(Space.QUEUES, oldest, Layout.feed(upTo + 1))
            .put(Space.META, TRIMMED_KEY, new ByteBuilder().varint(upTo).bytes()));
    trimmedTo = upTo;
  }
}
