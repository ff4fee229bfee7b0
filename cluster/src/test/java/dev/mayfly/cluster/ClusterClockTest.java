package dev.mayfly.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.ReferenceClock;
import dev.mayfly.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The clock of a server, and its comparison with others. */
final class ClusterClockTest {
  private static final Duration MAX_SKEW = Duration.ofMillis(500);

  private long system = 1_000_000;
  private long nanos;
  private final ClusterClock clock = new ClusterClock(() -> system, () -> nanos, MAX_SKEW);
  private final ClockSkew skew = new ClockSkew(clock, () -> nanos, MAX_SKEW);

  private void pass(long millis) {
    system += millis;
    nanos += millis * 1_000_000;
  }

  private ReferenceClock other(String name, long ahead) {
    return new ReferenceClock() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public long read() {
        return system + ahead;
      }
    };
  }

  @Test
  void timeStaysBelowTheCeiling() {
    clock.ceiling(1_004_000);
    assertThat(clock.now()).isEqualTo(1_000_000);
    pass(5_000);
    assertThat(clock.now()).isEqualTo(1_003_999);

    clock.ceiling(1_003_000);
    assertThat(clock.now()).isEqualTo(1_003_999);
    clock.ceiling(1_010_000);
    assertThat(clock.now()).isEqualTo(1_005_000);
  }

  @Test
  void instantOfAnotherServerIsHeardUnlessItIsTooFarAhead() {
    assertThat(clock.hear(1_000_400)).isTrue();
    assertThat(clock.time()).isEqualTo(1_000_400);
    assertThat(clock.hear(1_000_501)).isFalse();
    assertThat(clock.time()).isEqualTo(1_000_400);
    pass(1_000);
    assertThat(clock.time()).isEqualTo(1_001_000);
  }

  @Test
  void clockThatJumpsIsNotFollowedUntilItIsVerified() {
    pass(1_000);
    system += 3_600_000;
    assertThat(clock.time()).isEqualTo(1_001_000);
    pass(2_000);
    assertThat(clock.time()).isEqualTo(1_003_000);

    skew.measure(List.of(other("one", 0), other("two", 0)));
    assertThat(clock.time()).isEqualTo(4_603_000);
    assertThat(skew.isTooLarge()).isFalse();
  }

  @Test
  void wrongClockIsFoundByItsOwnServerOnly() {
    skew.measure(List.of(other("wrong", 10_000), other("right", 20)));
    assertThat(skew.isTooLarge()).isFalse();
    assertThat(skew.of("wrong")).hasValue(10_000);

    skew.measure(List.of(other("one", -10_000), other("two", -9_990)));
    assertThat(skew.isTooLarge()).isTrue();
    assertThat(skew.text()).isEqualTo("is 9990 ms ahead of those of 2 other machines");

    skew.measure(List.of(other("one", 3), other("two", 4)));
    assertThat(skew.isTooLarge()).isFalse();
  }

  @Test
  void clockIsNotVerifiedByMachinesThatDoNotAnswer() {
    system += 3_600_000;
    ReferenceClock silent =
        new ReferenceClock() {
          @Override
          public String name() {
            return "silent";
          }

          @Override
          public long read() {
            throw new StoreException(StoreException.Reason.UNAVAILABLE, "no answer");
          }
        };

    skew.measure(List.of(silent));

    assertThat(clock.time()).isEqualTo(1_000_000);
    assertThat(skew.of("silent")).isEmpty();
  }

  @Test
  void manualClockIsAlwaysRight() {
    ManualClock manual = new ManualClock(5_000);
    ClusterClock shared = new ClusterClock(manual, () -> nanos, MAX_SKEW);
    manual.advance(Duration.ofHours(1));

    assertThat(shared.now()).isEqualTo(3_605_000);
    assertThat(shared.isManual()).isTrue();
  }
}
