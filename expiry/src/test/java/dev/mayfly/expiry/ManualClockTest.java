package dev.mayfly.expiry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ManualClockTest {
  @Test
  void clockStandsStillUntilItIsAdvanced() {
    ManualClock clock = new ManualClock(5_000);
    assertThat(clock.now()).isEqualTo(5_000);
    assertThat(clock.advance(Duration.ofSeconds(2))).isEqualTo(7_000);
    assertThatThrownBy(() -> clock.advance(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(clock.now()).isEqualTo(7_000);
    assertThat(clock.stands()).isTrue();
  }

  @Test
  void anOffsetClockGoesOnAfterItIsAdvanced() {
    ManualClock other = new ManualClock(5_000);
    ManualClock clock = ManualClock.offset(other);
    assertThat(clock.now()).isEqualTo(5_000);
    assertThat(clock.advance(Duration.ofSeconds(2))).isEqualTo(7_000);
    other.advance(Duration.ofSeconds(1));
    assertThat(clock.now()).isEqualTo(8_000);
    assertThat(clock.isManual()).isTrue();
    assertThat(clock.stands()).isFalse();
    Duration beyond = Duration.ofDays(366L * 9_000);
    assertThatThrownBy(() -> clock.advance(beyond)).hasMessageContaining("year 9999");
    assertThat(clock.now()).isEqualTo(8_000);
  }
}
