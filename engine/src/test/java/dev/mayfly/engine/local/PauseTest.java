package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PauseTest {
  private static final Namespace NAME = new Namespace("test", "paused");

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);
  private LocalEngine engine = LocalEngine.open(MemoryStore.withFilters(), clock, settings);

  @AfterEach
  void close() {
    engine.close();
  }

  private LocalCollection create(CollectionSpec spec) {
    return engine.create(NAME, spec);
  }

  private static Document document(int id, String key) {
    return Document.writer().put("_id", id).put("key", key).build();
  }

  private static DocumentKey key(int id) {
    return DocumentKey.of(Value.of(id));
  }

  @Test
  void expiredDocumentsAreVisibleDuringAPause() {
    LocalCollection things = create(CollectionSpec.mongo().withDefaultTtl(10));
    things.insert(document(1, "a"));
    clock.advance(Duration.ofSeconds(20));
    assertThat(things.read(key(1))).isEmpty();
    engine.pauseExpiry();
    assertThat(things.read(key(1))).isPresent();
    assertThat(things.usage().documents()).isEqualTo(1);
    assertThat(things.count(Filter.equal(FieldPath.of("key"), Value.of("a")))).isEqualTo(1);
    engine.workUntilIdle();
    assertThat(things.read(key(1))).isPresent();
    engine.resumeExpiry();
    assertThat(things.read(key(1))).isEmpty();
    assertThat(things.usage()).isEqualTo(Usage.NONE);
    engine.workUntilIdle();
    assertThat(engine.sweepStats().documents()).isEqualTo(1);
  }

  @Test
  void sweptDocumentsStayInvisibleDuringAPause() {
    LocalCollection things = create(CollectionSpec.mongo().withDefaultTtl(10));
    things.insert(document(1, "a"));
    clock.advance(Duration.ofSeconds(20));
    engine.workUntilIdle();
    engine.pauseExpiry();
    assertThat(things.read(key(1))).isEmpty();
    assertThat(things.usage()).isEqualTo(Usage.NONE);
  }

  @Test
  void documentVisibleInAPauseKeepsItsUniqueKeys() {
    IndexSpec unique = IndexSpec.implicit("key_1", Part.ascending(FieldPath.of("key")));
    LocalCollection things =
        create(CollectionSpec.mongo().withIndex(unique.withUnique(true)).withDefaultTtl(10));
    things.insert(document(1, "a"));
    clock.advance(Duration.ofSeconds(20));
    engine.pauseExpiry();
    assertThatThrownBy(() -> things.insert(document(1, "b")))
        .extracting(failure -> ((EngineException) failure).reason())
        .isEqualTo(Reason.DUPLICATE_ID);
    assertThatThrownBy(() -> things.insert(document(2, "a")))
        .extracting(failure -> ((EngineException) failure).reason())
        .isEqualTo(Reason.DUPLICATE_KEY);
    engine.resumeExpiry();
    assertThat(things.insert(document(2, "a"))).isInstanceOf(WriteOutcome.Inserted.class);
  }

  @Test
  void longerTtlInAPauseKeepsVisibleDocumentsLive() {
    LocalCollection things = create(CollectionSpec.mongo().withDefaultTtl(10));
    things.insert(document(1, "a"));
    clock.advance(Duration.ofSeconds(20));
    engine.pauseExpiry();
    things.alter(spec -> spec.withDefaultTtl(100));
    engine.resumeExpiry();
    assertThat(things.read(key(1))).isPresent();
    clock.advance(Duration.ofSeconds(80));
    assertThat(things.read(key(1))).isEmpty();
  }

  @Test
  void cursorOpenedInAPauseStaysComplete() {
    LocalCollection things = create(CollectionSpec.mongo().withDefaultTtl(10));
    for (int i = 0; i < 10; i++) {
      things.insert(document(i, "a"));
    }
    clock.advance(Duration.ofSeconds(20));
    engine.pauseExpiry();
    int seen = 0;
    try (QueryCursor cursor = things.query(Query.of(Filter.all(), Mode.MATCH))) {
      cursor.next();
      seen++;
      engine.resumeExpiry();
      engine.workUntilIdle();
      engine
          .store()
          .reclaim(things.owners().getFirst().shard().number(), dev.mayfly.store.Space.RECORDS);
      assertThat(engine.sweepStats().documents()).isZero();
      while (cursor.next()) {
        seen++;
      }
    }
    assertThat(seen).isEqualTo(10);
    engine.workUntilIdle();
    assertThat(engine.sweepStats().documents()).isEqualTo(10);
  }

  @Test
  void collectionCreatedInAPauseIsPaused() {
    engine.pauseExpiry();
    LocalCollection things = create(CollectionSpec.mongo().withDefaultTtl(10));
    things.insert(document(1, "a"));
    clock.advance(Duration.ofSeconds(20));
    assertThat(things.read(key(1))).isPresent();
    assertThat(engine.expiryPaused()).isTrue();
  }

  @Test
  void restartEndsThePause() {
    MemoryStore store = MemoryStore.withFilters();
    engine.close();
    engine = LocalEngine.open(store, clock, settings);
    LocalCollection things = create(CollectionSpec.mongo().withDefaultTtl(10));
    things.insert(document(1, "a"));
    clock.advance(Duration.ofSeconds(20));
    engine.pauseExpiry();
    engine.close();
    engine = LocalEngine.open(store.reopen(), clock, settings);
    assertThat(engine.collection(NAME).read(key(1))).isEmpty();
  }
}
