package dev.mayfly.cosmos.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The changes of several shards in one order. */
final class ChangesTest {
  private static final int ITEMS = 50;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final Engine engine =
      LocalEngine.open(
          MemoryStore.withFilters(),
          clock,
          EngineSettings.standard(clock::now).withBackground(false));
  private final Collection items =
      engine.create(new Namespace("db", "items"), CollectionSpec.cosmos("pk").withShards(4));

  @BeforeEach
  void fill() {
    for (int i = 0; i < ITEMS; i++) {
      clock.advance(Duration.ofSeconds(1));
      items.insert(Document.writer().put("id", "i" + i).put("pk", "p" + i).build());
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 100})
  void changesAreOrderedForEveryBatchSize(int slice) {
    Changes changes = Changes.of(items);
    List<String> ids = new ArrayList<>();
    long after = 0;
    List<Change> some = changes.read(after, slice);
    while (!some.isEmpty()) {
      some.forEach(change -> ids.add(change.key().id().asString()));
      after = some.getLast().position();
      some = changes.read(after, slice);
    }
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < ITEMS; i++) {
      expected.add("i" + i);
    }
    assertThat(ids).isEqualTo(expected);
    assertThat(after).isEqualTo(changes.end());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 17, 50})
  void changesSinceAnInstantAreFound(int before) {
    Changes changes = Changes.of(items);
    long instant = 1_700_000_000_000L + (before + 1) * 1000L;
    List<Change> since = changes.read(changes.before(instant), 1000);
    assertThat(since.stream().filter(change -> change.time() >= instant)).hasSize(ITEMS - before);
  }
}
