package dev.mayfly.engine.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.HeaderFields;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.expiry.Mark;
import dev.mayfly.expiry.Verdict;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.FieldPath;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Documents that count as swept when a lane is swept up to a place, or to a part of one. */
final class SweptLanesTest {
  private static final int AT = Lane.FIRST_EXPLICIT;
  private static final int DUE = Lane.FIRST_EXPLICIT + 1;
  private static final SweptLanes.Part UP_TO_FIVE = new SweptLanes.Part(AT, 100, key(5), 10, 0);

  @Test
  void partCoversItsPlaceUpToItsKeyAndSequence() {
    SweptLanes sweptLanes =
        SweptLanes.NOTHING.after(List.of(mark(AT, 99, 10)), Optional.of(UP_TO_FIVE));
    assertThat(sweptLanes.judge(entry(AT, 100, 9), key(4).array())).isEqualTo(Verdict.EXPIRED);
    assertThat(sweptLanes.judge(entry(AT, 100, 9), key(5).array())).isEqualTo(Verdict.EXPIRED);
    assertThat(sweptLanes.judge(entry(AT, 100, 9), key(6).array())).isEqualTo(Verdict.LIVE);
    assertThat(sweptLanes.judge(entry(AT, 100, 10), key(5).array())).isEqualTo(Verdict.LIVE);
    assertThat(sweptLanes.judge(entry(AT, 101, 9), key(5).array())).isEqualTo(Verdict.LIVE);
    assertThat(sweptLanes.judge(entry(DUE, 100, 9), key(5).array())).isEqualTo(Verdict.LIVE);
    assertThat(sweptLanes.judge(entry(AT, 99, 9), key(6).array())).isEqualTo(Verdict.EXPIRED);
    assertThat(sweptLanes.hasParts()).isTrue();
    assertThat(SweptLanes.NOTHING.hasParts()).isFalse();
  }

  /** A lane number is reused. */
  @Test
  void partCoversNothingOfAnEarlierLane() {
    SweptLanes.Part part = new SweptLanes.Part(AT, 100, key(5), 10, 9);
    SweptLanes sweptLanes = SweptLanes.NOTHING.after(List.of(), Optional.of(part));
    assertThat(sweptLanes.judge(entry(AT, 100, 9), key(5).array())).isEqualTo(Verdict.EXPIRED);
    assertThat(sweptLanes.judge(entry(AT, 100, 8), key(5).array())).isEqualTo(Verdict.LIVE);
  }

  @Test
  void partIsRemovedWhenItsPlaceIsSwept() {
    SweptLanes sweptLanes = SweptLanes.NOTHING.after(List.of(), Optional.of(UP_TO_FIVE));
    assertCovered(sweptLanes, mark(AT, 100, 10), true);
    assertCovered(sweptLanes, mark(AT, 99, 10), false);
    assertCovered(sweptLanes, mark(AT, 100, 9), false);
    assertCovered(sweptLanes, mark(DUE, 100, 10), false);
  }

  private static void assertCovered(SweptLanes sweptLanes, Mark mark, boolean covered) {
    assertThat(sweptLanes.partCoveredBy(List.of(mark))).isEqualTo(covered);
    assertThat(sweptLanes.after(List.of(mark), Optional.empty()).hasParts()).isEqualTo(!covered);
  }

  @Test
  void longerPartReplacesAShorterOne() {
    SweptLanes first = SweptLanes.NOTHING.after(List.of(), Optional.of(UP_TO_FIVE));
    int alone = first.encode(AT).length;
    assertThat(further(first, new SweptLanes.Part(AT, 100, key(7), 10, 0))).hasSize(alone);
    assertThat(further(first, new SweptLanes.Part(AT, 100, key(5), 10, 0))).hasSize(alone);
    assertThat(further(first, new SweptLanes.Part(AT, 100, key(4), 10, 0)))
        .hasSizeGreaterThan(alone);
    assertThat(further(first, new SweptLanes.Part(AT, 100, key(7), 9, 0)))
        .hasSizeGreaterThan(alone);
    assertThat(further(first, new SweptLanes.Part(AT, 101, key(7), 10, 0)))
        .hasSizeGreaterThan(alone);
  }

  private static byte[] further(SweptLanes sweptLanes, SweptLanes.Part part) {
    return sweptLanes.after(List.of(), Optional.of(part)).encode(AT);
  }

  @Test
  void storedProgressIsDecoded() {
    SweptLanes sweptLanes =
        SweptLanes.NOTHING
            .after(
                List.of(mark(AT, 50, 12), mark(AT, 99, 10), mark(DUE, 7, 3)),
                Optional.of(UP_TO_FIVE))
            .after(List.of(), Optional.of(new SweptLanes.Part(DUE, 8, key(1), 3, 0)));
    CollectionState state = state();
    SweptLanes read =
        SweptLanes.NOTHING
            .decode(state, AT, sweptLanes.encode(AT))
            .decode(state, DUE, sweptLanes.encode(DUE));
    assertThat(read.encode(AT)).isEqualTo(sweptLanes.encode(AT));
    assertThat(read.encode(DUE))
        .isEqualTo(sweptLanes.encode(DUE))
        .isNotEqualTo(sweptLanes.encode(AT));
    assertThat(read.judge(entry(AT, 50, 11), key(9).array())).isEqualTo(Verdict.EXPIRED);
    assertThat(read.judge(entry(AT, 99, 9), key(9).array())).isEqualTo(Verdict.EXPIRED);
    assertThat(read.judge(entry(AT, 99, 11), key(9).array())).isEqualTo(Verdict.LIVE);
    assertThat(read.judge(entry(AT, 100, 9), key(5).array())).isEqualTo(Verdict.EXPIRED);
    assertThat(read.judge(entry(DUE, 8, 2), key(1).array())).isEqualTo(Verdict.EXPIRED);
    assertThat(read.judge(entry(DUE, 8, 2), key(2).array())).isEqualTo(Verdict.LIVE);
  }

  /** The state of a collection with two lanes. */
  private static CollectionState state() {
    ManualClock clock = new ManualClock(0);
    EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);
    try (LocalEngine engine = LocalEngine.open(MemoryStore.withFilters(), clock, settings)) {
      CollectionSpec spec = CollectionSpec.mongo().withIndex(index("at")).withIndex(index("due"));
      TimeToLive rules = spec.timeToLive().withIndex("at", 1).withIndex("due", 1);
      return engine.create(new Namespace("db", "c"), spec.withTimeToLive(rules)).state();
    }
  }

  private static IndexSpec index(String field) {
    return IndexSpec.implicit(field, Part.ascending(FieldPath.of(field)));
  }

  private static Mark mark(int lane, long place, long sequence) {
    return new Mark(lane, place, sequence, 0, 0, (_, _) -> Header.NO_PLACE);
  }

  private static byte[] entry(int lane, long place, long sequence) {
    byte[] buffer = new byte[Header.MAX_LENGTH];
    HeaderFields life =
        new HeaderFields().begin(sequence, sequence, 0, HeaderFields.NO_TTL).place(lane, place);
    return Arrays.copyOf(buffer, Header.write(life, true, buffer, 0));
  }

  private static ByteKey key(int number) {
    return ByteKey.of(new byte[] {(byte) number});
  }
}
