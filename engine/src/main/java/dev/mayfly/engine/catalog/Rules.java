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

/** Turns what the catalog says about time to live into lanes and schedules. */
public final class Rules {
  private static final long MILLIS = 1000;

  /** Seconds beyond which milliseconds would not fit: no document lives that long. */
  private static final double LATEST_SECOND = 1e15;

  private Rules() {}

  /** The lanes that rules make count, among those that the collection keeps up. */
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

  /** The lanes that rules of the past made count: an index of the same name may be another now. */
  public static List<Lane> lanes(CollectionState state, PreviousRules previous) {
    return lanes(state, previous.timeToLive()).stream()
        .filter(lane -> lane.since() < previous.sequence())
        .toList();
  }

  /** Lanes and watermarks that count now. */
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
   * Adds a mark, without those that others cover. One of a longer life covers none of a shorter: it
   * tells of later deadlines.
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

  /** The sequence from which headers tell places in a lane that the collection has. */
  public static long since(CollectionState state, int lane) {
    return state.lanes().stream()
        .filter(candidate -> candidate.number() == lane)
        .mapToLong(LaneState::since)
        .findFirst()
        .orElseThrow();
  }

  /** A mark of what is swept, on a lane that the collection still has. */
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

  /** The life in milliseconds that rules give a lane, or -1 when it does not count under them. */
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

  /** How a lane reads the place of a document. */
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
      if (Double.isNaN(seconds) || Math.abs(seconds) > LATEST_SECOND) {
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
