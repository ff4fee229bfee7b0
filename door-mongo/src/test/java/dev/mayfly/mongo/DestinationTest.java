package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.store.MemoryStore;
import org.junit.jupiter.api.Test;

final class DestinationTest {
  /** Commands of several servers that a server alone does not have. */
  private static final String ONLY_OF_SEVERAL = "listShards";

  @Test
  void everyCommandHasADestination() {
    try (MemoryStore store = new MemoryStore();
        Engine engine =
            LocalEngine.open(
                store, () -> Shell.START, EngineSettings.standard(() -> 0).withBackground(false))) {
      CommandSettings work = CommandSettings.STANDARD.withTestCommands();
      MongoFrontend frontend =
          MongoFrontend.of(engine, MongoSettings.standard(() -> 0).withWork(work));
      try (MongoBackend backend = new MongoBackend(frontend, engine)) {
        assertThat(Destination.commands())
            .filteredOn(name -> !name.equals(ONLY_OF_SEVERAL))
            .containsExactlyInAnyOrderElementsOf(backend.commandNames());
      }
    }
  }

  @Test
  void cursorIdsContainTheSlot() {
    for (int slot : new int[] {0, 1, 1023}) {
      long id = CursorIds.next(slot);
      assertThat(id).isPositive();
      assertThat(CursorIds.slot(id)).isEqualTo(slot);
    }
  }
}
