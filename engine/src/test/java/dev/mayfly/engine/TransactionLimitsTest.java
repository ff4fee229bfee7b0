package dev.mayfly.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TransactionLimitsTest {
  @Test
  void standardSizeLimitDependsOnMemory() {
    assertThat(TransactionLimits.in(256L << 20).bytes()).isEqualTo(64L << 20);
    assertThat(TransactionLimits.in(8L << 30).bytes()).isEqualTo(1L << 30);
  }
}
