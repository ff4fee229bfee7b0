package dev.mayfly.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Pace of commits. */
class AdmissionTest {
  private static final long MEBI = 1 << 20;

  @Test
  void commitsAreNotDelayedBelowHalfOfTheMemory() {
    Admission admission = new Admission(100 * MEBI);
    admission.flushed(MEBI, 1_000_000_000);
    assertThat(admission.pause(MEBI, 50 * MEBI)).isZero();
    assertThat(admission.isFull(100 * MEBI)).isFalse();
  }

  @Test
  void commitsTakeAsLongAsTheirCheckpointAtThreeQuarters() {
    Admission admission = new Admission(100 * MEBI);
    admission.flushed(10 * MEBI, 1_000_000_000);
    assertThat(admission.pause(MEBI, 75 * MEBI)).isEqualTo(100_000_000);
    assertThat(admission.pause(MEBI, 100 * MEBI)).isEqualTo(200_000_000);
  }

  @Test
  void checkpointsUseMoreOfTheClusterTheMoreIsUnflushed() {
    Admission admission = new Admission(100 * MEBI);
    assertThat(admission.inFlight(0)).isEqualTo(2);
    assertThat(admission.inFlight(50 * MEBI)).isEqualTo(13);
    assertThat(admission.inFlight(200 * MEBI)).isEqualTo(24);
  }

  @Test
  void nothingIsKnownBeforeTheFirstCheckpoint() {
    assertThat(new Admission(100 * MEBI).pause(MEBI, 99 * MEBI)).isZero();
  }

  @Test
  void noPauseIsLongAndCommitsStopWhenMemoryIsFull() {
    Admission admission = new Admission(100 * MEBI);
    admission.flushed(1, 1_000_000_000);
    assertThat(admission.pause(MEBI, 99 * MEBI)).isEqualTo(500_000_000);
    assertThat(admission.isFull(100 * MEBI + 1)).isTrue();
  }
}
