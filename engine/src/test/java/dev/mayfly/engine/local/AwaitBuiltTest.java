package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits for index builds, and failures of builds. */
final class AwaitBuiltTest {
  private static final IndexSpec INDEX =
      IndexSpec.implicit(
              "ab", Part.ascending(FieldPath.of("a")), Part.descending(FieldPath.of("b.c")))
          .withUnique(true);

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);

  private LocalEngine engine(boolean background) {
    return LocalEngine.open(
        MemoryStore.withFilters(),
        clock,
        EngineSettings.standard(clock::now).withBackground(background));
  }

  private static Document document(int id, Value a, int c) {
    return Document.writer()
        .put("_id", id)
        .put("a", a)
        .put("b", Document.writer().put("c", c).build())
        .build();
  }

  private static LocalCollection collection(LocalEngine engine) {
    return engine.create(new Namespace("d", "c"), CollectionSpec.mongo());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void indexIsReadyAfterTheWait(boolean background) {
    try (LocalEngine engine = engine(background)) {
      LocalCollection collection = collection(engine);
      for (int i = 0; i < 500; i++) {
        collection.insert(document(i, Value.of(i), 1));
      }
      collection.alter(spec -> spec.withIndex(INDEX));
      collection.awaitBuilt("ab");
      assertThat(collection.builds()).isEmpty();
      assertThat(collection.spec().indexes()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void buildFailsWithTheValuesOfADuplicateKey(boolean background) {
    try (LocalEngine engine = engine(background)) {
      LocalCollection collection = collection(engine);
      collection.insert(document(1, Value.array(List.of(Value.of(5), Value.of(7))), 1));
      collection.insert(document(2, Value.of(7), 1));
      collection.alter(spec -> spec.withIndex(INDEX));
      assertThatThrownBy(() -> collection.awaitBuilt("ab"))
          .isInstanceOfSatisfying(
              EngineException.class,
              failure -> {
                assertThat(failure.reason()).isEqualTo(Reason.DUPLICATE_KEY);
                assertThat(failure.detail()).isEqualTo("ab");
                assertThat(failure.key()).hasToString("{\"a\":7,\"b.c\":1}");
              });
      assertThat(collection.spec().indexes()).isEmpty();
    }
  }

  @Test
  void rejectedWriteReportsTheDuplicateValues() {
    try (LocalEngine engine = engine(false)) {
      LocalCollection collection = collection(engine);
      collection.alter(spec -> spec.withIndex(INDEX));
      collection.insert(Document.writer().put("_id", 1).build());
      assertThatThrownBy(() -> collection.insert(Document.writer().put("_id", 2).build()))
          .isInstanceOfSatisfying(
              EngineException.class,
              failure -> assertThat(failure.key()).hasToString("{\"a\":null,\"b.c\":null}"));
      assertThatThrownBy(() -> collection.insert(Document.writer().put("_id", 1).build()))
          .isInstanceOfSatisfying(
              EngineException.class,
              failure -> assertThat(failure.key()).hasToString("{\"_id\":1}"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void operationThatMustStopEndsTheWaitWhileTheBuildContinues(boolean background) {
    try (LocalEngine engine = engine(background)) {
      LocalCollection collection = collection(engine);
      for (int i = 0; i < 500; i++) {
        collection.insert(document(i, Value.of(i), 1));
      }
      engine.pauseSweep();
      collection.alter(spec -> spec.withIndex(INDEX));
      IllegalStateException enough = new IllegalStateException("enough");
      boolean waited = true;
      try {
        Runnable stop =
            () -> {
              throw enough;
            };
        collection.awaitBuilt(OperationContext.begin(engine::now, stop), "ab");
      } catch (IllegalStateException told) {
        assertThat(told).isSameAs(enough);
        waited = false;
      }
      assertThat(waited && !background).isFalse();
      collection.awaitBuilt("ab");
      assertThat(collection.spec().indexes()).hasSize(1);
    }
  }

  @Test
  void waitForAnUnknownIndexFails() {
    try (LocalEngine engine = engine(true)) {
      LocalCollection collection = collection(engine);
      assertThatThrownBy(() -> collection.awaitBuilt("no"))
          .isInstanceOfSatisfying(
              EngineException.class,
              failure -> assertThat(failure.reason()).isEqualTo(Reason.CLOSED));
    }
  }
}
