package dev.mayfly.engine.catalog;

import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.TimeToLive.Sliding;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Schedule;
import java.util.ArrayList;
import java.util.List;

/**
 * Lanes of the sliding rules of a collection: what a touch of a document changes. Immutable.
 *
 * <p>The last use of a document in a lane is its place, without its own {@code ttl} if the lane
 * adds it. A touch moves the last use to the instant of a read. It is persisted at once if it is a
 * slack or more after the persisted last use, so that a crash shortens a life by less than the
 * slack.
 */
public final class SlidingLanes {
  private static final long MILLIS = 1000;

  /** No rule slides. */
  private static final SlidingLanes NONE = new SlidingLanes(List.of(), List.of());

  /**
   * A lane of a sliding rule.
   *
   * @param own whether the places contain the document's own {@code ttl}
   */
  private record Slide(Lane lane, boolean own, Sliding options) {
    long ttlMillis(byte[] record) {
      return own ? Header.ttl(record, 0) * MILLIS : 0;
    }

    /** The slack of a record. */
    long slackMillis(byte[] record) {
      return options.slackMillis(own ? ttlMillis(record) : lane.lifeMillis());
    }
  }

  private final Slide[] slides;

  /** Lanes that do not slide. */
  private final Lane[] others;

  private final boolean queries;

  private SlidingLanes(List<Slide> slides, List<Lane> others) {
    this.slides = slides.toArray(Slide[]::new);
    this.others = others.toArray(Lane[]::new);
    this.queries = slides.stream().anyMatch(slide -> slide.options().queries());
  }

  static SlidingLanes of(CollectionState state, Schedule schedule) {
    TimeToLive rules = state.spec().timeToLive();
    if (rules.sliding().isEmpty()) {
      return NONE;
    }
    List<Slide> slides = new ArrayList<>();
    List<Lane> others = new ArrayList<>();
    for (Lane lane : schedule.lanes()) {
      if (!lane.sliding()) {
        others.add(lane);
      } else {
        LaneState stored =
            state.lanes().stream()
                .filter(one -> one.number() == lane.number())
                .findFirst()
                .orElseThrow();
        String rule = stored.slidingRule();
        boolean own = stored.kind() == LaneState.Kind.PROPERTY_OWN;
        slides.add(new Slide(lane, own, rules.slidingOf(rule).orElseThrow()));
      }
    }
    return slides.isEmpty() ? NONE : new SlidingLanes(slides, others);
  }

  public boolean isEmpty() {
    return slides.length == 0;
  }

  /** Returns whether each document that a query returns is touched, not only by its id. */
  public boolean byQuery() {
    return queries;
  }

  /**
   * Returns the earliest deadline of a record in these lanes, by its places; {@link Deadline#NEVER}
   * if it is in none of them.
   */
  public long deadline(byte[] record) {
    long earliest = Deadline.NEVER;
    for (Slide slide : slides) {
      long place = Schedule.placeOf(slide.lane, record);
      earliest = Math.min(earliest, Deadline.of(place, slide.lane.lifeMillis()));
    }
    return earliest;
  }

  /**
   * Returns the deadline of a record with a touch that is not in its places, in all lanes. The
   * touch counts where it is later than the last use, without a look at the document.
   */
  public long deadline(byte[] record, long touch) {
    long earliest = Deadline.NEVER;
    for (Lane lane : others) {
      earliest = Math.min(earliest, Deadline.of(Schedule.placeOf(lane, record), lane.lifeMillis()));
    }
    for (Slide slide : slides) {
      long place = Schedule.placeOf(slide.lane, record);
      if (place != Header.NO_PLACE) {
        long touched = Math.max(place, touch + slide.ttlMillis(record));
        earliest = Math.min(earliest, Deadline.of(touched, slide.lane.lifeMillis()));
      }
    }
    return earliest;
  }

  /** Returns the earliest last use of a record; {@link Header#NO_PLACE} if it is in no lane. */
  public long lastUse(byte[] record) {
    long earliest = Header.NO_PLACE;
    for (Slide slide : slides) {
      long place = Schedule.placeOf(slide.lane, record);
      if (place != Header.NO_PLACE) {
        earliest = Math.min(earliest, place - slide.ttlMillis(record));
      }
    }
    return earliest;
  }

  /**
   * Returns the first instant of a touch that is persisted at once: a slack after the last use that
   * is persisted.
   */
  public long slackEnd(byte[] record) {
    long earliest = Long.MAX_VALUE;
    for (Slide slide : slides) {
      long place = Schedule.placeOf(slide.lane, record);
      if (place != Header.NO_PLACE) {
        long use = place - slide.ttlMillis(record);
        earliest = Math.min(earliest, use + slide.slackMillis(record));
      }
    }
    return earliest;
  }
}
