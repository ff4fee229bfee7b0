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
  }
}
