package dev.mayfly.expiry;

import dev.mayfly.value.Document;
import java.util.List;

/**
 * How far along each lane a collection is expired at one instant: the one predicate that decides
 * whether a document is expired.
 */
public final class Cutoffs {
  /** Nothing is expired. */
  public static final Cutoffs NONE = new Cutoffs(Schedule.NONE, 0);

  private static final long NO_CUTOFF = Long.MIN_VALUE;
  private static final long MILLIS = 1000;

  private final long inherited;
  private final long own;
  private final long inheritedBefore;
  private final long ownBefore;
  private final Lane[] active;
  private final Lane[] lanes;
  private final long[] cutoffs;
  private final Mark[] marks;
  private final long now;

  private final Schedule source;

  Cutoffs(Schedule source, long now) {
    this(source, source.lanes(), source.marks(), now);
  }

  private Cutoffs(Schedule source, List<Lane> active, List<Mark> marks, long now) {
    this.source = source;
    this.active = active.toArray(Lane[]::new);
    long inheritedCutoff = NO_CUTOFF;
    long ownCutoff = NO_CUTOFF;
    for (Lane lane : active) {
      if (lane.number() == Lane.INHERITED) {
        inheritedCutoff = lane.cutoff(now);
      } else if (lane.number() == Lane.OWN) {
        ownCutoff = lane.cutoff(now);
      }
    }
    this.inherited = inheritedCutoff;
    this.own = ownCutoff;
    this.inheritedBefore = nextSecond(inheritedCutoff);
    this.ownBefore = nextSecond(ownCutoff);
    this.lanes = active.stream().filter(lane -> !Lane.implicit(lane.number())).toArray(Lane[]::new);
    this.cutoffs = new long[lanes.length];
    for (int i = 0; i < lanes.length; i++) {
      cutoffs[i] = lanes[i].cutoff(now);
    }
    this.now = now;
    this.marks = marks.stream().filter(mark -> mark.place() > of(mark.lane())).toArray(Mark[]::new);
  }

  /**
   * The first instant of the second after a cutoff: what was written before it is at the cutoff.
   */
  private static long nextSecond(long cutoff) {
    return cutoff == NO_CUTOFF ? Long.MIN_VALUE / 2 : (Math.floorDiv(cutoff, MILLIS) + 1) * MILLIS;
  }

  /** The instant these cutoffs are for. */
  public long now() {
    return now;
  }

  /** True when both come from the same schedule, for the same instant. */
  @SuppressWarnings("ReferenceEquality") // the same schedule, not an equal one
  public boolean sameAs(Cutoffs other) {
    return now == other.now && source == other.source;
  }

  /** True when these are the cutoffs of that schedule at that instant. */
  @SuppressWarnings("ReferenceEquality") // the same schedule, not an equal one
  public boolean isOf(Schedule schedule, long instant) {
    return now == instant && source == schedule;
  }

  /** The cutoff of a lane that is active, or {@link Long#MIN_VALUE}. */
  public long of(int lane) {
    if (lane == Lane.INHERITED) {
      return inherited;
    }
    if (lane == Lane.OWN) {
      return own;
    }
    for (int i = 0; i < lanes.length; i++) {
      if (lanes[i].number() == lane) {
        return cutoffs[i];
      }
    }
    return NO_CUTOFF;
  }

  /** The highest place of a lane at which a document can be dead, or {@link Long#MIN_VALUE}. */
  public long reach(int lane) {
    return reach(lane, Long.MIN_VALUE);
  }

  /** The highest place of a lane at which a document written before a sequence can be dead. */
  public long reach(int lane, long before) {
    long reach = of(lane);
    for (Mark mark : marks) {
      if (mark.lane() == lane && mark.sequence() >= before) {
        reach = Math.max(reach, mark.place());
      }
    }
    return reach;
  }

  /** Whether a document is dead on one lane, at a place of it, whatever other lanes say. */
  public boolean kills(int lane, long place, long sequence) {
    long cutoff = of(lane);
    if (cutoff != NO_CUTOFF && place <= cutoff) {
      return true;
    }
    for (Mark mark : marks) {
      if (mark.lane() == lane && place <= mark.place() && sequence < mark.sequence()) {
        return true;
      }
    }
    return false;
  }

  /** Judges an entry by its header alone. */
  public Verdict judge(byte[] entry, int at) {
    boolean unknown = false;
    if (inherited != NO_CUTOFF || own != NO_CUTOFF) {
      if (!Header.coversWrite(entry, at)) {
        unknown = true;
      } else if (writtenTooLongAgo(entry, at)) {
        return Verdict.EXPIRED;
      }
    }
    if (lanes.length == 0 && marks.length == 0) {
      return unknown ? Verdict.UNKNOWN : Verdict.LIVE;
    }
    return judgeLanes(entry, at, unknown);
  }

  /**
   * Whether a document has outlived its own ttl or the default, by its last write: the same as
   * comparing its places on the lanes with the cutoffs, but without dividing by a second.
   */
  private boolean writtenTooLongAgo(byte[] entry, int at) {
    int ttl = Header.ttl(entry, at);
    if (ttl == HeaderFields.NEVER) {
      return false;
    }
    long before = ttl == HeaderFields.NO_TTL ? inheritedBefore : ownBefore - ttl * MILLIS;
    return Header.writtenAt(entry, at) < before;
  }

  private Verdict judgeLanes(byte[] entry, int at, boolean alreadyUnknown) {
    boolean unknown = alreadyUnknown;
    long sequence = Header.sequence(entry, at);
    for (int i = 0; i < lanes.length; i++) {
      if (sequence < lanes[i].since()) {
        unknown = true;
      } else if (Header.place(entry, at, lanes[i].number()) <= cutoffs[i]) {
        return Verdict.EXPIRED;
      }
    }
    for (Mark mark : marks) {
      if (sequence >= mark.sequence()) {
        continue;
      }
      boolean covered =
          Lane.implicit(mark.lane()) ? Header.coversWrite(entry, at) : sequence >= mark.since();
      if (!covered) {
        unknown = true;
      } else if (Header.place(entry, at, mark.lane()) <= mark.place()) {
        return Verdict.EXPIRED;
      }
    }
    return unknown ? Verdict.UNKNOWN : Verdict.LIVE;
  }

  /** Judges a record: a header with its document right behind it. */
  public boolean expired(byte[] record) {
    Verdict verdict = judge(record, 0);
    return verdict == Verdict.UNKNOWN ? expiredByDocument(record) : verdict == Verdict.EXPIRED;
  }

  /** The slow way, for records written before a lane that counts. */
  private boolean expiredByDocument(byte[] record) {
    long sequence = Header.sequence(record, 0);
    Document document = Document.trusted(record, Header.length(record, 0));
    for (int i = 0; i < lanes.length; i++) {
      if (sequence < lanes[i].since() && lanes[i].places().of(document) <= cutoffs[i]) {
        return true;
      }
    }
    for (Mark mark : marks) {
      if (sequence < mark.sequence()
          && sequence < mark.since()
          && mark.places().of(document) <= mark.place()) {
        return true;
      }
    }
    return false;
  }

  /**
   * The lane that ended the life of an expired document: the one with the earliest deadline among
   * those that count, else one of those with a mark; -1 when the document is live.
   *
   * @param record a record, or a lane entry whose header tells all
   */
  public int expiringLane(byte[] record, boolean withDocument) {
    int expiringLane = -1;
    long earliest = Long.MAX_VALUE;
    for (Lane lane : active) {
      long place = place(record, withDocument, lane.number(), lane.since(), lane.places());
      long deadline = Deadline.of(place, lane.lifeMillis());
      if (place <= lane.cutoff(now) && deadline < earliest) {
        expiringLane = lane.number();
        earliest = deadline;
      }
    }
    if (expiringLane >= 0) {
      return expiringLane;
    }
    long sequence = Header.sequence(record, 0);
    for (Mark mark : marks) {
      if (sequence < mark.sequence()
          && place(record, withDocument, mark.lane(), mark.since(), mark.places())
              <= mark.place()) {
        return mark.lane();
      }
    }
    return -1;
  }

  /**
   * When an expired document expired: its earliest deadline under the lanes that count, else under
   * those that left a mark; never when it is live.
   *
   * @param record a record, or a lane entry whose header tells all
   */
  public long expiredAt(byte[] record, boolean withDocument) {
    long earliest = Deadline.NEVER;
    for (Lane lane : active) {
      long place = place(record, withDocument, lane.number(), lane.since(), lane.places());
      if (place <= lane.cutoff(now)) {
        earliest = Math.min(earliest, Deadline.of(place, lane.lifeMillis()));
      }
    }
    if (earliest != Deadline.NEVER) {
      return earliest;
    }
    long sequence = Header.sequence(record, 0);
    for (Mark mark : marks) {
      long place = place(record, withDocument, mark.lane(), mark.since(), mark.places());
      if (sequence < mark.sequence() && place <= mark.place()) {
        earliest = Math.min(earliest, Deadline.of(place, mark.lifeMillis()));
      }
    }
    return earliest;
  }

  private static long place(
      byte[] record, boolean withDocument, int lane, long since, Lane.Places places) {
    if (Lane.implicit(lane) ? Header.coversWrite(record, 0) : Header.sequence(record, 0) >= since) {
      return Header.place(record, 0, lane);
    }
    return withDocument
        ? places.of(Document.trusted(record, Header.length(record, 0)))
        : Header.NO_PLACE;
  }
}
