package dev.mayfly.expiry;

import java.util.ArrayList;
import java.util.List;

/**
 * Why and when the documents of a collection expire: the lanes that count now and the marks of what
 * expired under earlier rules.
 */
public record Schedule(List<Lane> lanes, List<Mark> marks) {
  /** Nothing ever expires. */
  public static final Schedule NONE = new Schedule(List.of(), List.of());

  public Schedule {
    lanes = List.copyOf(lanes);
    marks = List.copyOf(marks);
  }

  /** The predicate at one instant. */
  public Cutoffs at(long now) {
    return lanes.isEmpty() && marks.isEmpty() ? Cutoffs.NONE : new Cutoffs(this, now);
  }

  /** The predicate of the marks alone: what is dead for good. */
  public Cutoffs dead() {
    return marks.isEmpty() ? Cutoffs.NONE : new Schedule(List.of(), marks).at(Long.MIN_VALUE);
  }

  /** This schedule with further marks; marks that others cover are dropped. */
  public Schedule with(List<Mark> more) {
    List<Mark> all = marks;
    for (Mark mark : more) {
      all = add(all, mark);
    }
    return new Schedule(lanes, all);
  }

  /**
   * The watermarks that a change of rules leaves behind: for each lane whose cutoff the new lanes
   * set back or drop, the place it had reached.
   *
   * @param sequence the sequence of the change: documents written from it on answer to the new
   *     rules alone
   */
  public List<Mark> watermarks(List<Lane> newLanes, long now, long sequence) {
    List<Mark> left = new ArrayList<>();
    Cutoffs after = new Schedule(newLanes, List.of()).at(now);
    for (Lane lane : lanes) {
      long reached = lane.cutoff(now);
      if (reached > after.of(lane.number())) {
        left.add(
            new Mark(
                lane.number(), reached, sequence, lane.lifeMillis(), lane.since(), lane.places()));
      }
    }
    return left;
  }

  /** Adds a mark to a list, without those that are covered by another. */
  public static List<Mark> add(List<Mark> marks, Mark added) {
    if (marks.stream().anyMatch(mark -> mark.covers(added))) {
      return marks;
    }
    List<Mark> kept = new ArrayList<>(marks.size() + 1);
    for (Mark mark : marks) {
      if (!added.covers(mark)) {
        kept.add(mark);
      }
    }
    kept.add(added);
    return kept;
  }

  /** The deadline of the document behind a record under the lanes that count now. */
  public long deadline(byte[] record) {
    long earliest = Deadline.NEVER;
    for (Lane lane : lanes) {
      long place = placeOf(lane, record);
      earliest = Math.min(earliest, Deadline.of(place, lane.lifeMillis()));
    }
    return earliest;
  }

  /** The place of a record in a lane: from its header, or from its document when that is older. */
  public static long placeOf(Lane lane, byte[] record) {
    boolean covered = Lane.implicit(lane.number()) || Header.sequence(record, 0) >= lane.since();
    return covered
        ? Header.place(record, 0, lane.number())
        : lane.places().of(dev.mayfly.value.Document.trusted(record, Header.length(record, 0)));
  }
}
