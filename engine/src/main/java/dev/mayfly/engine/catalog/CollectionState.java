package dev.mayfly.engine.catalog;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.ExpiryService.RuleChangeEntry;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.index.CatalogDocuments;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.zip.CRC32C;

/**
 * Stored state of one collection: one document in the catalog, replaced as a whole. Immutable.
 *
 * @param id not used again for another collection; a rename keeps it
 * @param shards the numbers of its shards in the store
 * @param coverSince the sequence from which on index entries are rewritten with every write, so
 *     that the write time in their headers is current; {@link Long#MAX_VALUE} if the collection
 *     never had a default TTL
 * @param history previous rules within the grace, oldest first
 * @param leftIndexes ids of dropped indexes whose entries are not deleted yet
 * @param ruleChanges the latest changes of rules, oldest first
 */
public record CollectionState(
    int id,
    Namespace namespace,
    CollectionSpec spec,
    List<Integer> shards,
    List<IndexState> indexes,
    List<LaneState> lanes,
    long coverSince,
    List<Watermark> watermarks,
    List<PreviousRules> history,
    List<Integer> leftIndexes,
    int nextIndex,
    int nextLane,
    List<RuleChangeEntry> ruleChanges) {

  public CollectionState {
    shards = List.copyOf(shards);
    indexes = List.copyOf(indexes);
    lanes = List.copyOf(lanes);
    watermarks = List.copyOf(watermarks);
    history = List.copyOf(history);
    leftIndexes = List.copyOf(leftIndexes);
    ruleChanges = List.copyOf(ruleChanges);
  }

  public CollectionState withNamespace(Namespace renamed) {
    return new CollectionState(
        id,
        renamed,
        spec,
        shards,
        indexes,
        lanes,
        coverSince,
        watermarks,
        history,
        leftIndexes,
        nextIndex,
        nextLane,
        ruleChanges);
  }

  CollectionState withRules(List<Watermark> marks, List<PreviousRules> past) {
    return new CollectionState(
        id,
        namespace,
        spec,
        shards,
        indexes,
        lanes,
        coverSince,
        marks,
        past,
        leftIndexes,
        nextIndex,
        nextLane,
        ruleChanges);
  }

  CollectionState withSpec(CollectionSpec changed) {
    return new CollectionState(
        id,
        namespace,
        changed,
        shards,
        indexes,
        lanes,
        coverSince,
        watermarks,
        history,
        leftIndexes,
        nextIndex,
        nextLane,
        ruleChanges);
  }

  public CollectionState withLanes(List<LaneState> changed, long cover, int next) {
    return new CollectionState(
        id,
        namespace,
        spec,
        shards,
        indexes,
        changed,
        cover,
        watermarks,
        history,
        leftIndexes,
        nextIndex,
        next,
        ruleChanges);
  }

  CollectionState withIndexes(List<IndexState> changed, int next) {
    return new CollectionState(
        id,
        namespace,
        spec,
        shards,
        changed,
        lanes,
        coverSince,
        watermarks,
        history,
        leftIndexes,
        next,
        nextLane,
        ruleChanges);
  }

  public CollectionState withLeft(List<Integer> left) {
    return new CollectionState(
        id,
        namespace,
        spec,
        shards,
        indexes,
        lanes,
        coverSince,
        watermarks,
        history,
        left,
        nextIndex,
        nextLane,
        ruleChanges);
  }

  /**
   * Returns this with one more change of rules, from those of another state; without the oldest if
   * there are too many.
   *
   * @param documents how many it has expired or restored; empty if unknown
   */
  public CollectionState withRuleChange(
      CollectionState before, long at, boolean undo, OptionalLong documents, String by) {
    List<RuleChangeEntry> changes = new ArrayList<>(ruleChanges);
    int number = changes.isEmpty() ? 1 : changes.getLast().number() + 1;
    changes.add(
        new RuleChangeEntry(
            number, at, undo, before.spec().timeToLive(), spec.timeToLive(), documents, by));
    int first = Math.max(0, changes.size() - RuleChangeEntry.MAX_KEPT);
    return new CollectionState(
        id,
        namespace,
        spec,
        shards,
        indexes,
        lanes,
        coverSince,
        watermarks,
        history,
        leftIndexes,
        nextIndex,
        nextLane,
        changes.subList(first, changes.size()));
  }

  /**
   * Returns a tag of the rules: it changes with every change of a rule, and when the index of a
   * rule is built or replaced. A restart does not change it.
   */
  public String rulesTag() {
    TimeToLive rules = spec.timeToLive();
    CRC32C code = new CRC32C();
    code.update(rules.withIndexes(Map.of()).toDocument().bytes());
    for (Map.Entry<String, Long> rule : new TreeMap<>(rules.indexes()).entrySet()) {
      TimeFormat format = rules.indexFormat(rule.getKey());
      String formatted = format == TimeFormat.DATE ? "" : "," + format.code();
      code.update(
          (rule.getKey() + "=" + rule.getValue() + formatted).getBytes(StandardCharsets.UTF_8));
      index(rule.getKey()).ifPresent(index -> code.update(index.toDocument().bytes()));
    }
    int number = ruleChanges.isEmpty() ? 0 : ruleChanges.getLast().number();
    return number + "-" + Long.toHexString(code.getValue());
  }

  /** Returns this with the builds of some indexes and lanes done. */
  public CollectionState whenBuilt(
      Predicate<IndexState> builtIndexes, Predicate<LaneState> builtLanes) {
    List<IndexState> ready = new ArrayList<>();
    for (IndexState index : indexes) {
      ready.add(builtIndexes.test(index) ? index.whenReady() : index);
    }
    List<LaneState> readyLanes = new ArrayList<>();
    for (LaneState lane : lanes) {
      readyLanes.add(builtLanes.test(lane) ? lane.whenReady() : lane);
    }
    return withIndexes(ready, nextIndex).withLanes(readyLanes, coverSince, nextLane);
  }

  /** Returns whether an index or lane is being built. */
  public boolean building() {
    return indexes.stream().anyMatch(index -> !index.ready())
        || lanes.stream().anyMatch(lane -> !lane.ready());
  }

  /** Returns whether a lane with a number exists, maintained or retired. */
  public boolean hasLane(int number) {
    return lanes.stream().anyMatch(lane -> lane.number() == number);
  }

  /** Prefix of the name of the rule by which documents expire with their parents. */
  private static final String FOLLOWING = "with:";

  /** The name of the rule by which documents expire with their parents in a collection. */
  public static String followingRule(String parents) {
    return FOLLOWING + parents;
  }

  /** Returns the name of the rule of a lane. */
  public String ruleOf(int lane) {
    return lanes.stream()
        .filter(candidate -> candidate.number() == lane)
        .findFirst()
        .orElseThrow()
        .rule();
  }

  public Optional<IndexState> index(String name) {
    return indexes.stream().filter(index -> index.spec().name().equals(name)).findFirst();
  }

  /** Returns the maintained lane of a kind, source and format. */
  Optional<LaneState> lane(LaneState.Kind kind, String source, TimeFormat format, boolean sliding) {
    return lanes.stream()
        .filter(
            lane ->
                lane.kept()
                    && lane.kind() == kind
                    && lane.source().equals(source)
                    && lane.format() == format
                    && lane.sliding() == sliding)
        .findFirst();
  }

  /** Returns the rules that were in effect at an instant, if they have changed since. */
  public Optional<PreviousRules> rulesAt(long instant) {
    return history.stream().filter(previous -> instant < previous.until()).findFirst();
  }

  /** Returns the watermarks that existed with previous rules. */
  public List<Watermark> watermarks(PreviousRules previous) {
    return watermarks.subList(0, previous.watermarks());
  }

  public Document toDocument() {
    return Document.writer()
        .put("id", id)
        .put("database", namespace.database())
        .put("collection", namespace.collection())
        .put("spec", spec.toDocument())
        .put("shards", Value.array(shards.stream().map(Value::of).toList()))
        .put("indexes", CatalogDocuments.array(indexes, IndexState::toDocument))
        .put("lanes", CatalogDocuments.array(lanes, LaneState::toDocument))
        .put("coverSince", coverSince)
        .put("watermarks", CatalogDocuments.array(watermarks, Watermark::toDocument))
        .put("history", CatalogDocuments.array(history, PreviousRules::toDocument))
        .put("leftIndexes", Value.array(leftIndexes.stream().map(Value::of).toList()))
        .put("nextIndex", nextIndex)
        .put("nextLane", nextLane)
        .put("ruleChanges", CatalogDocuments.array(ruleChanges, RuleChangeEntry::toDocument))
        .build();
  }

  public static CollectionState of(Document document) {
    return new CollectionState(
        document.field("id").asInt(),
        new Namespace(
            document.field("database").asString(), document.field("collection").asString()),
        CollectionSpec.of(document.field("spec").asDocument()),
        CatalogDocuments.list(document.field("shards"), Value::asInt),
        CatalogDocuments.list(document.field("indexes"), v -> IndexState.of(v.asDocument())),
        CatalogDocuments.list(document.field("lanes"), v -> LaneState.of(v.asDocument())),
        document.field("coverSince").asLong(),
        CatalogDocuments.list(document.field("watermarks"), v -> Watermark.of(v.asDocument())),
        CatalogDocuments.list(document.field("history"), v -> PreviousRules.of(v.asDocument())),
        CatalogDocuments.list(document.field("leftIndexes"), Value::asInt),
        document.field("nextIndex").asInt(),
        document.field("nextLane").asInt(),
        ruleChanges(document.field("ruleChanges")));
  }

  /** Earlier versions stored none. */
  private static List<RuleChangeEntry> ruleChanges(Value stored) {
    return stored.isMissing()
        ? List.of()
        : CatalogDocuments.list(stored, v -> RuleChangeEntry.of(v.asDocument()));
  }
}
