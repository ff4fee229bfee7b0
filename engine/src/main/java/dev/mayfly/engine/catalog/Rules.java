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
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
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
        lanes.add(lane(state, lane, life));
      }
    }
    return lanes;
  }

  /** Returns a lane with the TTL of its rule. */
  static Lane lane(CollectionState state, LaneState lane, long lifeMillis) {
    return new Lane(lane.number(), lifeMillis, lane.since(), places(state, lane), lane.sliding());
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
    if (rules.slides(lane.slidingRule()) != lane.sliding()) {
      return -1;
    }
    boolean byProperty = !rules.property().isEmpty();
    return switch (lane.kind()) {
      case INHERITED -> byProperty ? -1 : defaultLife(rules);
      case OWN -> byProperty || !rules.hasDefault() ? -1 : 0;
      case PROPERTY -> isProperty(rules, lane) ? defaultLife(rules) : -1;
      case PROPERTY_OWN -> rules.hasDefault() && isProperty(rules, lane) ? 0 : -1;
      case INDEX ->
          rules.indexFormat(lane.source()) == lane.format()
              ? indexLife(state, rules.indexes(), lane.source())
              : -1;
      case ID ->
          rules.idSeconds() == TimeToLive.OFF || rules.idFormat() != lane.format()
              ? -1
              : rules.idSeconds() * MILLIS;
    };
  }

  private static boolean isProperty(TimeToLive rules, LaneState lane) {
    return rules.property().equals(lane.source()) && rules.propertyFormat() == lane.format();
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
      case INHERITED, OWN -> (_, _) -> Header.NO_PLACE;
      case PROPERTY -> byProperty(lane, false);
      case PROPERTY_OWN -> byProperty(lane, true);
      case INDEX -> {
        Times times = byIndex(state.spec().dialect(), IndexSpec.of(lane.index()), lane.format());
        yield lane.sliding() ? sliding(times) : (document, _) -> times.of(document);
      }
      case ID -> {
        Times times = byId(state.spec().dialect().id(), lane.format());
        yield lane.sliding() ? sliding(times) : (document, _) -> times.of(document);
      }
    };
  }

  /** Function from a document to the time that a rule reads. */
  private interface Times {
    /** Returns the time, or {@link Header#NO_PLACE} if the document has no time. */
    long of(Document document);
  }

  /** Returns the later one of the time in a document and its last use. */
  private static Lane.Places sliding(Times times) {
    return (document, usedAt) -> Math.max(times.of(document), usedAt);
  }

  private static Lane.Places byProperty(LaneState lane, boolean own) {
    Times starts = lane.source().isEmpty() ? _ -> Long.MIN_VALUE : startsOf(lane);
    boolean sliding = lane.sliding();
    return (document, usedAt) -> {
      int ttl = OwnTtl.of(document);
      boolean counts = own ? ttl > 0 : ttl == HeaderFields.NO_TTL;
      if (!counts) {
        return Header.NO_PLACE;
      }
      long time = starts.of(document);
      if (time == TimeFormat.NONE) {
        return Header.NO_PLACE;
      }
      long start = sliding ? Math.max(time, usedAt) : time;
      long place = own ? start + ttl * MILLIS : start;
      return place < start ? Header.NO_PLACE : place;
    };
  }

  private static Times startsOf(LaneState lane) {
    FieldPath path = FieldPath.of(lane.source());
    TimeFormat format = lane.format();
    return document -> {
      Value base = document.at(path);
      return format == TimeFormat.SECONDS ? wholeSecond(base) : format.of(base);
    };
  }

  /** Returns the second of a number of seconds, as Cosmos DB rounds them. */
  private static long wholeSecond(Value base) {
    if (!base.isNumber()) {
      return TimeFormat.NONE;
    }
    double seconds = base.asDouble();
    return Double.isNaN(seconds) || Math.abs(seconds) > MAX_SECONDS
        ? TimeFormat.NONE
        : (long) Math.floor(seconds) * MILLIS;
  }

  private static Times byIndex(Dialect dialect, IndexSpec index, TimeFormat format) {
    boolean dates = index.parts().size() == 1 && !index.parts().getFirst().manyPaths();
    if (!dates) {
      return _ -> Header.NO_PLACE;
    }
    EarliestDate times = EarliestDate.at(index.parts().getFirst().path(), format);
    Filter partial = index.partial();
    if (partial.equals(Filter.all())) {
      return times::of;
    }
    return document ->
        partial.matcher(dialect.mode()).matches(document) ? times.of(document) : Header.NO_PLACE;
  }

  private static Times byId(FieldPath path, TimeFormat format) {
    return document -> {
      long time = format.of(document.at(path));
      return time >= 0 ? time : Header.NO_PLACE;
    };
  }
}
