package dev.mayfly.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class AdaptiveSpinTest {
  private final AdaptiveSpin adaptiveSpin = new AdaptiveSpin();

  @Test
  void whoFindsSomethingLooksNoFurther() {
    AtomicInteger looks = new AtomicInteger();
    assertThat(adaptiveSpin.keep(() -> looks.incrementAndGet() == 3)).isTrue();
    assertThat(looks).hasValue(3);
  }

  @Test
  void whoLooksInVainSoonGoesToSleepAtOnce() {
    assertThat(looksInVain()).isGreaterThan(100);
    for (int i = 0; i < 10; i++) {
      looksInVain();
    }
    assertThat(looksInVain()).isZero();
  }

  @Test
  void whoFindsSomethingIsPatientAgain() {
    int first = looksInVain();
    assertThat(looksInVain()).isLessThan(first);
    assertThat(adaptiveSpin.keep(() -> true)).isTrue();
    assertThat(looksInVain()).isEqualTo(first);
  }

  @Test
  void whoSleepsTriesAgainNowAndThen() {
    int first = looksInVain();
    int most = 0;
    for (int i = 0; i < 100; i++) {
      most = Math.max(most, looksInVain());
    }
    assertThat(most).isEqualTo(first);
  }

  /** How often it looks when there is nothing. */
  private int looksInVain() {
    AtomicInteger looks = new AtomicInteger();
    assertThat(adaptiveSpin.keep(() -> looks.incrementAndGet() < 0)).isFalse();
    return looks.get();
  }
}
