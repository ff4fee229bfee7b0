package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import org.junit.jupiter.api.Test;

final class DemoTest {
  @Test
  void pipedDemoOutputHasNoEscapeSequences() {
    CommandLineRun run = CommandLineRun.of("demo", "--seconds", "2");

    assertThat(run.exit()).isZero();
    assertThat(run.out()).doesNotContain("\u001b").contains("live", "expired");
    assertThat(run.out().lines().reduce("", (_, line) -> line))
        .matches(
            "[0-9,]+ documents were written: [0-9,]+ expired, [0-9,]+ are still live\\. None was"
                + " visible after its deadline, none was missing before it\\.");
  }

  @Test
  void jsonDemoOutputIsOneConsistentObject() {
    CommandLineRun run = CommandLineRun.of("demo", "--seconds", "2", "--json");

    Document summary = Json.parse(run.out(), Limits.COSMOS);
    long written = summary.field("written").asLong();
    assertThat(written).isPositive();
    assertThat(summary.field("expired").asLong() + summary.field("live").asLong())
        .isEqualTo(written);
    assertThat(summary.field("late").asLong()).isZero();
    assertThat(summary.field("early").asLong()).isZero();
  }
}
