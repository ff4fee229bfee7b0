package dev.mayfly.expiry;

import dev.mayfly.value.Document;
import java.util.List;

/**
 * Expiry predicate at one instant: the cutoff of each lane, and the marks. It alone decides whether
 * a document is expired. Immutable.
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
   * Returns the first instant of the second after a cutoff: a write before it has a place at or
   * below the cutoff.
   */
  private static long nextSecond(long cutoff) {
    return cutoff == NO_CUTOFF ? Long.MIN_VALUE / 2 : (Math.floorDiv(cutoff, MILLIS) + 1) * MILLIS;
  }

  /** The instant of these cutoffs. */
  public long now() {
    return now;
  }

  /** Returns whether both are of the same schedule and instant. */
  @SuppressWarnings("ReferenceEquality") // the same schedule, not an equal one
  public boolean sameAs(Cutoffs other) {
    return now == other.now && source == other.source;
  }

  /** Returns whether these are the cutoffs of a schedule at an instant. */
  @SuppressWarnings("ReferenceEquality") // the same schedule, not an equal one
  public boolean isOf(Schedule schedule, long instant) {
    return now == instant && source == schedule;
  }

  /** The cutoff of a lane, or {@link Long#MIN_VALUE} if no rule uses the lane. */
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

  /**
   * The highest place of a lane at which a document can be expired, by the cutoff or a mark, or
   * {@link Long#MIN_VALUE}.
   */
  public long reach(int lane) {
    return reach(lane, Long.MIN_VALUE);
  }

  /** As {@link #reach(int)}, for marks with at least a sequence. */
  public long reach(int lane, long before) {
    long reach = of(lane);
    for (Mark mark : marks) {
      if (mark.lane() == lane && mark.sequence() >= before) {
        reach = Math.max(reach, mark.place());
      }
    }
    return reach;
  }

  /** Returns whether a document at a place of one lane is expired in that lane. */
  public boolean expires(int lane, long place, long sequence) {
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

  /** Decides by the header of an entry alone, without its document. */
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
   * Returns whether a document is expired by its own {@code ttl} or the default TTL. Equivalent to
   * comparing its places in the lanes with the cutoffs, but without a division by 1000.
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

  /**
   * Returns whether the document of a record is expired. A record is a header followed by the
   * document.
   */
  public boolean expired(byte[] record) {
    Verdict verdict = judge(record, 0);
    return verdict == Verdict.UNKNOWN ? expiredByDocument(record) : verdict == Verdict.EXPIRED;
  }

  /** Reads the document: the record is older than a lane or mark. */
  private boolean expiredByDocument(byte[] record) {
    long sequence = Header.sequence(record, 0);
    Document document = Document.trusted(record, Header.length(record, 0));
    long usedAt = Header.usedAt(record, 0);
    for (int i = 0; i < lanes.length; i++) {
      if (sequence < lanes[i].since() && lanes[i].places().of(document, usedAt) <= cutoffs[i]) {
        return true;
      }
    }
    for (Mark mark : marks) {
      if (sequence < mark.sequence()
          && sequence < mark.since()
          && mark.places().of(document, usedAt) <= mark.place()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the lane in which a document has expired: the one with the earliest deadline under the
   * current rules, else one with a mark; -1 if the document is live.
   *
   * @param record a record, or a lane entry whose header is sufficient
   * @param withDocument whether it is a record
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
   * Returns when a document expired: its earliest deadline under the current rules, else under
   * those that left a mark; {@link Deadline#NEVER} if it is live.
   *
   * @param record a record, or a lane entry whose header is sufficient
   * @param withDocument whether it is a record
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
        ? places.of(Document.trusted(record, Header.length(record, 0)), Header.usedAt(record, 0))
        : Header.NO_PLACE;
  }
}
