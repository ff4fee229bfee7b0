package dev.mayfly.engine.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PacerTest {
  private static final long MILLI = 1_000_000;

  private boolean reading;
  private final Pacer pacer = new Pacer(() -> 0, () -> reading);

  /** The rest after a slice of 1 ms with a foreground operation. */
  private long rest(long lagMillis) {
    long before = pacer.operations();
    pacer.foreground();
    return pacer.rest(before, MILLI, lagMillis);
  }

  @Test
  void withoutForegroundOperationsThereIsNoRest() {
    assertThat(pacer.rest(pacer.operations(), MILLI, 0)).isZero();
  }

  @Test
  void anOpenQueryIsAForegroundOperationAsLongAsItLasts() {
    reading = true;
    assertThat(pacer.rest(pacer.operations(), MILLI, 0)).isEqualTo(4 * MILLI);
    assertThat(pacer.rest(pacer.operations(), MILLI, 10_000)).isZero();
    reading = false;
    assertThat(pacer.rest(pacer.operations(), MILLI, 0)).isZero();
  }

  @Test
  void workThatKeepsUpUsesAFifthOfAProcessor() {
    assertThat(rest(0)).isEqualTo(4 * MILLI);
  }

  @Test
  void restAfterALongSliceIsLimited() {
    long before = pacer.operations();
    pacer.foreground();
    assertThat(pacer.rest(before, 100 * MILLI, 0)).isEqualTo(20 * MILLI);
  }

  @Test
  void restsShrinkWithTheLag() {
    assertThat(rest(5_000)).isEqualTo(2 * MILLI);
    assertThat(rest(9_000)).isLessThan(MILLI);
    assertThat(rest(10_000)).isZero();
    assertThat(rest(1_000_000)).isZero();
  }

  @Test
  void busyTasksShareOneFifth() {
    for (int i = 0; i < 10; i++) {
      pacer.busy(i, true);
    }
    assertThat(rest(0)).isEqualTo(40 * MILLI);
    pacer.busy(3, false);
    assertThat(rest(0)).isEqualTo(36 * MILLI);
  }
}
