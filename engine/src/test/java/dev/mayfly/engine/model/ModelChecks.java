package dev.mayfly.engine.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Change.Kind;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Forecast;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Compares all reads of a collection with the model. */
final class ModelChecks {
  private final Model model;
  private final ArchiveChecks archive;
  private final Dialect dialect;
  private final List<ModelKey> keys;
  private final Map<Integer, Long> positions = new HashMap<>();
  private final Map<Integer, List<Change>> told = new HashMap<>();
  private final Map<ModelKey, Integer> shards = new HashMap<>();
  private long lastPosition;
  private int indexScans;
  private boolean lagging;

  ModelChecks(Model model, ArchiveChecks archive, Dialect dialect, List<ModelKey> keys) {
    this.model = model;
    this.archive = archive;
    this.dialect = dialect;
    this.keys = keys;
  }

  /** The number of queries that used an index; the test is useless if none did. */
  int indexScans() {
    return indexScans;
  }

  // ---- reads

  void pointReads(LocalCollection collection, long now) {
    Map<ModelKey, ModelDocument> live = model.live(now);
    for (ModelKey key : keys) {
      ModelDocument expected = live.get(key);
      var found = collection.peek(key.documentKey());
      if (expected == null) {
        assertThat(found).as("read %s", key).isEmpty();
      } else {
        assertThat(found).as("read %s", key).contains(expected.stored(model.rules()));
      }
    }
  }

  void usage(LocalCollection collection, long now) {
    Usage expected = Model.usage(model.live(now).values());
    assertThat(collection.usage()).as("usage").isEqualTo(expected);
    assertThat(collection.count(Filter.all())).as("count").isEqualTo(expected.documents());
  }

  /**
   * A scan of everything, then values and ranges, through indexes where there are any.
   *
   * @param caughtUp whether lazy indexes are complete; otherwise they may lack documents
   */
  void queries(LocalCollection collection, ModelDraw draw, long now, boolean caughtUp) {
    lagging = collection.spec().indexing() == IndexingMode.LAZY && !caughtUp;
    query(collection, Filter.all(), _ -> true, now);
    String colour = draw.colourName();
    equal(collection, "colour", colour, now);
    equal(collection, "u", draw.below(20), now);
    int low = draw.below(10);
    range(collection, "n", low, low + 1 + draw.below(4), now);
    Instant date = draw.nearDate(now);
    if (dialect == Dialect.MONGO) {
      equal(collection, "at", date, now);
      range(collection, "at", date, date.plusSeconds(draw.below(8)), now);
      range(collection, "at", Instant.EPOCH.minusSeconds(draw.below(3)), date, now);
      range(collection, "box.when", Instant.EPOCH, date, now);
    }
    Predicate<ModelDocument> both =
        document ->
            matches(document, "colour", end -> compare(end, colour) == 0)
                && matches(document, "n", end -> compare(end, low) >= 0);
    query(
        collection,
        Filter.and(List.of(at("colour", Operator.EQ, colour), at("n", Operator.GTE, low))),
        both,
        now);
  }

  private void equal(LocalCollection collection, String path, Object value, long now) {
    query(
        collection,
        at(path, Operator.EQ, value),
        document -> matches(document, path, end -> compare(end, value) == 0),
        now);
  }

  private void range(LocalCollection collection, String path, Object from, Object to, long now) {
    query(
        collection,
        Filter.and(List.of(at(path, Operator.GTE, from), at(path, Operator.LT, to))),
        document ->
            matches(document, path, end -> compare(end, from) >= 0)
                && matches(
                    document, path, end -> compare(end, to) < 0 && compare(end, to) != UNLIKE),
        now);
  }

  private static Filter at(String path, Operator operator, Object value) {
    return new Filter.Compare(FieldPath.of(path), operator, ModelDocument.value(value));
  }

  private static final int UNLIKE = Integer.MIN_VALUE;

  /** Compares two values of one kind; returns {@link #UNLIKE} for different kinds. */
  private static int compare(Object a, Object b) {
    if (a instanceof Number x && b instanceof Number y) {
      return Double.compare(x.doubleValue(), y.doubleValue());
    }
    if (a instanceof String x && b instanceof String y) {
      return Integer.signum(x.compareTo(y));
    }
    return a instanceof Instant x && b instanceof Instant y
        ? Integer.signum(x.compareTo(y))
        : UNLIKE;
  }

  /** MongoDB looks into arrays, Cosmos does not. */
  private boolean matches(ModelDocument document, String path, Predicate<Object> wanted) {
    Object value = document.fields().get(path);
    if (dialect == Dialect.COSMOS) {
      return value != null && wanted.test(value);
    }
    return ModelDocument.ends(document.fields(), path).stream().anyMatch(wanted);
  }

  private void query(
      LocalCollection collection, Filter filter, Predicate<ModelDocument> wanted, long now) {
    Map<ModelKey, StoredDocument> expected = new HashMap<>();
    model
        .live(now)
        .forEach(
            (key, document) -> {
              if (wanted.test(document)) {
                expected.put(key, document.stored(model.rules()));
              }
            });
    Map<ModelKey, StoredDocument> found;
    String plan;
    try (QueryCursor cursor = collection.query(Query.of(filter, dialect.mode()))) {
      plan = cursor.plan();
      found = all(cursor);
    }
    indexScans += plan.startsWith("index") ? 1 : 0;
    if (lagging && plan.startsWith("index")) {
      assertThat(expected.entrySet()).as("%s by %s", filter, plan).containsAll(found.entrySet());
    } else {
      if (model.declared().sliding().isEmpty()) {
        assertThat(found).as("%s by %s", filter, plan).isEqualTo(expected);
      }
      same(filter + " by " + plan, found, expected);
      assertThat(collection.count(filter)).as("count of %s", filter).isEqualTo(expected.size());
    }
  }

  /**
   * Compares the documents of a query. Their deadlines may lack touches that are in memory; those
   * of point reads do not.
   */
  static void same(
      String what, Map<ModelKey, StoredDocument> found, Map<ModelKey, StoredDocument> expected) {
    assertThat(found.keySet()).as(what).isEqualTo(expected.keySet());
    expected.forEach(
        (key, document) -> {
          StoredDocument other = java.util.Objects.requireNonNull(found.get(key));
          assertThat(other.deadline())
              .as("deadline of %s", key)
              .isLessThanOrEqualTo(document.deadline());
          assertThat(withDeadline(other, document.deadline())).as(what).isEqualTo(document);
        });
  }

  private static StoredDocument withDeadline(StoredDocument one, long deadline) {
    return new StoredDocument(
        one.document(), one.version(), one.birth(), one.writtenAt(), deadline);
  }

  /** Returns the remaining documents of a cursor; fails if one is returned twice. */
  Map<ModelKey, StoredDocument> all(QueryCursor cursor) {
    Map<ModelKey, StoredDocument> found = new HashMap<>();
    while (cursor.next()) {
      StoredDocument stored = cursor.current();
      ModelKey key = keyOf(stored.document());
      assertThat(found.put(key, stored)).as("%s is found twice", key).isNull();
    }
    return found;
  }

  private ModelKey keyOf(Document document) {
    Value id = document.at(dialect.id());
    Value partition = document.field("p");
    return ModelKey.of(new DocumentKey(partition.isMissing() ? List.of() : List.of(partition), id));
  }

  /** No two documents share a key of a unique index that is built, dead ones included. */
  void uniqueKeys() {
    for (ModelIndex index : model.indexes().values()) {
      Set<List<Object>> taken = new HashSet<>();
      if (index.unique() && index.ready()) {
        for (ModelDocument document : model.documents()) {
          for (Object key : index.uniqueKeys(document.fields())) {
            assertThat(taken.add(List.of(document.key().partition(), key)))
                .as("%s held once in %s", key, index.name())
                .isTrue();
          }
        }
      }
    }
  }

  // ---- the future

  /**
   * Compares forecasts; a document with the same deadline by two rules may be counted for either.
   */
  void forecast(LocalCollection collection, long until, long now) {
    Map<String, Usage> surely = new TreeMap<>();
    Map<String, Usage> perhaps = new TreeMap<>();
    Usage total = Usage.NONE;
    for (ModelDocument document : model.live(now).values()) {
      long deadline = model.rules().deadline(document);
      if (deadline > until || deadline == Deadline.NEVER) {
        continue;
      }
      Usage one = new Usage(1, document.document().length());
      total = total.plus(one);
      List<String> first =
          model.rules().deadlines(document).entrySet().stream()
              .filter(rule -> rule.getValue() == deadline)
              .map(rule -> rule.getKey().substring(0, rule.getKey().indexOf('#')))
              .toList();
      for (String rule : first) {
        (first.size() == 1 ? surely : perhaps).merge(rule, one, Usage::plus);
      }
    }
    Forecast forecast = collection.expiry().forecast(until);
    assertThat(forecast.total()).as("forecast for %s", until - now).isEqualTo(total);
    forecast.byRule().forEach((rule, usage) -> between(rule, usage, surely, perhaps));
    assertThat(forecast.byRule().keySet()).containsAll(surely.keySet());
  }

  private static void between(
      String rule, Usage usage, Map<String, Usage> surely, Map<String, Usage> perhaps) {
    Usage least = surely.getOrDefault(rule, Usage.NONE);
    Usage most = least.plus(perhaps.getOrDefault(rule, Usage.NONE));
    assertThat(usage.documents())
        .as("documents due by %s", rule)
        .isBetween(least.documents(), most.documents());
    assertThat(usage.bytes()).as("bytes due by %s", rule).isBetween(least.bytes(), most.bytes());
  }

  /** Counts the live documents that rules would expire at once. */
  Usage expiredBy(ModelRules proposed, long now) {
    return Model.usage(
        model.live(now).values().stream()
            .filter(document -> proposed.deadline(document) <= now)
            .toList());
  }

  // ---- the feed

  /**
   * Reads the new entries of the feeds: the writes of this step in order, each after the expiries
   * that it has caused, and otherwise only expiries of documents that the sweep may remove.
   *
   * @param settled the time of deletions
   * @param mayEnd the documents that background work may have removed in this step
   */
  void feed(LocalCollection collection, long now, long settled, Predicate<ModelDocument> mayEnd) {
    ChangeImageMode images = collection.spec().feed().images();
    Map<ModelKey, Change> ends = new HashMap<>();
    for (Change change : fresh(collection)) {
      assertThat(change.time()).isIn(now, settled);
      if (change.kind() == Kind.EXPIRE) {
        assertThat(ends.put(ModelKey.of(change.key()), change)).as("told twice").isNull();
        if (model.expected().isEmpty()) {
          swept(ends, images, now, mayEnd);
        }
      } else {
        written(change, ends, images, now);
      }
    }
    assertThat(ends).as("ends told without a write that follows").isEmpty();
    assertThat(model.expected()).as("changes that the feed does not tell").isEmpty();
  }

  private List<Change> fresh(LocalCollection collection) {
    List<Change> fresh = new ArrayList<>();
    List<FeedReader> feeds = collection.feeds();
    for (int shard = 0; shard < feeds.size(); shard++) {
      List<Change> more =
          feeds.get(shard).read(positions.getOrDefault(shard, 0L), Integer.MAX_VALUE);
      for (Change change : more) {
        positions.put(shard, change.position());
        Integer known = shards.put(ModelKey.of(change.key()), shard);
        assertThat(known == null ? shard : known).as("shard of %s", change.key()).isEqualTo(shard);
      }
      assertThat(feeds.get(shard).end()).isEqualTo(positions.getOrDefault(shard, 0L));
      told.computeIfAbsent(shard, _ -> new ArrayList<>()).addAll(more);
      fresh.addAll(more);
    }
    fresh.sort(Comparator.comparingLong(Change::position));
    for (Change change : fresh) {
      assertThat(change.position()).as("positions grow").isGreaterThan(lastPosition);
      lastPosition = change.position();
    }
    return fresh;
  }

  private void written(
      Change change, Map<ModelKey, Change> ends, ChangeImageMode images, long now) {
    if (model.expected().isEmpty()) {
      fail("an unexpected change: " + change);
    }
    Model.Expected expected = model.expected().removeFirst();
    assertThat(change.kind()).as("%s", change).isEqualTo(expected.kind());
    assertThat(change.cause()).isEqualTo(expected.cause());
    assertThat(ModelKey.of(change.key())).isEqualTo(expected.key());
    Document told = change.kind() == Kind.DELETE ? expected.before() : expected.after();
    assertThat(change.key().id()).isEqualTo(told.at(dialect.id()));
    if (expected.version() >= 0) {
      assertThat(change.position()).isEqualTo(expected.version());
    }
    boolean differences = images == ChangeImageMode.DIFFERENCES && change.kind() == Kind.UPDATE;
    assertThat(change.differences()).isEqualTo(differences);
    if (differences) {
      assertThat(change.before()).isEqualTo(beyond(expected.before(), expected.after()));
      assertThat(change.after()).isEqualTo(beyond(expected.after(), expected.before()));
    } else {
      assertThat(change.before()).isEqualTo(images.before() ? expected.before() : Document.EMPTY);
      assertThat(change.after()).isEqualTo(images.after() ? expected.after() : Document.EMPTY);
    }
    expected
        .buried()
        .forEach(
            (key, document) -> {
              Change end = ends.remove(key);
              assertThat(end).as("the end of %s is in the feed", key).isNotNull();
              ended(java.util.Objects.requireNonNull(end), document, images, now);
            });
    for (ModelKey key : Set.copyOf(ends.keySet())) {
      assertThat(expected.mayBury()).as("buried by %s", change).contains(key);
      ended(java.util.Objects.requireNonNull(ends.remove(key)), stored(key), images, now);
      model.swept(key);
    }
  }

  /** Returns the fields in which a document differs from another one. */
  private static Document beyond(Document document, Document other) {
    DocumentWriter rest = Document.writer();
    Fields fields = document.fields();
    while (fields.next()) {
      if (!fields.value().equals(other.field(fields.name()))) {
        rest.put(fields.name(), fields.value());
      }
    }
    return rest.build();
  }

  private ModelDocument stored(ModelKey key) {
    return model
        .find(key)
        .orElseThrow(() -> new AssertionError("the end of " + key + " has been told before"));
  }

  private void swept(
      Map<ModelKey, Change> ends,
      ChangeImageMode images,
      long now,
      Predicate<ModelDocument> mayEnd) {
    ends.forEach(
        (key, change) -> {
          ModelDocument document = stored(key);
          assertThat(model.dead(document, now)).as("%s is dead", document).isTrue();
          assertThat(mayEnd.test(document)).as("%s may be swept", document).isTrue();
          ended(change, document, images, now);
          model.swept(key);
        });
    ends.clear();
  }

  private void ended(Change change, ModelDocument document, ChangeImageMode images, long now) {
    archive.expired(ModelKey.of(change.key()), document.document());
    assertThat(change.before()).isEqualTo(images.before() ? document.document() : Document.EMPTY);
    assertThat(change.after()).isEqualTo(Document.EMPTY);
    assertThat(change.key().id()).isEqualTo(document.document().at(dialect.id()));
    assertThat(change.deadline()).as("deadline of %s", change).isLessThanOrEqualTo(now);
    assertThat(model.deadlinesSince(document))
        .as("deadlines of %s", document)
        .contains(change.deadline());
  }

  /**
   * Reads the feeds after a power failure, and derives the documents from their last changes.
   * Synced changes must be present.
   *
   * @param synced the position up to which the feed of each shard must exist
   */
  void powerLost(LocalCollection collection, Map<Integer, Long> synced) {
    List<FeedReader> feeds = collection.feeds();
    Map<ModelKey, Long> written = new LinkedHashMap<>();
    for (int shard = 0; shard < feeds.size(); shard++) {
      long end = feeds.get(shard).end();
      assertThat(end).as("end of the feed").isGreaterThanOrEqualTo(synced.getOrDefault(shard, 0L));
      List<Change> changes = told.computeIfAbsent(shard, _ -> new ArrayList<>());
      changes.removeIf(change -> change.position() > end);
      assertThat(changes.isEmpty() ? 0 : changes.getLast().position()).isEqualTo(end);
      positions.put(shard, end);
      for (Change change : changes) {
        ModelKey key = ModelKey.of(change.key());
        if (change.kind() == Kind.INSERT || change.kind() == Kind.UPDATE) {
          written.put(key, change.position());
        } else {
          written.remove(key);
        }
      }
    }
    model.recover(written.values());
    archive.powerLost();
  }

  /** The positions up to which the feeds were read. */
  Map<Integer, Long> positions() {
    return Map.copyOf(positions);
  }

  /** Checks that no thread holds the lock of a shard. */
  void locksAreFree(LocalCollection collection) {
    for (ShardOwner owner : collection.owners()) {
      assertThat(owner.lock().isFree()).as("the lock of a shard is free").isTrue();
    }
  }

  /** Checks that the sweep has removed all documents that it must. */
  void nothingLeft(long now, long instant) {
    for (ModelDocument document : model.documents()) {
      assertThat(model.overdue(document, now, instant)).as("%s is overdue", document).isFalse();
    }
  }

  /** Compares the whole feed with all changes so far; reads of trimmed changes must fail. */
  void wholeFeed(LocalCollection collection) {
    List<FeedReader> feeds = collection.feeds();
    for (int shard = 0; shard < feeds.size(); shard++) {
      FeedReader feed = feeds.get(shard);
      long oldest = feed.oldest();
      List<Change> kept =
          told.getOrDefault(shard, List.of()).stream()
              .filter(change -> change.position() > oldest)
              .toList();
      assertThat(feed.read(oldest, Integer.MAX_VALUE)).isEqualTo(kept);
      if (oldest > 0) {
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> feed.read(oldest - 1, 1))
            .isInstanceOfSatisfying(
                EngineException.class,
                refused -> assertThat(refused.reason()).isEqualTo(EngineException.Reason.TRIMMED));
      }
      if (!kept.isEmpty()) {
        long middle = kept.get(kept.size() / 2).position();
        assertThat(feed.read(middle, Integer.MAX_VALUE))
            .isEqualTo(kept.subList(kept.size() / 2 + 1, kept.size()));
      }
    }
  }

  /** Checks that exactly the old changes are trimmed after all work is done. */
  void trimmed(LocalCollection collection, long now) {
    long retention = collection.spec().feed().retentionMillis();
    List<FeedReader> feeds = collection.feeds();
    for (int shard = 0; shard < feeds.size(); shard++) {
      long oldest = feeds.get(shard).oldest();
      for (Change change : told.getOrDefault(shard, List.of())) {
        assertThat(change.position() <= oldest)
            .as("%s is trimmed", change)
            .isEqualTo(change.time() <= now - retention);
      }
    }
  }
}
