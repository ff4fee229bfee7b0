package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.config.Configuration;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.engine.Durability;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Mapping of settings to a server. */
final class SettingsMapperTest {
  private static CosmosSettings cosmos(Map<String, String> options) {
    Configuration configuration = Configuration.of(options, Map.of(), Map.of(), List.of());
    return new SettingsMapper(configuration, Map.of()).settings(List.of()).cosmos().orElseThrow();
  }

  @Test
  void cosmosOrderLenientAllowsUnindexedOrderBy() {
    assertThat(cosmos(Map.of()).lenientOrder()).isFalse();
    assertThat(cosmos(Map.of("cosmos-order", "lenient")).lenientOrder()).isTrue();
  }

  @Test
  void durabilityIsSyncedByDefault() {
    assertThat(cosmos(Map.of()).durability()).isEqualTo(Durability.SYNCED);
    assertThat(cosmos(Map.of("durability", "logged")).durability()).isEqualTo(Durability.LOGGED);
    Configuration standard = Configuration.of(Map.of(), Map.of(), Map.of(), List.of());
    assertThat(
            new SettingsMapper(standard, Map.of()).settings(List.of()).mongo().work().durability())
        .isEqualTo(Durability.SYNCED);
  }
}
