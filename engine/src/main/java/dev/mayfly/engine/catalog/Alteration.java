package dev.mayfly.engine.catalog;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.catalog.LaneState.Kind;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Mark;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Transition of a collection to a changed spec: computes the next state. A pure function, used for
 * the change itself and for the what-if.
 *
 * <p>A change of TTL rules rewrites no documents. Existing lanes are kept, and a missing lane is
 * declared and built in the background. Watermarks keep documents expired that had expired before.
 */
public final class Alteration {
  private final CollectionState old;
  private final CollectionSpec spec;
  private final ChangeTime at;
  private final long sequence;
  private List<LaneState> lanes;
  private int nextLane;
  private long coverSince;

  private Alteration(CollectionState old, CollectionSpec spec, ChangeTime at, long sequence) {
    this.old = old;
    this.spec = spec;
    this.at = at;
    this.sequence = sequence;
    this.lanes = new ArrayList<>(old.lanes());
    this.nextLane = old.nextLane();
    this.coverSince = old.coverSince();
  }

  /** Returns the state of a new collection. */
  public static CollectionState create(
      int id, Namespace namespace, CollectionSpec spec, List<Integer> shards, long now, long seq) {
    CollectionSpec bare =
        spec.withTimeToLive(TimeToLive.NONE.withStrict(spec.timeToLive().strict()))
            .withIndexes(List.of());
    CollectionState empty =
        new CollectionState(
            id,
            namespace,
            bare,
            shards,
            List.of(),
            List.of(),
            Long.MAX_VALUE,
            List.of(),
            List.of(),
            List.of(),
            1,
            Lane.FIRST_EXPLICIT,
            List.of());
    return apply(empty, spec, new ChangeTime(now, now, false), seq)
        .whenBuilt(_ -> true, _ -> true)
        .withRules(List.of(), List.of());
  }

  /**
   * Returns the state after a change.
   *
   * @param sequence the sequence of the change: documents written before it have lower ones
   */
  public static CollectionState apply(
      CollectionState old, CollectionSpec spec, ChangeTime at, long sequence) {
    CollectionState next = new Alteration(old, spec, at, sequence).apply();
    assert next.id() == old.id() && next.shards().equals(old.shards());
    assert next.nextIndex() >= old.nextIndex();
    assert next.watermarks().containsAll(old.watermarks());
    assert next.history().stream().allMatch(one -> one.watermarks() <= next.watermarks().size());
    return next;
  }

  private CollectionState apply() {
    checkFixed();
    boolean rulesChange =
        !sameRules(old.spec().timeToLive(), spec.timeToLive()) || replacesTtlIndex();
    CollectionState changed = withIndexes(rulesChange);
    declareLanes();
    changed = changed.withLanes(lanes, coverSince, nextLane).withSpec(spec);
    return rulesChange ? withRules(changed) : changed.withRules(old.watermarks(), history());
  }

  private void checkFixed() {
    boolean same = spec.shape().equals(old.spec().shape()) && spec.capped() == old.spec().capped();
    if (!same) {
      throw new EngineException(
          Reason.BAD_SPEC,
          "dialect, partition key, number of shards and capped or not cannot be changed");
    }
  }

  private static boolean sameRules(TimeToLive a, TimeToLive b) {
    return a.equals(b.withGrace(a.graceMillis()).withStrict(a.strict()));
  }

  /** Returns whether a TTL index is replaced by another index with the same name. */
  private boolean replacesTtlIndex() {
    return spec.indexes().stream()
        .anyMatch(
            index ->
                old.spec().timeToLive().indexes().containsKey(index.name())
                    && old.index(index.name()).filter(state -> same(state, index)).isEmpty());
  }

  private CollectionState withIndexes(boolean rulesChange) {
    List<IndexState> indexes = new ArrayList<>();
    int next = old.nextIndex();
    boolean rebuild = rebuildsLazy(rulesChange);
    for (IndexSpec index : spec.indexes()) {
      Optional<IndexState> known = old.index(index.name()).filter(state -> same(state, index));
      if (known.isPresent() && !(rebuild && !index.unique())) {
        indexes.add(new IndexState(known.get().id(), index, known.get().ready()));
      } else {
        indexes.add(new IndexState(next++, index, false));
      }
    }
    for (int i = 0; i < lanes.size(); i++) {
      LaneState lane = lanes.get(i);
      boolean gone =
          lane.kind() == Kind.INDEX
              && !lane.source().isEmpty()
              && spec.indexes().stream().noneMatch(index -> laneOf(lane, index));
      if (gone) {
        lanes.set(i, lane.orphaned());
      }
    }
    List<Integer> left = new ArrayList<>(old.leftIndexes());
    for (IndexState index : old.indexes()) {
      if (indexes.stream().noneMatch(kept -> kept.id() == index.id())) {
        left.add(index.id());
      }
    }
    return old.withIndexes(indexes, next).withLeft(left);
  }

  /**
   * Returns whether lazy indexes are built again: if rules change, or if indexing is no longer
   * lazy, so that missing entries would not be added.
   */
  private boolean rebuildsLazy(boolean rulesChange) {
    boolean lazy = spec.indexing() == IndexingMode.LAZY;
    return lazy ? rulesChange : old.spec().indexing() == IndexingMode.LAZY;
  }

  /** Returns whether an index has the same keys: it may differ in hidden and guarded. */
  private static boolean same(IndexState state, IndexSpec index) {
    return state.spec().withHidden(index.hidden()).withGuarded(index.guarded()).equals(index);
  }

  private static boolean laneOf(LaneState lane, IndexSpec index) {
    return lane.source().equals(index.name())
        && IndexSpec.of(lane.index())
            .withHidden(index.hidden())
            .withGuarded(index.guarded())
            .equals(index);
  }

  private void declareLanes() {
    TimeToLive ttl = spec.timeToLive();
    boolean slides = ttl.slides(TimeToLive.PROPERTY_RULE);
    if (ttl.hasDefault() && ttl.property().isEmpty() && !slides) {
      declare(Kind.INHERITED, "", Document.EMPTY, Kind.INHERITED.standardFormat(), false);
      declare(Kind.OWN, "", Document.EMPTY, Kind.OWN.standardFormat(), false);
      coverSince = Math.min(coverSince, sequence);
    }
    if (!ttl.property().isEmpty() || slides) {
      declare(Kind.PROPERTY, ttl.property(), Document.EMPTY, ttl.propertyFormat(), slides);
      declare(Kind.PROPERTY_OWN, ttl.property(), Document.EMPTY, ttl.propertyFormat(), slides);
    }
    for (IndexSpec index : spec.indexes()) {
      String name = index.name();
      if (ttl.indexes().containsKey(name)) {
        boolean slidesByIndex = ttl.slides(TimeToLive.INDEX_RULE + name);
        declare(Kind.INDEX, name, index.toDocument(), ttl.indexFormat(name), slidesByIndex);
      }
    }
    if (ttl.idSeconds() != TimeToLive.OFF) {
      boolean slidesById = ttl.slides(TimeToLive.ID_RULE);
      declare(Kind.ID, "", Document.EMPTY, ttl.idFormat(), slidesById);
    }
  }

  private void declare(
      Kind kind, String source, Document index, TimeFormat format, boolean sliding) {
    boolean known =
        lanes.stream()
            .anyMatch(
                lane ->
                    lane.kept()
                        && lane.kind() == kind
                        && lane.source().equals(source)
                        && lane.format() == format
                        && lane.sliding() == sliding);
    if (known) {
      return;
    }
    int number =
        switch (kind) {
          case INHERITED -> Lane.INHERITED;
          case OWN -> Lane.OWN;
          case PROPERTY, PROPERTY_OWN, INDEX, ID -> unusedNumber();
        };
    long explicit =
        lanes.stream().filter(lane -> lane.kept() && lane.number() >= Lane.FIRST_EXPLICIT).count();
    boolean touches = !spec.timeToLive().sliding().isEmpty();
    int most = Header.MAX_PLACES - (touches ? Header.TOUCH_PLACES : 0);
    if (explicit >= most) {
      throw new EngineException(Reason.BAD_SPEC, "a collection has too many TTL rules");
    }
    lanes.removeIf(lane -> lane.number() == number);
    lanes.add(new LaneState(number, kind, source, index, format, sliding, sequence, false, true));
  }

  /**
   * Returns the next number that no lane has. Numbers wrap around; entries of the earlier lane are
   * cleared before.
   */
  private int unusedNumber() {
    int number = nextLane;
    do {
      number = number > Short.MAX_VALUE ? Lane.FIRST_EXPLICIT : number;
      nextLane = number + 1;
      int candidate = number;
      if (lanes.stream().noneMatch(lane -> lane.number() == candidate)) {
        return number;
      }
      number++;
    } while (lanes.size() < Short.MAX_VALUE - Lane.FIRST_EXPLICIT);
    throw new EngineException(Reason.BAD_SPEC, "a collection has too many TTL rules");
  }

  private CollectionState withRules(CollectionState changed) {
    List<Watermark> watermarks = new ArrayList<>(old.watermarks());
    Schedule before = Rules.schedule(old);
    List<Lane> after = Rules.lanes(changed, spec.timeToLive());
    List<Mark> reached = at.paused() ? List.of() : before.watermarks(after, at.now(), sequence);
    for (Mark mark : reached) {
      watermarks.add(
          new Watermark(
              mark.lane(), mark.place(), sequence, at.now(), lifeOf(before, mark.lane())));
    }
    List<PreviousRules> history = history();
    history.add(new PreviousRules(at.now(), sequence, effective(old), old.watermarks().size()));
    return changed.withRules(watermarks, history);
  }

  private static long lifeOf(Schedule schedule, int lane) {
    return schedule.lanes().stream()
        .filter(candidate -> candidate.number() == lane)
        .mapToLong(Lane::lifeMillis)
        .findFirst()
        .orElse(0);
  }

  /**
   * Returns the previous rules that the sweep or an undo may still need. A longer grace has no
   * effect on the past, because the sweep has already used the shorter one.
   */
  private List<PreviousRules> history() {
    long grace = Math.min(old.spec().timeToLive().graceMillis(), spec.timeToLive().graceMillis());
    return recent(old, grace, at.read());
  }

  /**
   * Returns the state after a sweep: without watermarks that are swept, and with lanes retired that
   * no rule needs, now or within the grace.
   *
   * @param passed whether all documents below a watermark are swept
   */
  public static CollectionState swept(
      CollectionState state, Predicate<Watermark> passed, ChangeTime at) {
    List<PreviousRules> history = recent(state, state.spec().timeToLive().graceMillis(), at.read());
    List<Watermark> unswept =
        history.isEmpty()
            ? state.watermarks().stream().filter(passed.negate()).toList()
            : state.watermarks();
    List<LaneState> lanes = new ArrayList<>();
    for (LaneState lane : state.lanes()) {
      boolean idle =
          lane.kept()
              && history.isEmpty()
              && unswept.stream().noneMatch(mark -> mark.lane() == lane.number())
              && !isNeeded(state, lane);
      lanes.add(idle ? lane.retired() : lane);
    }
    return state.withRules(unswept, history).withLanes(lanes, state.coverSince(), state.nextLane());
  }

  /**
   * Returns the numbers of lanes that can be removed once their marks are not needed: no document
   * can expire in them, and no undo can need them.
   */
  public static List<Integer> retired(CollectionState state) {
    if (!state.history().isEmpty()) {
      return List.of();
    }
    List<Integer> retired = new ArrayList<>();
    for (LaneState lane : state.lanes()) {
      boolean marked = state.watermarks().stream().anyMatch(mark -> mark.lane() == lane.number());
      if (!lane.kept() && !marked && lane.number() >= Lane.FIRST_EXPLICIT) {
        retired.add(lane.number());
      }
    }
    return retired;
  }

  /** Returns the state without some lanes, if they are still retired. */
  public static CollectionState withoutRetired(CollectionState state, List<Integer> lanes) {
    List<Integer> retired = retired(state);
    List<LaneState> left =
        state.lanes().stream()
            .filter(lane -> !lanes.contains(lane.number()) || !retired.contains(lane.number()))
            .toList();
    return state.withLanes(left, state.coverSince(), state.nextLane());
  }

  /** Returns whether the current rules need a lane, even if they do not use it yet. */
  private static boolean isNeeded(CollectionState state, LaneState lane) {
    TimeToLive ttl = state.spec().timeToLive();
    return switch (lane.kind()) {
      case INHERITED, OWN -> ttl.hasDefault() && ttl.property().isEmpty();
      case PROPERTY, PROPERTY_OWN ->
          ttl.property().equals(lane.source()) && ttl.propertyFormat() == lane.format();
      case INDEX ->
          ttl.indexes().containsKey(lane.source())
              && ttl.indexFormat(lane.source()) == lane.format();
      case ID -> ttl.idSeconds() != TimeToLive.OFF && ttl.idFormat() == lane.format();
    };
  }

  private static List<PreviousRules> recent(CollectionState state, long grace, long instant) {
    List<PreviousRules> recent = new ArrayList<>();
    for (PreviousRules previous : state.history()) {
      if (previous.until() > instant - grace) {
        recent.add(previous);
      }
    }
    return recent;
  }

  /** Returns the state after a build. If a TTL rule takes effect with it, this is a rule change. */
  public static CollectionState built(
      CollectionState state, int index, int lane, ChangeTime at, long sequence) {
    CollectionState done =
        state.whenBuilt(built -> built.id() == index, built -> built.number() == lane);
    boolean effective =
        Rules.lanes(done, done.spec().timeToLive()).size()
            != Rules.lanes(state, state.spec().timeToLive()).size();
    if (!effective) {
      return done;
    }
    List<PreviousRules> history = recent(state, state.spec().timeToLive().graceMillis(), at.read());
    history.add(new PreviousRules(at.now(), sequence, effective(state), state.watermarks().size()));
    return done.withRules(state.watermarks(), history);
  }

  /** Returns the rules that are in effect: without those of indexes that are not built yet. */
  private static TimeToLive effective(CollectionState state) {
    TimeToLive effective = state.spec().timeToLive();
    for (IndexState index : state.indexes()) {
      if (!index.ready()) {
        effective = effective.withIndex(index.spec().name(), TimeToLive.OFF);
      }
    }
    return effective;
  }

  /**
   * Returns the state with the last rule change undone: documents that it expired are live again.
   *
   * <p>If the change expired documents, the previous rules are restored. If it only extended TTLs,
   * it stays, and documents that had expired before it become live under it.
   */
  public static CollectionState undone(CollectionState state, ChangeTime at) {
    TimeToLive ttl = state.spec().timeToLive();
    if (recent(state, ttl.graceMillis(), at.now()).isEmpty()) {
      throw new EngineException(Reason.NOTHING_TO_UNDO, state.namespace().toString());
    }
    List<PreviousRules> history = new ArrayList<>(state.history());
    PreviousRules last = history.removeLast();
    TimeToLive before = last.timeToLive().withGrace(ttl.graceMillis()).withStrict(ttl.strict());
    for (String index : last.timeToLive().indexes().keySet()) {
      boolean same =
          state
              .lane(
                  Kind.INDEX,
                  index,
                  last.timeToLive().indexFormat(index),
                  last.timeToLive().slides(TimeToLive.INDEX_RULE + index))
              .filter(lane -> lane.since() < last.sequence())
              .isPresent();
      if (!same) {
        before = before.withIndex(index, TimeToLive.OFF);
      }
    }
    for (IndexState index : state.indexes()) {
      Long seconds = ttl.indexes().get(index.spec().name());
      if (!index.ready() && seconds != null) {
        String name = index.spec().name();
        String rule = TimeToLive.INDEX_RULE + name;
        before =
            before
                .withIndex(name, seconds)
                .withIndexFormat(name, ttl.indexFormat(name))
                .withSliding(rule, ttl.slidingOf(rule));
      }
    }
    Schedule then = new Schedule(Rules.lanes(state, ttl), List.of());
    boolean expired = !then.watermarks(Rules.lanes(state, before), last.until(), 0).isEmpty();
    CollectionSpec spec = expired ? state.spec().withTimeToLive(before) : state.spec();
    return state.withSpec(spec).withRules(state.watermarks(last), history);
  }
}
