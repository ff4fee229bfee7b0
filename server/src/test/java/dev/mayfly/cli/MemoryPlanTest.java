package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Division of the memory of a process. */
final class MemoryPlanTest {
  private static final long MEBIBYTE = 1 << 20;
  private static final long GIBIBYTE = 1 << 30;

  @Test
  void theDefaultIsOneGibibyteOrThreeQuartersOfTheMachine() {
    assertThat(MemoryPlan.standard(24 * GIBIBYTE)).isEqualTo(GIBIBYTE);
    assertThat(MemoryPlan.standard(512 * MEBIBYTE)).isEqualTo(384 * MEBIBYTE);
  }

  @ParameterizedTest
  @ValueSource(longs = {256, 512, 1024, 4096, 65536})
  void theSharesStayWithinTheTotal(long mebibytes) {
    long total = mebibytes * MEBIBYTE;
    MemoryPlan plan = new MemoryPlan(total, total / 8 * 3);

    long java = 96 * MEBIBYTE + total / 16;
    assertThat(plan.heap() + plan.nativeStoreBytes() + total / 8 + java).isLessThanOrEqualTo(total);
    assertThat(plan.storeBytes() - plan.nativeStoreBytes()).isLessThanOrEqualTo(plan.heap() / 4);
    assertThat(plan.warning()).isEmpty();
  }

  @Test
  void aTooLargeHeapIsReportedWithTheRightOption() {
    assertThat(new MemoryPlan(GIBIBYTE, 6 * GIBIBYTE).warning().stream().toList())
        .isEqualTo(
            List.of(
                "the heap may grow to 6144m, so the setting memory (1024m) does not limit this"
                    + " process: start it with the script mayfly, or run java with -Xmx384m"));
  }
}
