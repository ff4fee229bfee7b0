package dev.mayfly.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.FieldPath;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class SpecLimitsTest {
  private final ManualClock clock = new ManualClock(1_700_000_000_000L);

  @Test
  void ttlIndexHasOneField() {
    IndexSpec compound =
        IndexSpec.implicit(
            "a_b", Part.ascending(FieldPath.of("a")), Part.ascending(FieldPath.of("b")));
    IndexSpec wildcard = IndexSpec.implicit("all", Part.wildcard(FieldPath.of("w")));
    for (IndexSpec index : new IndexSpec[] {compound, wildcard}) {
      CollectionSpec spec = CollectionSpec.mongo().withIndex(index);
      assertRefused(() -> spec.withTimeToLive(spec.timeToLive().withIndex(index.name(), 10)));
    }
  }

  @Test
  void numberOfTtlIndexesIsLimited() {
    CollectionSpec spec = CollectionSpec.mongo();
    for (int i = 0; i <= Header.MAX_PLACES; i++) {
      String name = "at" + i;
      IndexSpec index = IndexSpec.implicit(name, Part.ascending(FieldPath.of(name)));
      spec = spec.withIndex(index).withTimeToLive(spec.timeToLive().withIndex(name, 10));
    }
    CollectionSpec tooMany = spec;
    EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);
    try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
      Namespace name = new Namespace("limits", "lanes");
      assertRefused(() -> engine.create(name, tooMany));
      assertThat(engine.find(name)).isEmpty();
      engine.create(name, tooMany.withoutIndex("at0"));
    }
  }

  private static void assertRefused(ThrowingCallable action) {
    EngineException refused = catchThrowableOfType(EngineException.class, action);
    assertThat(refused.reason()).isEqualTo(Reason.BAD_SPEC);
  }
}
