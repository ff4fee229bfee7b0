package dev.mayfly.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RangeTest {
  @Test
  void aPrefixEndsWhereItsLastByteCanStillGrow() {
    assertThat(Range.prefix(new byte[] {1, 2}))
        .isEqualTo(Range.of(new byte[] {1, 2}, new byte[] {1, 3}));
    assertThat(Range.prefix(new byte[] {1, -1, -1}))
        .isEqualTo(Range.of(new byte[] {1, -1, -1}, new byte[] {2}));
    assertThat(Range.prefix(new byte[] {-1, -1})).isEqualTo(Range.from(new byte[] {-1, -1}));
  }

  @Test
  void aRangeContainsItsStartAndNotItsEnd() {
    Range range = Range.of(new byte[] {1}, new byte[] {3});

    assertThat(range.contains(new byte[] {0, 9})).isFalse();
    assertThat(range.contains(new byte[] {1})).isTrue();
    assertThat(range.contains(new byte[] {2, -1})).isTrue();
    assertThat(range.contains(new byte[] {3})).isFalse();
    assertThat(range.contains(new byte[] {-1})).isFalse();
  }

  @Test
  void aRangeIsEmptyUnlessItsStartIsBelowItsEnd() {
    assertThat(Range.of(new byte[] {1}, new byte[] {1}).isEmpty()).isTrue();
    assertThat(Range.of(new byte[] {-1}, new byte[] {1}).isEmpty()).isTrue();
    assertThat(Range.to(new byte[0]).isEmpty()).isTrue();
    assertThat(Range.of(new byte[] {1}, new byte[] {1, 0}).isEmpty()).isFalse();
    assertThat(Range.all().isEmpty()).isFalse();
  }
}
