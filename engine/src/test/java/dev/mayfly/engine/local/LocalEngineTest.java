package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LocalEngineTest {
  private static final Namespace ORDERS = new Namespace("sales", "orders");

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);

  @Test
  void documentExpiresExactlyAtItsDeadline() {
    try (LocalEngine engine = LocalEngine.open(MemoryStore.withFilters(), clock, settings)) {
      LocalCollection orders =
          engine.create(ORDERS, CollectionSpec.cosmos("customer").withDefaultTtl(10));
      orders.insert(order("a", "1"));
      DocumentKey key = DocumentKey.of("a", "1");
      clock.advance(Duration.ofMillis(9_999));
      assertThat(orders.read(key)).isPresent();
      assertThat(orders.usage().documents()).isEqualTo(1);
      assertThat(orders.expiry().forecast(engine.now() + 1).total().documents()).isEqualTo(1);
      clock.advance(Duration.ofMillis(1));
      assertThat(orders.read(key)).isEmpty();
      assertThat(orders.usage()).isEqualTo(Usage.NONE);
      engine.workUntilIdle();
      List<Change> changes = orders.feeds().getFirst().read(0, 10);
      assertThat(changes)
          .extracting(Change::kind)
          .containsExactly(Change.Kind.INSERT, Change.Kind.EXPIRE);
      assertThat(changes.getLast().deadline()).isEqualTo(clock.now());
      assertThat(changes.getLast().key()).isEqualTo(key);
      orders.insert(order("a", "1"));
      assertThat(orders.read(key)).isPresent();
    }
  }

  @Test
  void ttlIndexFindsAndExpiresDocuments() {
    try (LocalEngine engine = LocalEngine.open(MemoryStore.withFilters(), clock, settings)) {
      IndexSpec byDate = IndexSpec.implicit("at_1", Part.ascending(FieldPath.of("at")));
      IndexSpec byColour = IndexSpec.implicit("colour_1", Part.ascending(FieldPath.of("colour")));
      CollectionSpec spec = CollectionSpec.mongo().withIndex(byDate).withIndex(byColour);
      LocalCollection events =
          engine.create(ORDERS, spec.withTimeToLive(spec.timeToLive().withIndex("at_1", 60)));
      for (int i = 0; i < 100; i++) {
        events.insert(
            Document.writer()
                .put("_id", i)
                .put("at", Value.date(clock.now() + i * 1000L))
                .put("colour", i % 2 == 0 ? "red" : "blue")
                .build());
      }
      Query red =
          Query.of(Filter.equal(FieldPath.of("colour"), Value.of("red")), spec.dialect().mode());
      assertThat(count(events, red)).isEqualTo(50);
      clock.advance(Duration.ofSeconds(60 + 49));
      assertThat(count(events, red)).isEqualTo(25);
      assertThat(events.usage().documents()).isEqualTo(50);
      engine.workUntilIdle();
      assertThat(count(events, red)).isEqualTo(25);
      assertThat(events.usage().documents()).isEqualTo(50);
      assertThat(engine.sweepStats().documents()).isEqualTo(50);
    }
  }

  private static long count(LocalCollection collection, Query query) {
    long count = 0;
    try (QueryCursor cursor = collection.query(query)) {
      assertThat(cursor.plan()).contains("index");
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  private static Document order(String customer, String id) {
    return Document.writer().put("id", id).put("customer", customer).build();
  }
}
