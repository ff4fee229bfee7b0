package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Forecast;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Forecast: each live document is counted once, by its first deadline. */
final class ForecastTest {
  private static final long START = 1_700_000_000_000L;
  private static final Namespace NAME = new Namespace("db", "items");
  private static final String DEFAULT = "default";
  private static final String BY_AT = "index:at_1";

  private final ManualClock clock = new ManualClock(START);
  private final LocalEngine engine =
      LocalEngine.open(
          MemoryStore.withFilters(),
          clock,
          EngineSettings.standard(clock::now).withBackground(false));

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void documentInTwoLanesIsCountedByItsFirstDeadline() {
    LocalCollection items = engine.create(NAME, byDate(CollectionSpec.mongo().withDefaultTtl(20)));
    insertThree(items);
    assertDue(items, 9_999, Map.of());
    assertDue(items, 10_000, Map.of(BY_AT, 1L));
    assertDue(items, 19_999, Map.of(BY_AT, 1L));
    assertDue(items, 20_000, Map.of(BY_AT, 1L, DEFAULT, 2L));
    assertDue(items, 1_000_000, Map.of(BY_AT, 1L, DEFAULT, 2L));
  }

  @Test
  void documentsOlderThanALaneAreCounted() {
    LocalCollection items = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(20));
    insertThree(items);
    items.alter(ForecastTest::byDate);
    engine.workUntilIdle();
    assertDue(items, 10_000, Map.of(BY_AT, 1L));
    assertDue(items, 20_000, Map.of(BY_AT, 1L, DEFAULT, 2L));
    clock.advance(Duration.ofSeconds(10));
    assertThat(items.usage().documents()).isEqualTo(2);
    assertDue(items, 20_000, Map.of(DEFAULT, 2L));
  }

  @Test
  void expiredDocumentsAreNotInTheForecast() {
    LocalCollection items = engine.create(NAME, byDate(CollectionSpec.mongo().withDefaultTtl(20)));
    insertThree(items);
    clock.advance(Duration.ofSeconds(10));
    assertDue(items, 20_000, Map.of(DEFAULT, 2L));
    engine.workUntilIdle();
    assertDue(items, 20_000, Map.of(DEFAULT, 2L));
    clock.advance(Duration.ofSeconds(10));
    assertDue(items, 1_000_000, Map.of());
  }

  /** Bytes are those of the documents. */
  @Test
  void forecastCountsBytes() {
    LocalCollection items = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(20));
    insertThree(items);
    assertThat(items.expiry().forecast(START + 20_000).total()).isEqualTo(items.usage());
    assertThat(items.usage().bytes())
        .isEqualTo(documents().stream().mapToLong(Document::length).sum());
  }

  /** Writes documents that expire by their date, by the default, and never. */
  private static void insertThree(LocalCollection items) {
    documents().forEach(items::insert);
  }

  private static List<Document> documents() {
    return List.of(
        item(1).put("at", Value.date(START)).build(),
        item(2).put("at", Value.date(START + 60_000)).build(),
        item(3).build());
  }

  private static DocumentWriter item(int id) {
    return Document.writer().put("_id", id);
  }

  private static CollectionSpec byDate(CollectionSpec spec) {
    return spec.withIndex(IndexSpec.implicit("at_1", Part.ascending(FieldPath.of("at"))))
        .withTimeToLive(spec.timeToLive().withIndex("at_1", 10));
  }

  private static void assertDue(LocalCollection items, long afterMillis, Map<String, Long> byRule) {
    Forecast forecast = items.expiry().forecast(START + afterMillis);
    assertThat(forecast.byRule())
        .as("due until %s ms", afterMillis)
        .hasSameSizeAs(byRule)
        .allSatisfy((rule, usage) -> assertThat(byRule).containsEntry(rule, usage.documents()));
  }
}
