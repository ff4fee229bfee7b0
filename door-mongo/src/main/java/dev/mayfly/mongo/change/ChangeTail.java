package dev.mayfly.mongo.change;

import dev.mayfly.engine.CatalogChange;
import dev.mayfly.engine.CatalogChange.Dropped;
import dev.mayfly.engine.CatalogChange.Renamed;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.cursor.Tail;
import dev.mayfly.value.Document;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Change events of all collections in a scope, merged in the order of their positions. For one
 * thread at a time.
 *
 * <p>Positions are assigned before their changes can be read, so one feed may show a change while
 * another has not shown an earlier one yet. Changes above the engine's settled position therefore
 * wait: no later event can have a lower position than one already returned.
 *
 * <p>An event contains the name that its collection had at that time, even if it was renamed or
 * dropped later.
 */
final class ChangeTail implements Tail {
  private static final int READ = 256;
  private static final long RENEWAL_MILLIS = 10_000;

  private final Engine engine;
  private final WatchScope scope;
  private final ChangeImages images;
  private final SchemaEvents schema;
  private final Start start;
  private final Deque<Document> ready = new ArrayDeque<>();

  private long seen;
  private boolean ended;
  private Document current = Document.EMPTY;
  private ResumeToken last;

  /**
   * The start of a stream.
   *
   * @param resumeAfter the token to resume after
   * @param epochMillis the time of the first event; 0 for any
   */
  record Start(ResumeToken resumeAfter, long epochMillis) {
    /**
     * A token at the beginning of the feed is of a stream that starts at a time and has read
     * nothing.
     */
    static Start after(ResumeToken token) {
      return new Start(token, token.position() == FeedReader.BEGINNING ? token.epochMillis() : 0);
    }

    boolean byTime() {
      return epochMillis > 0;
    }

    /**
     * The position up to which all events were returned; an event that was returned in part is
     * returned again.
     */
    long seen() {
      return resumeAfter.isOfFragment() ? resumeAfter.position() - 1 : resumeAfter.position();
    }

    /** The position from which stored changes are read. */
    long from(long seen, long oldest) {
      return byTime() ? Math.max(seen, oldest) : seen;
    }
  }

  /** A change that was read from the feed of a collection or from the catalog log. */
  private sealed interface FeedChange {
    long position();

    /** A change of a document of a collection. */
    record OfDocument(Collection collection, Change change) implements FeedChange {
      @Override
      public long position() {
        return change.position();
      }
    }

    /** A change of a collection itself. */
    record OfCatalog(CatalogChange change) implements FeedChange {
      @Override
      public long position() {
        return change.position();
      }
    }
  }

  ChangeTail(
      Engine engine, WatchScope scope, ChangeImages images, SchemaEvents schema, Start start) {
    this.engine = engine;
    this.scope = scope;
    this.images = images;
    this.schema = schema;
    this.start = start;
    this.last = start.resumeAfter();
    this.seen = start.seen();
    if (last.kind() == ResumeToken.Kind.ENDING) {
      ready.add(Event.invalidated(last.epochMillis(), seen));
      ended = true;
    }
  }

  @Override
  public boolean next() {
    if (ready.isEmpty() && !ended) {
      refill();
    }
    Document event = ready.poll();
    if (event == null) {
      return false;
    }
    current = event;
    last = ResumeToken.of(event.field("_id").asDocument());
    return true;
  }

  @Override
  public Document current() {
    return current;
  }

  private void refill() {
    long bound = engine.lastPosition();
    engine.settle();
    Names names = names();
    List<FeedChange> changes = new ArrayList<>();
    names.catalog().forEach(change -> changes.add(new FeedChange.OfCatalog(change)));
    for (Collection collection : names.namespaces().keySet()) {
      if (names.everIn(scope, collection)) {
        bound = Math.min(bound, read(collection, changes));
      }
    }
    changes.sort(Comparator.comparingLong(FeedChange::position));
    for (FeedChange one : changes) {
      if (one.position() <= bound && !ended) {
        report(one, names);
      }
    }
    seen = Math.max(seen, bound);
    if (ready.isEmpty()) {
      renewToken();
    }
  }

  /**
   * Records that there are no events up to here. Without any writes the token is renewed from time
   * to time, as by MongoDB's no-op entries.
   */
  private void renewToken() {
    // reads the clock: a stream outlives the request that opened it
    long now = engine.now();
    if (seen > last.position() || now - last.epochMillis() >= RENEWAL_MILLIS) {
      last = new ResumeToken(now, seen, ResumeToken.Kind.CHANGE);
    }
  }

  /**
   * The collections to read; a single one is found by name as long as no schema change happened.
   */
  private Names names() {
    if (scope.single().isPresent()) {
      Names one = names(scope.single().flatMap(engine::find).stream());
      if (one.catalog().isEmpty()) {
        return one;
      }
    }
    return names(engine.withFeeds().stream());
  }

  private Names names(Stream<Collection> collections) {
    Map<Collection, Namespace> namespaces = new HashMap<>();
    collections
        .filter(one -> one.spec().dialect() == Dialect.MONGO)
        .forEach(one -> namespaces.put(one, one.namespace()));
    // read after the names, so it contains every change that led to them
    return new Names(
        namespaces, engine.catalogChanges(start.from(seen, engine.oldestCatalogChange())));
  }

  /** Adds the changes of a collection; returns the position up to which they are complete. */
  private long read(Collection collection, List<FeedChange> changes) {
    long complete = Long.MAX_VALUE;
    collection.settle();
    for (FeedReader feed : collection.feeds()) {
      checkKept(feed);
      if (feed.end() > seen) {
        List<Change> read = feed.read(from(feed), READ);
        read.forEach(change -> changes.add(new FeedChange.OfDocument(collection, change)));
        if (read.size() >= READ) {
          complete = Math.min(complete, read.getLast().position());
        }
      }
    }
    return complete;
  }

  /** A stream that begins at a time does not read changes stored long before it. */
  private long from(FeedReader feed) {
    return begins() ? feed.before(start.epochMillis()) : start.from(seen, feed.oldest());
  }

  private boolean begins() {
    return start.byTime() && seen == FeedReader.BEGINNING;
  }

  /** Fails if changes since the start time are no longer stored. */
  private void checkKept(FeedReader feed) {
    if (begins() && !feed.keptSince(start.epochMillis())) {
      throw lost("the changes since startAtOperationTime are no longer stored");
    }
  }

  private static EngineException lost(String detail) {
    return new EngineException(Reason.TRIMMED, detail, 0);
  }

  private void report(FeedChange one, Names names) {
    switch (one) {
      case FeedChange.OfDocument(Collection collection, Change change) -> {
        Namespace namespace = names.at(collection, change.position());
        if (change.time() >= start.epochMillis() && scope.includes(namespace)) {
          ready.add(images.event(collection, namespace, change));
        }
      }
      case FeedChange.OfCatalog(CatalogChange change) -> {
        if (change.time() >= start.epochMillis()) {
          report(change, names);
        }
      }
    }
  }

  private void report(CatalogChange change, Names names) {
    SchemaEvents.Reported events = schema.of(change);
    if (!events.events().isEmpty()) {
      checkKept(change, names);
    }
    ready.addAll(events.events());
    if (events.ends()) {
      ended = true;
      ready.add(Event.invalidated(change.time(), change.position()));
    }
  }

  /** Fails if a dropped collection has changes that can no longer be read. */
  private void checkKept(CatalogChange change, Names names) {
    boolean lost =
        switch (change) {
          case Dropped dropped -> dropped.last() > seen && !names.contains(dropped.subject().id());
          case Renamed renamed ->
              renamed.replaced().last() > seen && !names.contains(renamed.replaced().id());
          case CatalogChange _ -> false;
        };
    if (lost) {
      throw lost("the changes of a dropped collection are no longer stored");
    }
  }

  /** The current names of collections, and the schema changes from which earlier names follow. */
  private record Names(Map<Collection, Namespace> namespaces, List<CatalogChange> catalog) {
    boolean contains(long id) {
      return namespaces.keySet().stream().anyMatch(collection -> collection.id() == id);
    }

    boolean everIn(WatchScope scope, Collection collection) {
      return scope.includes(namespaces.getOrDefault(collection, collection.namespace()))
          || catalog.stream()
              .anyMatch(change -> renames(change, collection) && scope.includes(before(change)));
    }

    Namespace at(Collection collection, long position) {
      return catalog.stream()
          .filter(change -> change.position() > position && renames(change, collection))
          .findFirst()
          .map(Names::before)
          .orElseGet(() -> namespaces.getOrDefault(collection, collection.namespace()));
    }

    private static boolean renames(CatalogChange change, Collection collection) {
      return change instanceof Renamed renamed && renamed.subject().id() == collection.id();
    }

    private static Namespace before(CatalogChange renamed) {
      return ((Renamed) renamed).subject().namespace();
    }
  }

  /** Changes of other collections end the wait early; then it waits for the remaining time. */
  @Override
  public boolean await(long nanos) {
    try {
      long left = nanos;
      while (ready.isEmpty() && !ended && left > 0) {
        left = engine.awaitChange(seen, left);
        refill();
      }
      return !ready.isEmpty();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public boolean ended() {
    return ended && ready.isEmpty();
  }

  @Override
  public Optional<Document> resumeToken() {
    return Optional.of(last.toDocument());
  }

  @Override
  public void close() {
    ready.clear();
    ended = true;
  }
}
