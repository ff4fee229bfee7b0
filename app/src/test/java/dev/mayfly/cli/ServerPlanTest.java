package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.config.Configuration;
import dev.mayfly.cosmos.CosmosSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What settings make of a server. */
final class ServerPlanTest {
  private static CosmosSettings cosmos(Map<String, String> options) {
    Configuration configuration = Configuration.of(options, Map.of(), Map.of(), List.of());
    return new ServerPlan(configuration).settings(List.of()).cosmos().orElseThrow();
  }

  @Test
  void anOrderWithoutItsIndexIsRefusedUnlessTheSettingIsLenient() {
    assertThat(cosmos(Map.of()).lenientOrder()).isFalse();
    assertThat(cosmos(Map.of("cosmos-order", "lenient")).lenientOrder()).isTrue();
  }
}
