package dev.mayfly.expiry;

import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Expiry schedule of a collection: the lanes of its current rules, and the marks of documents that
 * have expired already. Immutable.
 */
public record Schedule(List<Lane> lanes, List<Mark> marks) {
  /** Nothing ever expires. */
  public static final Schedule NONE = new Schedule(List.of(), List.of());

  public Schedule {
    lanes = List.copyOf(lanes);
    marks = List.copyOf(marks);
  }

  /** Returns the expiry predicate at an instant. */
  public Cutoffs at(long now) {
    return lanes.isEmpty() && marks.isEmpty() ? Cutoffs.NONE : new Cutoffs(this, now);
  }

  /** Returns the predicate of the marks alone: documents that stay expired. */
  public Cutoffs dead() {
    return marks.isEmpty() ? Cutoffs.NONE : new Schedule(List.of(), marks).at(Long.MIN_VALUE);
  }

  /** Returns this schedule with further marks, without marks that others cover. */
  public Schedule with(List<Mark> more) {
    List<Mark> all = marks;
    for (Mark mark : more) {
      all = add(all, mark);
    }
    return new Schedule(lanes, all);
  }

  /**
   * Returns the watermarks of a rule change: for each lane whose cutoff moves back or that is no
   * longer used, the cutoff before the change.
   *
   * @param sequence the sequence of the change: the watermarks do not apply to documents written
   *     from it on
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

  /** Returns a list with one more mark, without marks that others cover. */
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

  /** Returns the deadline of a record under the current rules. */
  public long deadline(byte[] record) {
    long earliest = Deadline.NEVER;
    for (Lane lane : lanes) {
      long place = placeOf(lane, record);
      earliest = Math.min(earliest, Deadline.of(place, lane.lifeMillis()));
    }
    return earliest;
  }

  /** Returns the lane in which a record expires first under the current rules, if it does. */
  public Optional<Lane> earliest(byte[] record) {
    @Nullable Lane first = null;
    long earliest = Deadline.NEVER;
    for (Lane lane : lanes) {
      long deadline = Deadline.of(placeOf(lane, record), lane.lifeMillis());
      if (deadline < earliest) {
        first = lane;
        earliest = deadline;
      }
    }
    return Optional.ofNullable(first);
  }

  /** Returns whether the header of an entry contains the places in all lanes. */
  public boolean coveredBy(byte[] entry) {
    for (Lane lane : lanes) {
      boolean covered =
          Lane.implicit(lane.number())
              ? Header.coversWrite(entry, 0)
              : Header.sequence(entry, 0) >= lane.since();
      if (!covered) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the place of a record in a lane: from its header, or from its document if it was
   * written before the lane.
   */
  public static long placeOf(Lane lane, byte[] record) {
    boolean covered = Lane.implicit(lane.number()) || Header.sequence(record, 0) >= lane.since();
    return covered
        ? Header.place(record, 0, lane.number())
        : lane.places()
            .of(Document.trusted(record, Header.length(record, 0)), Header.usedAt(record, 0));
  }
}
