package dev.mayfly.engine.liveness;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.catalog.Rules;
import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.ByteCursor;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Mark;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.expiry.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Sweep progress of the lanes of a shard, as marks. Documents at or below the marks are dead
 * permanently, their expiries are in the feed, and their space may be reclaimed. Immutable.
 */
public final class SweptLanes {
  public static final SweptLanes NOTHING = new SweptLanes(List.of(), List.of());

  /**
   * Part of a place: the documents at the place up to a primary key are swept.
   *
   * @param sequence as {@link Mark#sequence()}
   * @param since as {@link Mark#since()}
   */
  public record Part(int lane, long place, ByteKey upTo, long sequence, long since) {
    /** Returns whether this part contains the other. */
    boolean covers(Part other) {
      return lane == other.lane
          && place == other.place
          && sequence >= other.sequence
          && Arrays.compareUnsigned(upTo.array(), other.upTo.array()) >= 0;
    }
  }

  private final List<Mark> marks;
  private final List<Part> parts;
  private final Cutoffs cutoffs;

  public SweptLanes(List<Mark> marks, List<Part> parts) {
    this.marks = List.copyOf(marks);
    this.parts = List.copyOf(parts);
    this.cutoffs = new Schedule(List.of(), marks).dead();
  }

  public List<Mark> marks() {
    return marks;
  }

  /** The cutoffs of the marks, without places that are swept in part. */
  public Cutoffs cutoffs() {
    return cutoffs;
  }

  /**
   * Returns whether the document of an entry has been swept; UNKNOWN if only its record contains
   * the answer.
   */
  public Verdict judge(byte[] entry, byte[] primaryKey) {
    Verdict verdict = cutoffs.judge(entry, 0);
    return inPart(entry, primaryKey) ? Verdict.EXPIRED : verdict;
  }

  /** Returns whether the document of a record has been swept. */
  public boolean covers(byte[] record, byte[] primaryKey) {
    return switch (judge(record, primaryKey)) {
      case EXPIRED -> true;
      case LIVE -> false;
      case UNKNOWN -> cutoffs.expired(record);
    };
  }

  /** Returns this progress after a further slice of one lane. */
  public SweptLanes after(List<Mark> reached, Optional<Part> part) {
    List<Mark> all = marks;
    for (Mark mark : reached) {
      all = Schedule.add(all, mark);
    }
    List<Part> left = new ArrayList<>();
    for (Part other : parts) {
      if (!covered(all, other) && part.filter(next -> next.covers(other)).isEmpty()) {
        left.add(other);
      }
    }
    part.ifPresent(left::add);
    SweptLanes next = new SweptLanes(all, left);
    assert next.includes(this);
    return next;
  }

  /** Returns whether everything that is swept under the other progress is swept under this one. */
  private boolean includes(SweptLanes other) {
    return other.marks.stream()
            .allMatch(mark -> covered(marks, mark.lane(), mark.place(), mark.sequence()))
        && other.parts.stream()
            .allMatch(
                old -> covered(marks, old) || parts.stream().anyMatch(part -> part.covers(old)));
  }

  private static boolean covered(List<Mark> marks, Part part) {
    return covered(marks, part.lane(), part.place(), part.sequence());
  }

  private static boolean covered(List<Mark> marks, int lane, long place, long sequence) {
    return marks.stream()
        .anyMatch(
            mark -> mark.lane() == lane && mark.place() >= place && mark.sequence() >= sequence);
  }

  /** Returns whether marks would cover a place that is swept in part, which is then obsolete. */
  public boolean partCoveredBy(List<Mark> reached) {
    return parts.stream().anyMatch(part -> covered(reached, part));
  }

  /** Returns whether documents may have been swept that are live under the given cutoffs. */
  public boolean goesBeyond(Cutoffs live) {
    for (Mark mark : marks) {
      if (mark.place() > live.reach(mark.lane(), mark.sequence())) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether any place is swept in part. */
  public boolean hasParts() {
    return !parts.isEmpty();
  }

  /** Returns whether the document of an entry belongs to the swept part of its place. */
  public boolean inPart(byte[] entry, byte[] primaryKey) {
    for (Part part : parts) {
      long written = Header.sequence(entry, 0);
      if (written < part.sequence()
          && (part.lane() < Lane.FIRST_EXPLICIT || written >= part.since())
          && Header.place(entry, 0, part.lane()) == part.place()
          && Arrays.compareUnsigned(primaryKey, part.upTo().array()) <= 0) {
        return true;
      }
    }
    return false;
  }

  /** The stored form of the progress of one lane. */
  public byte[] encode(int lane) {
    ByteBuilder to = new ByteBuilder();
    List<Mark> own = marks.stream().filter(mark -> mark.lane() == lane).toList();
    to.varint(own.size());
    for (Mark mark : own) {
      to.signed(mark.place()).varint(mark.sequence());
    }
    for (Part part : parts) {
      if (part.lane() == lane) {
        to.signed(part.place()).varint(part.sequence()).sized(part.upTo().array());
      }
    }
    return to.bytes();
  }

  /** Returns this progress with the stored progress of one lane. */
  public SweptLanes decode(CollectionState state, int lane, byte[] stored) {
    ByteCursor cursor = new ByteCursor(stored, 0);
    List<Mark> all = marks;
    for (long count = cursor.varint(); count > 0; count--) {
      long place = cursor.signed();
      long sequence = cursor.varint();
      Optional<Mark> mark = Rules.mark(state, lane, place, sequence);
      if (mark.isPresent()) {
        all = Schedule.add(all, mark.get());
      }
    }
    List<Part> allParts = new ArrayList<>(parts);
    while (!cursor.atEnd()) {
      long place = cursor.signed();
      long sequence = cursor.varint();
      long since = Rules.since(state, lane);
      allParts.add(new Part(lane, place, new ByteKey(cursor.sized()), sequence, since));
    }
    return new SweptLanes(all, allParts);
  }

  /** Returns whether anything of a lane is swept. */
  public boolean has(int lane) {
    return marks.stream().anyMatch(mark -> mark.lane() == lane)
        || parts.stream().anyMatch(part -> part.lane() == lane);
  }

  /** Returns the progress of some lanes only. */
  public SweptLanes of(List<Integer> lanes) {
    return new SweptLanes(
        marks.stream().filter(mark -> lanes.contains(mark.lane())).toList(),
        parts.stream().filter(part -> lanes.contains(part.lane())).toList());
  }

  /** Returns this progress under a changed collection, without lanes that it no longer has. */
  public SweptLanes under(CollectionState state) {
    List<Mark> known = new ArrayList<>();
    for (Mark mark : marks) {
      Rules.mark(state, mark.lane(), mark.place(), mark.sequence()).ifPresent(known::add);
    }
    return new SweptLanes(
        known, parts.stream().filter(part -> state.hasLane(part.lane())).toList());
  }
}
