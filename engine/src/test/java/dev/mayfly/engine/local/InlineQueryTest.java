package dev.mayfly.engine.local;

import static dev.mayfly.engine.model.Counters.counter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queries on an event loop: they return what others return, or throw WouldBlock. */
final class InlineQueryTest {
  private static final FieldPath N = FieldPath.of("n");
  private static final IndexSpec BY_N = IndexSpec.implicit("n_1", Part.ascending(N));

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final HookedStore store = new HookedStore(MemoryStore.withFilters());
  private LocalEngine engine;
  private LocalCollection things;

  @BeforeEach
  void open() {
    engine =
        LocalEngine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));
    things =
        engine.create(
            new Namespace("db", "things"),
            CollectionSpec.mongo().withIndex(BY_N).withDefaultTtl(10));
    for (int i = 0; i < 200; i++) {
      things.insert(counter(i, i < 5 ? 1 : 2));
    }
  }

  @AfterEach
  void close() {
    assertThat(engine.openReads().oldest()).as("no reader is left").isEqualTo(Long.MAX_VALUE);
    engine.close();
  }

  private static Query equal(int n) {
    return Query.of(Filter.equal(N, Value.of(n)), Mode.MATCH);
  }

  private List<Integer> inline(Query query) {
    OperationContext operation = OperationContext.begin(engine::now, new PendingCommit());
    List<Integer> ids = new ArrayList<>();
    try (QueryCursor cursor = things.query(operation, query)) {
      while (cursor.next()) {
        ids.add(cursor.document().field("_id").asInt());
      }
    }
    return ids;
  }

  @Test
  void shortIndexScanRunsInline() {
    assertThat(inline(equal(1))).containsExactly(0, 1, 2, 3, 4);
    assertThat(inline(equal(2).limitedTo(20))).hasSize(20);
    assertThat(inline(equal(3))).isEmpty();
    Filter id = Filter.equal(FieldPath.of("_id"), Value.of(7));
    assertThat(inline(Query.of(id, Mode.MATCH))).containsExactly(7);
  }

  @Test
  void documentsAreAbsentAtTheirDeadline() {
    clock.advance(Duration.ofMillis(9_999));
    assertThat(inline(equal(1))).hasSize(5);
    clock.advance(Duration.ofMillis(1));
    assertThat(inline(equal(1))).isEmpty();
  }

  @Test
  void longScanGivesUp() {
    assertThatThrownBy(() -> inline(equal(2))).isInstanceOf(WouldBlock.class);
  }

  @Test
  void queriesWithoutAnIndexOrWithASortGiveUp() {
    Query all = Query.of(Filter.all(), Mode.MATCH);
    assertThatThrownBy(() -> inline(all)).isInstanceOf(WouldBlock.class);
    Query sorted = equal(1).orderedBy(Sort.ascending(FieldPath.of("x")));
    assertThatThrownBy(() -> inline(sorted)).isInstanceOf(WouldBlock.class);
  }

  @Test
  void whatIsNotInMemoryGivesUp() {
    store.cachedReads(0);
    assertThatThrownBy(() -> inline(equal(1))).isInstanceOf(WouldBlock.class);
  }

  @Test
  void afterFailuresFewerQueriesAreTried() {
    for (int i = 0; i < 200; i++) {
      assertThatThrownBy(() -> inline(equal(2))).isInstanceOf(WouldBlock.class);
    }
    int tried = 0;
    for (int i = 0; i < 40; i++) {
      try {
        tried += inline(equal(1)).isEmpty() ? 0 : 1;
      } catch (WouldBlock notTried) {
        assertThat(notTried).hasNoCause();
      }
    }
    assertThat(tried).isLessThan(40);
  }
}
