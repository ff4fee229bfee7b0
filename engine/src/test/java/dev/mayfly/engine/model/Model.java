package dev.mayfly.engine.model;

import dev.mayfly.engine.Change.Cause;
import dev.mayfly.engine.Change.Kind;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.value.Document;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Model of a collection: a map of documents and the history of its rules, without any optimization.
 *
 * <p>It contains every document whose end is not in the feed yet, live or expired. It does not use
 * lanes, cutoffs or sequences.
 */
final class Model {
  private final Dialect dialect;
  private final Map<String, Integer> generations = new HashMap<>();
  private Map<ModelKey, ModelDocument> documents = new LinkedHashMap<>();
  private Map<String, ModelIndex> indexes = new TreeMap<>();
  private TimeToLive declared = TimeToLive.NONE;
  private ModelRules rules = ModelRules.NONE;
  private final Map<Long, ModelDocument> versions = new HashMap<>();
  private final List<Past> history = new ArrayList<>();
  private final List<Loosening> loosenings = new ArrayList<>();
  private final List<Epoch> epochs = new ArrayList<>();
  private final Deque<Expected> expected = new ArrayDeque<>();
  private long capDocuments;
  private long capBytes;
  private Optional<CollectionSpec> bounds = Optional.empty();
  private boolean building;
  private int changes;
  private long lastVersion;
  private long reading = Long.MAX_VALUE;

  /**
   * The rules before a change that can still be undone.
   *
   * @param until when they were changed
   * @param change the number of the change that ended them
   * @param lastVersion the newest version written under them
   * @param rules the rules in effect: a TTL index takes effect when it is built
   * @param declared the same as they were declared
   * @param indexes the indexes that these name
   */
  private record Past(
      long until,
      int change,
      long lastVersion,
      ModelRules rules,
      TimeToLive declared,
      Map<String, ModelIndex> indexes) {}

  /**
   * Rules that were in effect for a time.
   *
   * @param after the newest version written before
   */
  private record Epoch(long after, ModelRules rules) {}

  /** A rule change with watermarks of the rules that it has relaxed. */
  private record Loosening(Past past, ModelRules next) {
    ModelDocument keepDead(ModelDocument document) {
      Map<String, Long> lives = past.rules().lives();
      Map<String, Long> newLives = next.lives();
      for (Map.Entry<String, Long> one : past.rules().deadlines(document).entrySet()) {
        long newLife = newLives.getOrDefault(one.getKey(), Long.MAX_VALUE);
        boolean loosened = newLife > lives.getOrDefault(one.getKey(), 0L);
        if (loosened && one.getValue() <= past.until()) {
          return document.keptDeadBy(past.change());
        }
      }
      return document;
    }
  }

  /**
   * A change that the feed must contain.
   *
   * @param buried documents whose expiry must be right before it
   * @param mayBury documents whose expiry may be right before it
   */
  record Expected(
      Kind kind,
      Cause cause,
      ModelKey key,
      long version,
      Document before,
      Document after,
      Map<ModelKey, ModelDocument> buried,
      Set<ModelKey> mayBury) {}

  Model(Dialect dialect) {
    this.dialect = dialect;
    epochs.add(new Epoch(0, rules));
  }

  // ---- what is there

  List<ModelDocument> documents() {
    return List.copyOf(documents.values());
  }

  Optional<ModelDocument> find(ModelKey key) {
    return Optional.ofNullable(documents.get(key));
  }

  boolean dead(ModelDocument document, long now) {
    return rules.deadline(document) <= now || !document.keptDeadBy().isEmpty();
  }

  Map<ModelKey, ModelDocument> live(long now) {
    Map<ModelKey, ModelDocument> live = new LinkedHashMap<>();
    documents.forEach(
        (key, document) -> {
          if (!dead(document, now)) {
            live.put(key, document);
          }
        });
    return live;
  }

  Optional<ModelDocument> live(ModelKey key, long now) {
    return find(key).filter(document -> !dead(document, now));
  }

  static Usage usage(Iterable<ModelDocument> documents) {
    Usage usage = Usage.NONE;
    for (ModelDocument document : documents) {
      usage = usage.plus(new Usage(1, document.document().length()));
    }
    return usage;
  }

  ModelRules rules() {
    return rules;
  }

  TimeToLive declared() {
    return declared;
  }

  Map<String, ModelIndex> indexes() {
    return Collections.unmodifiableMap(indexes);
  }

  long lastVersion() {
    return lastVersion;
  }

  Deque<Expected> expected() {
    return expected;
  }

  void cap(long bytes, long mostDocuments) {
    capBytes = bytes;
    capDocuments = mostDocuments;
  }

  /** Makes the limits those of a bounded collection, which evicts the soonest to expire. */
  void bounded(CollectionSpec spec) {
    bounds = Optional.of(spec);
    cap(spec.cap().bytes(), spec.cap().documents());
  }

  /** Sets whether something is being built: nothing is evicted meanwhile. */
  void building(boolean now) {
    building = now;
  }

  boolean capped() {
    return capBytes > 0 || capDocuments > 0;
  }

  // ---- writes

  /**
   * Applies a group of writes and returns their expected outcomes.
   *
   * @param told the outcomes of the engine, for the versions in them
   */
  List<String> write(
      List<ModelWrite> writes, Grouping grouping, List<WriteOutcome> told, long now) {
    Map<ModelKey, ModelDocument> before = new LinkedHashMap<>(documents);
    List<String> became = new ArrayList<>();
    for (int i = 0; i < writes.size(); i++) {
      String one = write(writes.get(i), told.get(i), now);
      became.add(one);
      if (failed(one) && grouping == Grouping.ATOMIC) {
        documents = before;
        expected.clear();
        Collections.fill(became.subList(0, i), "Skipped");
      }
      if (failed(one) && grouping != Grouping.UNORDERED) {
        break;
      }
    }
    while (became.size() < writes.size()) {
      became.add("Skipped");
    }
    if (!expected.isEmpty()) {
      makeRoom(now);
    }
    return became;
  }

  private static boolean failed(String became) {
    return became.equals(became.toUpperCase(java.util.Locale.ROOT));
  }

  /** Returns an outcome of the engine in the form of the model. */
  static String told(WriteOutcome outcome) {
    return outcome instanceof WriteOutcome.Failed(EngineException failure)
        ? failure.reason().name()
        : outcome.getClass().getSimpleName();
  }

  private String write(ModelWrite write, WriteOutcome told, long now) {
    if (told instanceof WriteOutcome.Failed(EngineException failure)
        && (failure.reason() == EngineException.Reason.FAILED
            || failure.reason() == EngineException.Reason.OUTCOME_UNKNOWN)) {
      return failure.reason().name();
    }
    Optional<ModelDocument> live = live(write.key(), now);
    boolean guarded =
        write.version() != Write.ANY_VERSION
            && live.isPresent()
            && live.get().version() != write.version();
    return switch (write.kind()) {
      case INSERT -> live.isPresent() ? "DUPLICATE_ID" : put(write, live, told, now);
      case UPSERT -> guarded ? "VERSION_MISMATCH" : put(write, live, told, now);
      case REPLACE, UPDATE, DELETE, TOUCH -> {
        if (live.isEmpty()) {
          yield "NOT_FOUND";
        }
        yield guarded ? "VERSION_MISMATCH" : change(write, live.get(), told, now);
      }
    };
  }

  private String change(ModelWrite write, ModelDocument live, WriteOutcome told, long now) {
    if (write.kind() == ModelWrite.Kind.DELETE) {
      delete(live, Cause.WRITE);
      return "Deleted";
    }
    if (write.kind() == ModelWrite.Kind.UPDATE) {
      if (ModelDocument.encode(write.fields()).equals(live.document())) {
        return "Unchanged";
      }
      if (!keyOf(write.fields()).equals(live.key())) {
        return "BAD_KEY";
      }
    }
    return put(write, Optional.of(live), told, now);
  }

  private void delete(ModelDocument document, Cause cause) {
    documents.remove(document.key());
    expected.add(
        new Expected(
            Kind.DELETE,
            cause,
            document.key(),
            -1,
            document.document(),
            Document.EMPTY,
            Map.of(),
            Set.of()));
  }

  private String put(ModelWrite write, Optional<ModelDocument> live, WriteOutcome told, long now) {
    Map<String, Object> fields = write.fields();
    if (declared.strict() && fields.containsKey("ttl") && ModelDocument.ttl(fields).isEmpty()) {
      return "BAD_TTL";
    }
    Map<ModelKey, ModelDocument> buried = new LinkedHashMap<>();
    Set<ModelKey> mayBury = new java.util.HashSet<>();
    for (ModelDocument holder : List.copyOf(documents.values())) {
      for (ModelIndex index : indexes.values()) {
        if (!conflict(index, write.key(), fields, holder)) {
          continue;
        }
        boolean refused = index.ready() || told(told).equals("DUPLICATE_KEY");
        if (!dead(holder, now)) {
          if (refused) {
            return "DUPLICATE_KEY";
          }
        } else if (index.ready()) {
          buried.put(holder.key(), holder);
        } else {
          mayBury.add(holder.key());
        }
      }
    }
    mayBury.removeAll(buried.keySet());
    if (live.isEmpty()) {
      find(write.key()).ifPresent(dead -> buried.put(dead.key(), dead));
    }
    buried.keySet().forEach(documents::remove);
    store(write, live, versionOf(told), now, buried, mayBury);
    return live.isPresent() ? "Updated" : "Inserted";
  }

  /** Returns whether two documents have the same unique key. */
  private static boolean conflict(
      ModelIndex index, ModelKey key, Map<String, Object> fields, ModelDocument holder) {
    return index.unique()
        && !holder.key().equals(key)
        && holder.key().partition().equals(key.partition())
        && !Collections.disjoint(index.uniqueKeys(fields), index.uniqueKeys(holder.fields()));
  }

  /** Returns whether two live documents share a key of an index. */
  boolean conflict(ModelIndex index, long now) {
    List<ModelDocument> live = List.copyOf(live(now).values());
    return live.stream()
        .anyMatch(
            one ->
                live.stream().anyMatch(other -> conflict(index, one.key(), one.fields(), other)));
  }

  /** Returns whether the build of a unique index meets an expired document with a duplicate key. */
  boolean inTheWay(ModelDocument dead, long now) {
    return dead(dead, now)
        && indexes.values().stream()
            .filter(index -> !index.ready())
            .anyMatch(
                index ->
                    documents.values().stream()
                        .anyMatch(other -> conflict(index, dead.key(), dead.fields(), other)));
  }

  /** Touches a live document that was read: its life starts again by the rules that slide. */
  void touch(ModelKey key, long now) {
    live(key, now)
        .filter(document -> rules.earliestUse(document) < now)
        .ifPresent(document -> documents.put(key, document.touched(now, changes)));
  }

  private static long versionOf(WriteOutcome told) {
    return switch (told) {
      case WriteOutcome.Inserted(StoredDocument after) -> after.version();
      case WriteOutcome.Updated(_, StoredDocument after) -> after.version();
      default -> -1;
    };
  }

  private void store(
      ModelWrite write,
      Optional<ModelDocument> live,
      long version,
      long now,
      Map<ModelKey, ModelDocument> buried,
      Set<ModelKey> mayBury) {
    Document document = ModelDocument.encode(write.fields());
    long born = live.map(ModelDocument::born).orElse(version);
    lastVersion = Math.max(lastVersion, version);
    ModelDocument stored =
        new ModelDocument(
            write.key(), write.fields(), document, version, born, now, now, 0, Set.of());
    documents.put(write.key(), stored);
    versions.put(version, stored);
    expected.add(
        new Expected(
            live.isPresent() ? Kind.UPDATE : Kind.INSERT,
            Cause.WRITE,
            write.key(),
            version,
            live.map(ModelDocument::document).orElse(Document.EMPTY),
            document,
            buried,
            mayBury));
  }

  /** Removes live documents beyond the cap: the oldest, or the soonest to expire. */
  private void makeRoom(long now) {
    Set<ModelKey> ours = new HashSet<>();
    expected.forEach(one -> ours.add(one.key()));
    while (capped() && !(bounds.isPresent() && building)) {
      List<ModelDocument> live = new ArrayList<>(live(now).values());
      Usage usage = usage(live);
      boolean overfull =
          (capDocuments > 0 && usage.documents() > capDocuments)
              || (capBytes > 0 && usage.bytes() > capBytes);
      if (!overfull || usage.documents() <= 1) {
        return;
      }
      live.sort(
          bounds.isPresent()
              ? Comparator.comparing((ModelDocument one) -> ours.contains(one.key()))
                  .thenComparingLong(rules::deadline)
                  .thenComparing(this::primaryKey, java.util.Arrays::compareUnsigned)
              : Comparator.comparingLong(ModelDocument::born));
      delete(live.getFirst(), Cause.CAP);
    }
  }

  private byte[] primaryKey(ModelDocument document) {
    return PrimaryKey.of(bounds.orElseThrow(), document.key().documentKey()).bytes();
  }

  ModelKey keyOf(Map<String, Object> fields) {
    Object id = dialect == Dialect.MONGO ? fields.get("_id") : fields.get("id");
    return ModelKey.of((String) fields.getOrDefault("p", ""), java.util.Objects.requireNonNull(id));
  }

  // ---- rules

  /** Returns the generation of a new index with a name. */
  int nextGeneration(String name) {
    return generations.merge(name, 1, Integer::sum);
  }

  /** Changes rules and indexes; expired documents stay expired. */
  void alter(TimeToLive next, Map<String, ModelIndex> nextIndexes, long now) {
    forget(Math.min(declared.graceMillis(), next.graceMillis()), now);
    boolean change = !sameRules(next, nextIndexes);
    Past past = past(now);
    declared = next;
    indexes = new TreeMap<>(nextIndexes);
    rules = rulesOf(declared);
    if (change) {
      enter(past);
    }
  }

  private boolean sameRules(TimeToLive next, Map<String, ModelIndex> nextIndexes) {
    boolean sameIndexes =
        declared.indexes().keySet().stream()
            .allMatch(name -> sameIndex(indexes.get(name), nextIndexes.get(name)));
    TimeToLive sameGrace = next.withGrace(declared.graceMillis()).withStrict(declared.strict());
    return sameIndexes && declared.equals(sameGrace);
  }

  private static boolean sameIndex(
      @org.jspecify.annotations.Nullable ModelIndex a,
      @org.jspecify.annotations.Nullable ModelIndex b) {
    return a != null && b != null && a.generation() == b.generation();
  }

  private Past past(long now) {
    TimeToLive inForce = declared;
    for (ModelIndex index : indexes.values()) {
      inForce = index.ready() ? inForce : inForce.withIndex(index.name(), TimeToLive.OFF);
    }
    return new Past(now, ++changes, lastVersion, rules, inForce, new TreeMap<>(indexes));
  }

  /** Records a rule change, with watermarks of relaxed rules. */
  private void enter(Past past) {
    Loosening loosening = new Loosening(past, rules);
    documents.replaceAll((_, document) -> loosening.keepDead(document));
    loosenings.add(loosening);
    history.add(past);
    epochs.add(new Epoch(lastVersion, rules));
  }

  /** Records that an index is built: its TTL takes effect. */
  void built(String name, long now) {
    ModelIndex index = java.util.Objects.requireNonNull(indexes.get(name));
    Past past = past(now);
    indexes.put(name, index.withReady(true));
    ModelRules next = rulesOf(declared);
    if (!next.equals(rules)) {
      forget(declared.graceMillis(), now);
      rules = next;
      enter(past);
    }
  }

  private ModelRules rulesOf(TimeToLive ttl) {
    return rulesOf(ttl, true);
  }

  /** The rules in effect; for a proposal, as if its indexes were built. */
  private ModelRules rulesOf(TimeToLive ttl, boolean onlyReady) {
    return rulesOf(ttl, indexes, onlyReady);
  }

  static ModelRules rulesOf(TimeToLive ttl, Map<String, ModelIndex> indexes, boolean onlyReady) {
    List<ModelRules.IndexRule> dated = new ArrayList<>();
    for (ModelIndex index : indexes.values()) {
      Long seconds = ttl.indexes().get(index.name());
      if (seconds != null && (index.ready() || !onlyReady) && index.paths().size() == 1) {
        dated.add(
            new ModelRules.IndexRule(
                index.name(),
                index.generation(),
                index.paths().getFirst(),
                index.onlyColour(),
                ttl.indexFormat(index.name()),
                seconds));
      }
    }
    return new ModelRules(
        ttl.defaultSeconds(),
        ttl.property(),
        ttl.propertyFormat(),
        ttl.idSeconds(),
        ttl.idFormat(),
        dated,
        ttl.sliding().keySet());
  }

  /** Records the oldest instant of an open cursor: documents that were live then are not swept. */
  void readers(long oldest) {
    reading = oldest;
  }

  private void forget(long grace, long now) {
    history.removeIf(past -> past.until() <= Math.min(now, reading) - grace);
  }

  boolean canUndo(long now) {
    return !history.isEmpty() && history.getLast().until() > now - declared.graceMillis();
  }

  /**
   * Undoes the last rule change. If it made any rule stricter, the previous rules are restored;
   * otherwise the rules stay. Rules of indexes that are not built yet stay in any case. The
   * watermarks of that change are removed.
   */
  void undo() {
    Past last = history.removeLast();
    TimeToLive before =
        last.declared().withGrace(declared.graceMillis()).withStrict(declared.strict());
    for (String name : last.declared().indexes().keySet()) {
      if (!sameIndex(last.indexes().get(name), indexes.get(name))) {
        before = before.withIndex(name, TimeToLive.OFF);
      }
    }
    for (ModelIndex index : indexes.values()) {
      Long seconds = declared.indexes().get(index.name());
      if (!index.ready() && seconds != null) {
        before =
            before
                .withIndex(index.name(), seconds)
                .withIndexFormat(index.name(), declared.indexFormat(index.name()))
                .withSliding(
                    TimeToLive.INDEX_RULE + index.name(),
                    declared.slidingOf(TimeToLive.INDEX_RULE + index.name()));
      }
    }
    Map<String, Long> livesBefore = rulesOf(before).lives();
    boolean stricter =
        rules.lives().entrySet().stream()
            .anyMatch(
                one -> one.getValue() < livesBefore.getOrDefault(one.getKey(), Long.MAX_VALUE));
    if (stricter) {
      declared = before;
      rules = rulesOf(declared);
      epochs.add(new Epoch(lastVersion, rules));
    }
    documents.replaceAll((_, document) -> document.releasedBy(last.change()));
    loosenings.removeIf(loosening -> loosening.past().change() == last.change());
  }

  // ---- the sweep

  /**
   * Returns whether the sweep may remove a document: it is expired now, and was expired a grace ago
   * under the rules of that time. A document written after a rule change follows the new rules
   * only.
   */
  boolean sweepable(ModelDocument document, long now, long instant) {
    if (!dead(document, now)) {
      return false;
    }
    for (Past past : history) {
      if (instant < past.until()) {
        boolean kept = document.keptDeadBy().stream().anyMatch(change -> change < past.change());
        return document.version() <= past.lastVersion()
            && document.touchedAfter() < past.change()
            && (kept || past.rules().deadline(document) <= instant);
      }
    }
    return !document.keptDeadBy().isEmpty() || rules.deadline(document) <= instant;
  }

  /**
   * Returns whether the sweep must have removed a document: it is expired by one rule, then and
   * now. Dropped indexes do not count: their documents are removed a grace after the drop.
   */
  boolean overdue(ModelDocument document, long now, long instant) {
    if (!sweepable(document, now, instant)) {
      return false;
    }
    for (Past past : history) {
      if (instant < past.until()) {
        Map<String, Long> today = rules.deadlines(document);
        return document.keptDeadBy().stream().anyMatch(change -> change < past.change())
            || remaining(past).deadlines(document).entrySet().stream()
                .filter(rule -> rule.getValue() <= instant)
                .anyMatch(rule -> today.getOrDefault(rule.getKey(), Deadline.NEVER) <= now);
      }
    }
    return true;
  }

  /** Returns previous rules without those of dropped indexes. */
  private ModelRules remaining(Past past) {
    Map<String, ModelIndex> there = new TreeMap<>(past.indexes());
    there.values().removeIf(index -> !sameIndex(index, indexes.get(index.name())));
    return rulesOf(past.declared(), there, true);
  }

  /** All deadlines of a document since its last write. */
  Set<Long> deadlinesSince(ModelDocument document) {
    Set<Long> deadlines = new TreeSet<>();
    for (int i = 0; i < epochs.size(); i++) {
      boolean over = i + 1 < epochs.size() && epochs.get(i + 1).after() < document.version();
      if (!over) {
        deadlines.addAll(epochs.get(i).rules().deadlines(document).values());
      }
    }
    return deadlines;
  }

  /** Records that the expiry of a document is in the feed. */
  void swept(ModelKey key) {
    documents.remove(key);
  }

  // ---- loss of power

  /** Restores the documents of some versions; the rules stay. */
  void recover(java.util.Collection<Long> survived) {
    documents = new LinkedHashMap<>();
    for (long version : survived) {
      ModelDocument document = java.util.Objects.requireNonNull(versions.get(version));
      for (Loosening loosening : loosenings) {
        if (version <= loosening.past().lastVersion()) {
          document = loosening.keepDead(document);
        }
      }
      documents.put(document.key(), document);
    }
  }
}
