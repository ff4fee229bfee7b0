package dev.mayfly.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class AdaptiveSpinTest {
  private final AdaptiveSpin adaptiveSpin = new AdaptiveSpin();

  @Test
  void spinningStopsAtTheFirstSuccess() {
    AtomicInteger polls = new AtomicInteger();
    assertThat(adaptiveSpin.keep(() -> polls.incrementAndGet() == 3)).isTrue();
    assertThat(polls).hasValue(3);
  }

  @Test
  void failedSpinsBecomeShorter() {
    assertThat(failedPolls()).isGreaterThan(100);
    for (int i = 0; i < 10; i++) {
      failedPolls();
    }
    assertThat(failedPolls()).isZero();
  }

  @Test
  void aSuccessRestoresTheFullSpin() {
    int first = failedPolls();
    assertThat(failedPolls()).isLessThan(first);
    assertThat(adaptiveSpin.keep(() -> true)).isTrue();
    assertThat(failedPolls()).isEqualTo(first);
  }

  @Test
  void aFullSpinIsRetriedNowAndThen() {
    int first = failedPolls();
    int most = 0;
    for (int i = 0; i < 100; i++) {
      most = Math.max(most, failedPolls());
    }
    assertThat(most).isEqualTo(first);
  }

  /** How often it looks when there is nothing. */
  private int failedPolls() {
    AtomicInteger polls = new AtomicInteger();
    assertThat(adaptiveSpin.keep(() -> polls.incrementAndGet() < 0)).isFalse();
    return polls.get();
  }
}
