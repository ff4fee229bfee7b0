package dev.mayfly.engine.catalog;

import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.storage.OwnTtl;
import dev.mayfly.expiry.EarliestDate;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.HeaderFields;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Mark;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compiler of TTL rules: computes lanes, marks and schedules from the state of a collection. Pure
 * functions.
 */
public final class Rules {
  private static final long MILLIS = 1000;

  /** Bound for a property in epoch seconds: larger values would overflow as milliseconds. */
  private static final double MAX_SECONDS = 1e15;

  private Rules() {}

  /** Returns the maintained lanes that rules use. */
  static List<Lane> lanes(CollectionState state, TimeToLive rules) {
    List<Lane> lanes = new ArrayList<>();
    for (LaneState lane : state.lanes()) {
      long life = life(state, rules, lane);
      if (lane.kept() && life >= 0) {
        lanes.add(new Lane(lane.number(), life, lane.since(), places(state, lane)));
      }
    }
    return lanes;
  }

  /**
   * Returns the lanes that previous rules use. A later index with the same name is not one of them.
   */
  public static List<Lane> lanes(CollectionState state, PreviousRules previous) {
    return lanes(state, previous.timeToLive()).stream()
        .filter(lane -> lane.since() < previous.sequence())
        .toList();
  }

  /** Returns the current lanes and watermarks. */
  public static Schedule schedule(CollectionState state) {
    return schedule(state, state.spec().timeToLive(), state.watermarks());
  }

  public static Schedule schedule(
      CollectionState state, TimeToLive rules, List<Watermark> watermarks) {
    List<Mark> marks = new ArrayList<>();
    for (Watermark watermark : watermarks) {
      mark(state, watermark.lane(), watermark.place(), watermark.sequence(), watermark.lifeMillis())
          .ifPresent(mark -> add(marks, mark));
    }
    return new Schedule(lanes(state, rules), marks);
  }

  /**
   * Adds a mark and removes marks that are covered. A mark with a longer TTL does not replace one
   * with a shorter TTL, because the deadlines differ.
   */
  private static void add(List<Mark> marks, Mark added) {
    if (marks.stream().noneMatch(mark -> replaces(mark, added))) {
      marks.removeIf(mark -> replaces(added, mark));
      marks.add(added);
    }
  }

  private static boolean replaces(Mark one, Mark other) {
    return one.covers(other) && one.lifeMillis() <= other.lifeMillis();
  }

  /** Returns the sequence from which on headers contain places of a lane. The lane must exist. */
  public static long since(CollectionState state, int lane) {
    return state.lanes().stream()
        .filter(candidate -> candidate.number() == lane)
        .mapToLong(LaneState::since)
        .findFirst()
        .orElseThrow();
  }

  /** Returns a mark of the sweep; empty if the collection no longer has the lane. */
  public static Optional<Mark> mark(CollectionState state, int lane, long place, long sequence) {
    return mark(state, lane, place, sequence, 0);
  }

  private static Optional<Mark> mark(
      CollectionState state, int lane, long place, long sequence, long lifeMillis) {
    return state.lanes().stream()
        .filter(candidate -> candidate.number() == lane)
        .map(
            found ->
                new Mark(lane, place, sequence, lifeMillis, found.since(), places(state, found)))
        .findFirst();
  }

  /** Returns the TTL in milliseconds that rules give a lane, or -1 if they do not use it. */
  static long life(CollectionState state, TimeToLive rules, LaneState lane) {
    boolean byProperty = !rules.property().isEmpty();
    return switch (lane.kind()) {
      case INHERITED -> byProperty ? -1 : defaultLife(rules);
      case OWN -> byProperty || !rules.hasDefault() ? -1 : 0;
      case PROPERTY -> rules.property().equals(lane.source()) ? defaultLife(rules) : -1;
      case PROPERTY_OWN -> byProperty && rules.property().equals(lane.source()) ? 0 : -1;
      case INDEX -> indexLife(state, rules.indexes(), lane.source());
      case ID -> rules.idSeconds() == TimeToLive.OFF ? -1 : rules.idSeconds() * MILLIS;
    };
  }

  private static long defaultLife(TimeToLive rules) {
    return rules.defaultSeconds() > 0 ? rules.defaultSeconds() * MILLIS : -1;
  }

  private static long indexLife(CollectionState state, Map<String, Long> rules, String index) {
    Long seconds = rules.get(index);
    boolean ready = state.index(index).map(IndexState::ready).orElse(false);
    return seconds == null || !ready ? -1 : seconds * MILLIS;
  }

  /** Returns the function that computes the place of a document in a lane. */
  static Lane.Places places(CollectionState state, LaneState lane) {
    return switch (lane.kind()) {
      case INHERITED, OWN -> _ -> Header.NO_PLACE;
      case PROPERTY -> byProperty(FieldPath.of(lane.source()), false);
      case PROPERTY_OWN -> byProperty(FieldPath.of(lane.source()), true);
      case INDEX -> byIndex(state.spec().dialect(), IndexSpec.of(lane.index()));
      case ID -> byId(state.spec().dialect().id());
    };
  }

  private static Lane.Places byProperty(FieldPath path, boolean own) {
    return document -> {
      Value base = document.at(path);
      int ttl = OwnTtl.of(document);
      boolean counts = own ? ttl > 0 : ttl == HeaderFields.NO_TTL;
      if (!counts || !base.isNumber()) {
        return Header.NO_PLACE;
      }
      double seconds = base.asDouble();
      if (Double.isNaN(seconds) || Math.abs(seconds) > MAX_SECONDS) {
        return Header.NO_PLACE;
      }
      return ((long) Math.floor(seconds) + (own ? ttl : 0)) * MILLIS;
    };
  }

  private static Lane.Places byIndex(Dialect dialect, IndexSpec index) {
    boolean dates = index.parts().size() == 1 && !index.parts().getFirst().manyPaths();
    if (!dates) {
      return _ -> Header.NO_PLACE;
    }
    FieldPath path = index.parts().getFirst().path();
    Filter partial = index.partial();
    if (partial.equals(Filter.all())) {
      return document -> EarliestDate.of(path, document);
    }
    return document ->
        partial.matcher(dialect.mode()).matches(document)
            ? EarliestDate.of(path, document)
            : Header.NO_PLACE;
  }

  private static Lane.Places byId(FieldPath id) {
    return document -> datedId(document, id);
  }

  private static long datedId(Document document, FieldPath path) {
    Value id = document.at(path);
    return id.type() == Type.DATE && id.asDate() >= 0 ? id.asDate() : Header.NO_PLACE;
  }
}
