package dev.mayfly.engine;

import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * All that the catalog knows of one collection: one document in the store, replaced as a whole.
 *
 * @param id never used again for another collection; a rename keeps it
 * @param shards the numbers of its shards in the store
 * @param coverSince the sequence from which every entry of a document is rewritten with it, so that
 *     the time of the last write found there can be relied upon; {@link Long#MAX_VALUE} while the
 *     collection never had a default TTL
 * @param history the rules before, oldest first, as far as the grace needs them
 * @param leftIndexes indexes that are gone, but whose entries have not been cleared yet
 */
record CollectionState(
    int id,
    Namespace namespace,
    CollectionSpec spec,
    List<Integer> shards,
    List<IndexState> indexes,
    List<LaneState> lanes,
    long coverSince,
    List<Watermark> watermarks,
    List<Past> history,
    List<Integer> leftIndexes,
    int nextIndex,
    int nextLane) {

  CollectionState {
    shards = List.copyOf(shards);
    indexes = List.copyOf(indexes);
    lanes = List.copyOf(lanes);
    watermarks = List.copyOf(watermarks);
    history = List.copyOf(history);
    leftIndexes = List.copyOf(leftIndexes);
  }

  CollectionState withNamespace(Namespace renamed) {
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
        nextLane);
  }

  CollectionState withRules(List<Watermark> marks, List<Past> past) {
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
        nextLane);
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
        nextLane);
  }

  CollectionState withLanes(List<LaneState> changed, long cover, int next) {
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
        next);
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
        nextLane);
  }

  CollectionState withLeft(List<Integer> left) {
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
        nextLane);
  }

  /** This with every build among {@code builtIndexes} and {@code builtLanes} done. */
  CollectionState whenBuilt(Predicate<IndexState> builtIndexes, Predicate<LaneState> builtLanes) {
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

  /** Whether an index or a lane is still being built. */
  boolean building() {
    return indexes.stream().anyMatch(index -> !index.ready())
        || lanes.stream().anyMatch(lane -> !lane.ready());
  }

  /** Whether there is a lane of a number, kept or retired. */
  boolean hasLane(int number) {
    return lanes.stream().anyMatch(lane -> lane.number() == number);
  }

  /** What the rule behind a lane is called. */
  String ruleOf(int lane) {
    return lanes.stream()
        .filter(candidate -> candidate.number() == lane)
        .findFirst()
        .orElseThrow()
        .rule();
  }

  Optional<IndexState> index(String name) {
    return indexes.stream().filter(index -> index.spec().name().equals(name)).findFirst();
  }

  /** The lane of that kind and source that writes keep up. */
  Optional<LaneState> lane(LaneState.Kind kind, String source) {
    return lanes.stream()
        .filter(lane -> lane.kept() && lane.kind() == kind && lane.source().equals(source))
        .findFirst();
  }

  /** The rules that counted at an instant, if others have followed since. */
  Optional<Past> pastAt(long instant) {
    return history.stream().filter(past -> instant < past.until()).findFirst();
  }

  /** The watermarks that counted with rules of the past. */
  List<Watermark> watermarks(Past past) {
    return watermarks.subList(0, past.watermarks());
  }

  Document toDocument() {
    return Document.writer()
        .put("id", id)
        .put("database", namespace.database())
        .put("collection", namespace.collection())
        .put("spec", spec.toDocument())
        .put("shards", Value.array(shards.stream().map(Value::of).toList()))
        .put("indexes", Documents.array(indexes, IndexState::toDocument))
        .put("lanes", Documents.array(lanes, LaneState::toDocument))
        .put("coverSince", coverSince)
        .put("watermarks", Documents.array(watermarks, Watermark::toDocument))
        .put("history", Documents.array(history, Past::toDocument))
        .put("leftIndexes", Value.array(leftIndexes.stream().map(Value::of).toList()))
        .put("nextIndex", nextIndex)
        .put("nextLane", nextLane)
        .build();
  }

  static CollectionState of(Document document) {
    return new CollectionState(
        document.field("id").asInt(),
        new Namespace(
            document.field("database").asString(), document.field("collection").asString()),
        CollectionSpec.of(document.field("spec").asDocument()),
        Documents.list(document.field("shards"), Value::asInt),
        Documents.list(document.field("indexes"), v -> IndexState.of(v.asDocument())),
        Documents.list(document.field("lanes"), v -> LaneState.of(v.asDocument())),
        document.field("coverSince").asLong(),
        Documents.list(document.field("watermarks"), v -> Watermark.of(v.asDocument())),
        Documents.list(document.field("history"), v -> Past.of(v.asDocument())),
        Documents.list(document.field("leftIndexes"), Value::asInt),
        document.field("nextIndex").asInt(),
        document.field("nextLane").asInt());
  }
}
