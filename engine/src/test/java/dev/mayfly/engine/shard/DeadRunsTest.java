package dev.mayfly.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cost of dead entries for readers, before a compaction has dropped them. */
final class DeadRunsTest {
  private static final int DEAD = 10_000;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final HookedStore store = new HookedStore(MemoryStore.withFilters());
  private final LocalEngine engine =
      LocalEngine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));
  private final LocalCollection queue =
      engine.create(
          new Namespace("db", "queue"),
          CollectionSpec.mongo()
              .withDefaultTtl(10)
              .withIndex(IndexSpec.implicit("n_1", Part.ascending(FieldPath.of("n")))));

  @BeforeEach
  void expire() {
    List<Write> writes = new ArrayList<>();
    // descending, so that the zone map does not know them
    for (int i = DEAD - 1; i >= 0; i--) {
      writes.add(new Write.Insert(job(i)));
    }
    queue.write(writes, Grouping.ORDERED, Durability.LOGGED);
    clock.advance(Duration.ofSeconds(11));
    engine.workUntilIdle();
    queue.insert(job(DEAD));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void queryForTheFirstDocumentSkipsDeadEntriesOnce() {
    assertThat(first(byN(true)).keysExamined()).isGreaterThan(DEAD);
    engine.workUntilIdle();
    assertThat(first(byN(true)).keysExamined()).isLessThan(10);
    assertThat(first(Query.of(Filter.all(), Dialect.MONGO.mode())).documentsExamined())
        .isGreaterThan(DEAD);
    engine.workUntilIdle();
    assertThat(first(Query.of(Filter.all(), Dialect.MONGO.mode())).documentsExamined())
        .isLessThan(10);
    Audit.check(engine, queue);
  }

  @Test
  void queryForTheLastDocumentSkipsDeadEntriesOnce() {
    queue.write(new Write.Delete(DocumentKey.of(Value.of(DEAD))));
    queue.insert(job(-1));
    assertThat(first(byN(false)).keysExamined()).isGreaterThan(DEAD);
    engine.workUntilIdle();
    assertThat(first(byN(false)).keysExamined()).isLessThan(10);
    Audit.check(engine, queue);
  }

  @Test
  void concurrentWriteInADeadRunIsKept() {
    first(byN(true));
    store.afterScan(Space.ENTRIES, 0, () -> queue.insert(job(5000)));
    engine.workUntilIdle();
    assertThat(queue.count(Filter.equal(FieldPath.of("n"), Value.of(5000)))).isOne();
    assertThat(queue.check(false).wrong()).isZero();
    first(byN(true));
    engine.workUntilIdle();
    assertThat(first(byN(true)).keysExamined()).isLessThan(10);
    assertThat(queue.count(Filter.equal(FieldPath.of("n"), Value.of(5000)))).isOne();
    Audit.check(engine, queue);
  }

  @Test
  void expiredDocumentsThatAreNotSweptStay() {
    engine.pauseSweep();
    clock.advance(Duration.ofSeconds(11));
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      writes.add(new Write.Insert(job(2 * DEAD + i)));
    }
    queue.write(writes, Grouping.ORDERED, Durability.LOGGED);
    clock.advance(Duration.ofSeconds(11));
    assertThat(queue.count(new Filter.Exists(FieldPath.of("n"), true))).isZero();
    engine.workUntilIdle();
    engine.resumeSweep();
    engine.workUntilIdle();
    assertThat(engine.sweepStats().documents()).isEqualTo(DEAD + 1001);
    Audit.check(engine, queue);
  }

  private Query byN(boolean ascending) {
    FieldPath n = FieldPath.of("n");
    return Query.of(new Filter.Exists(n, true), Dialect.MONGO.mode())
        .orderedBy(ascending ? Sort.ascending(n) : Sort.descending(n));
  }

  private Explanation first(Query query) {
    try (QueryCursor cursor = queue.query(query.limitedTo(1))) {
      assertThat(cursor.next()).isTrue();
      return cursor.explain();
    }
  }

  private static Document job(int n) {
    return Document.writer().put("_id", n).put("n", n).build();
  }
}
