package dev.mayfly.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Expiry predicate, against its definition. */
@ExtendWith(SeedExtension.class)
final class CutoffsTest {
  private static final int AT = Lane.FIRST_EXPLICIT;
  private static final int DUE = Lane.FIRST_EXPLICIT + 1;
  private static final Lane.Places BY_AT = (document, _) -> date(document, "at");
  private static final Lane.Places BY_DUE = (document, _) -> date(document, "due");

  /** A document with all data that determine its expiry. */
  private record Sample(long sequence, long writtenAt, int ttl, long at, long due) {
    long place(int lane) {
      long second = Math.floorDiv(writtenAt, 1000L) * 1000;
      return switch (lane) {
        case Lane.INHERITED -> ttl == HeaderFields.NO_TTL ? second : Header.NO_PLACE;
        case Lane.OWN -> ttl > 0 ? second + ttl * 1000L : Header.NO_PLACE;
        case AT -> at;
        default -> due;
      };
    }

    boolean dead(Schedule schedule, long now) {
      return Deadline.passed(deadline(schedule.lanes()), now) || !marks(schedule).isEmpty();
    }

    long deadline(List<Lane> lanes) {
      return lanes.stream().mapToLong(this::deadline).min().orElse(Deadline.NEVER);
    }

    long deadline(Lane lane) {
      return Deadline.of(place(lane.number()), lane.lifeMillis());
    }

    List<Mark> marks(Schedule schedule) {
      return schedule.marks().stream()
          .filter(mark -> sequence < mark.sequence() && place(mark.lane()) <= mark.place())
          .toList();
    }

    /** When the document expired: by the current rules, else by those that left a mark. */
    long expiredAt(Schedule schedule, long now) {
      long deadline = deadline(schedule.lanes());
      return Deadline.passed(deadline, now)
          ? deadline
          : marks(schedule).stream()
              .mapToLong(mark -> place(mark.lane()) + mark.lifeMillis())
              .min()
              .orElse(Deadline.NEVER);
    }

    /** The possible lanes in which the document has expired; -1 if it is live. */
    List<Integer> killers(Schedule schedule, long now) {
      long deadline = deadline(schedule.lanes());
      if (Deadline.passed(deadline, now)) {
        return schedule.lanes().stream()
            .filter(lane -> deadline(lane) == deadline)
            .map(Lane::number)
            .toList();
      }
      List<Mark> marks = marks(schedule);
      return marks.isEmpty() ? List.of(-1) : marks.stream().map(Mark::lane).toList();
    }
  }

  @Test
  void verdictFollowsTheRules(Random random) {
    for (int i = 0; i < 50_000; i++) {
      Schedule schedule = schedule(random);
      Sample sample = sample(random);
      long now = instant(random, -5_000, 35_000);
      Cutoffs cutoffs = schedule.at(now);
      byte[] record = record(sample, schedule);
      boolean dead = sample.dead(schedule, now);
      assertThat(cutoffs.expired(record)).as("%s %s at %s", sample, schedule, now).isEqualTo(dead);
      Verdict verdict = cutoffs.judge(record, 0);
      assertThat(verdict == Verdict.UNKNOWN || (verdict == Verdict.EXPIRED) == dead).isTrue();
      assertThat(cutoffs.expiringLane(record, true)).isIn(sample.killers(schedule, now));
      assertThat(cutoffs.expiredAt(record, true)).isEqualTo(sample.expiredAt(schedule, now));
      assertThat(schedule.deadline(record)).isEqualTo(sample.deadline(schedule.lanes()));
      assertThat(schedule.dead().expired(record)).isEqualTo(!sample.marks(schedule).isEmpty());
      for (Lane lane : schedule.lanes()) {
        assertThat(cutoffs.of(lane.number())).isEqualTo(now - lane.lifeMillis());
        assertThat(Schedule.placeOf(lane, record)).isEqualTo(sample.place(lane.number()));
      }
    }
  }

  @Test
  void entryWithoutTheWriteTimeIsUnknownOrRight(Random random) {
    for (int i = 0; i < 50_000; i++) {
      Schedule schedule = schedule(random);
      Sample sample = sample(random);
      long now = instant(random, 0, 40_000);
      byte[] entry =
          record(
              new Sample(sample.sequence(), 0, sample.ttl(), sample.at(), sample.due()), schedule);
      Verdict verdict = schedule.at(now).judge(Header.uncovered(entry), 0);
      assertThat(
              verdict == Verdict.UNKNOWN
                  || (verdict == Verdict.EXPIRED) == sample.dead(schedule, now))
          .as("%s %s at %s", sample, schedule, now)
          .isTrue();
    }
  }

  @Test
  void cutoffAndMarkExpireDocuments() {
    Schedule schedule =
        new Schedule(
            List.of(new Lane(AT, 1_000, 0, BY_AT)), List.of(new Mark(AT, 20_000, 5, 0, 0, BY_AT)));
    Cutoffs cutoffs = schedule.at(11_000);
    assertThat(cutoffs.of(AT)).isEqualTo(10_000);
    assertThat(cutoffs.of(DUE)).isEqualTo(Long.MIN_VALUE);
    assertThat(cutoffs.reach(AT)).isEqualTo(20_000);
    assertThat(cutoffs.reach(AT, 5)).isEqualTo(20_000);
    assertThat(cutoffs.reach(AT, 6)).isEqualTo(10_000);
    assertThat(cutoffs.expires(AT, 10_000, 9)).isTrue();
    assertThat(cutoffs.expires(AT, 10_001, 9)).isFalse();
    assertThat(cutoffs.expires(AT, 10_001, 4)).isTrue();
    assertThat(cutoffs.expires(AT, 10_001, 5)).isFalse();
    assertThat(cutoffs.expires(AT, 20_000, 4)).isTrue();
    assertThat(cutoffs.expires(AT, 20_001, 4)).isFalse();
    assertThat(cutoffs.expires(DUE, Long.MIN_VALUE, 4)).isFalse();
  }

  @Test
  void cutoffsAreTheSameForOneScheduleAndInstant() {
    Schedule schedule = new Schedule(List.of(inherited(1_000, 0)), List.of());
    Schedule another = new Schedule(List.of(inherited(2_000, 0)), List.of());
    Cutoffs cutoffs = schedule.at(5_000);
    assertThat(cutoffs.now()).isEqualTo(5_000);
    assertThat(cutoffs.isOf(schedule, 5_000)).isTrue();
    assertThat(cutoffs.isOf(schedule, 5_001)).isFalse();
    assertThat(cutoffs.isOf(another, 5_000)).isFalse();
    assertThat(cutoffs.sameAs(schedule.at(5_000))).isTrue();
    assertThat(cutoffs.sameAs(schedule.at(5_001))).isFalse();
    assertThat(cutoffs.sameAs(another.at(5_000))).isFalse();
  }

  @Test
  void overflowingDeadlineIsNever() {
    assertThat(Deadline.of(Long.MAX_VALUE - 5, 10)).isEqualTo(Deadline.NEVER);
    assertThat(Deadline.of(Header.NO_PLACE, 0)).isEqualTo(Deadline.NEVER);
    assertThat(new Lane(AT, 10, 0, BY_AT).cutoff(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
    assertThat(Deadline.passed(5, 4)).isFalse();
    assertThat(Deadline.passed(5, 5)).isTrue();
  }

  @Test
  void longerOrDroppedRuleLeavesAWatermark() {
    Schedule before =
        new Schedule(
            List.of(
                inherited(10_000, 0),
                own(0),
                new Lane(AT, 5_000, 0, BY_AT),
                new Lane(DUE, 5_000, 0, BY_DUE)),
            List.of());
    List<Lane> after =
        List.of(
            inherited(20_000, 0), new Lane(AT, 4_000, 0, BY_AT), new Lane(DUE, 5_000, 0, BY_DUE));
    assertThat(before.watermarks(after, 100_000, 7))
        .extracting(Mark::lane, Mark::place, Mark::sequence, Mark::lifeMillis)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(Lane.INHERITED, 90_000L, 7L, 10_000L),
            org.assertj.core.groups.Tuple.tuple(Lane.OWN, 100_000L, 7L, 0L));
  }

  @Test
  void coveredMarksAreRemoved() {
    Mark low = new Mark(AT, 5, 5, 0, 0, BY_AT);
    Mark high = new Mark(AT, 6, 6, 0, 0, BY_AT);
    Mark newer = new Mark(AT, 4, 9, 0, 0, BY_AT);
    assertThat(new Schedule(List.of(), List.of(low)).with(List.of(high, newer)).marks())
        .containsExactly(high, newer);
    assertThat(new Schedule(List.of(), List.of(high)).with(List.of(low)).marks())
        .containsExactly(high);
    assertThat(new Schedule(List.of(), List.of(high)).with(List.of(high)).marks())
        .containsExactly(high);
  }

  private static Lane inherited(long lifeMillis, long since) {
    return new Lane(Lane.INHERITED, lifeMillis, since, places(Lane.INHERITED));
  }

  private static Lane own(long since) {
    return new Lane(Lane.OWN, 0, since, places(Lane.OWN));
  }

  private static Schedule schedule(Random random) {
    List<Lane> lanes = new ArrayList<>();
    if (random.nextBoolean()) {
      lanes.add(inherited(random.nextInt(20) * 500L, random.nextInt(10)));
    }
    if (random.nextBoolean()) {
      lanes.add(own(random.nextInt(10)));
    }
    if (random.nextBoolean()) {
      lanes.add(new Lane(AT, random.nextInt(20) * 500L, random.nextInt(10), BY_AT));
    }
    if (random.nextBoolean()) {
      lanes.add(new Lane(DUE, random.nextInt(20) * 500L, random.nextInt(10), BY_DUE));
    }
    List<Mark> marks = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      marks.add(mark(random, lanes));
    }
    return new Schedule(lanes, marks);
  }

  private static Mark mark(Random random, List<Lane> lanes) {
    int number = random.nextInt(DUE + 1);
    long since =
        lanes.stream()
            .filter(lane -> lane.number() == number)
            .mapToLong(Lane::since)
            .findFirst()
            .orElse(0);
    return new Mark(
        number, random.nextInt(30) * 1000L, random.nextInt(12), 1000, since, places(number));
  }

  private static Lane.Places places(int lane) {
    return switch (lane) {
      case AT -> BY_AT;
      case DUE -> BY_DUE;
      default -> (_, _) -> Header.NO_PLACE;
    };
  }

  private static Sample sample(Random random) {
    int ttl = random.nextInt(3) == 0 ? HeaderFields.NEVER : random.nextInt(6);
    return new Sample(
        random.nextInt(12), instant(random, 0, 30_000), ttl, place(random), place(random));
  }

  /** Often a whole second, because deadlines are there. */
  private static long instant(Random random, int from, int to) {
    long instant = random.nextInt(from, to);
    return random.nextBoolean() ? instant : Math.floorDiv(instant, 1000L) * 1000;
  }

  private static long place(Random random) {
    return random.nextInt(3) == 0 ? Header.NO_PLACE : random.nextInt(30) * 1000L;
  }

  /** A record whose header contains a place only if it is newer than the lane. */
  private static byte[] record(Sample sample, Schedule schedule) {
    HeaderFields life =
        new HeaderFields()
            .begin(sample.sequence(), sample.sequence(), sample.writtenAt(), sample.ttl());
    for (int lane : new int[] {AT, DUE}) {
      if (sample.sequence() >= since(schedule, lane)) {
        life.place(lane, sample.place(lane));
      }
    }
    byte[] buffer = new byte[Header.MAX_LENGTH];
    int length = Header.write(life, true, buffer, 0);
    var writer = Document.writer();
    if (sample.at() != Header.NO_PLACE) {
      writer.put("at", Value.date(sample.at()));
    }
    if (sample.due() != Header.NO_PLACE) {
      writer.put("due", Value.date(sample.due()));
    }
    byte[] document = writer.build().bytes();
    byte[] record = java.util.Arrays.copyOf(buffer, length + document.length);
    System.arraycopy(document, 0, record, length, document.length);
    return record;
  }

  private static long since(Schedule schedule, int number) {
    return schedule.lanes().stream()
        .filter(lane -> lane.number() == number)
        .mapToLong(Lane::since)
        .findFirst()
        .orElse(0);
  }

  private static long date(Document document, String field) {
    Value value = document.at(FieldPath.of(field));
    return value.isMissing() ? Header.NO_PLACE : value.asDate();
  }
}
