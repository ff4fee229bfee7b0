package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.crash.KilledWriter;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions on RocksDB: a snapshot stays open while a cursor reads from it. */
final class TransactionCursorTest {
  private static final FieldPath N = FieldPath.of("n");
  private static final int DOCUMENTS = 100;

  @TempDir private Path directory = Path.of("");

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private RocksStore store;
  private LocalEngine engine;
  private LocalCollection collection;

  @BeforeEach
  void open() {
    store = KilledWriter.open(directory);
    engine =
        LocalEngine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));
    collection =
        engine.create(
            new Namespace("d", "c"),
            CollectionSpec.mongo().withIndex(IndexSpec.implicit("n_1", Part.ascending(N))));
    for (int i = 0; i < DOCUMENTS; i++) {
      collection.insert(Document.writer().put("_id", i).put("n", i).build());
    }
  }

  @AfterEach
  void close() {
    engine.close();
    store.close();
  }

  private static Query byIndex() {
    return Query.of(new Filter.Compare(N, Operator.GTE, Value.of(0)), Mode.MATCH);
  }

  private void assertOver(QueryCursor cursor) {
    assertThatThrownBy(cursor::next)
        .isInstanceOfSatisfying(
            EngineException.class,
            failure -> assertThat(failure.reason()).isEqualTo(Reason.NO_SUCH_TRANSACTION));
  }

  @Test
  void cursorsEndWithTheirTransaction() {
    LocalTransaction transaction = engine.begin();
    QueryCursor scan = transaction.query(collection, Query.of(Filter.all(), Mode.MATCH));
    QueryCursor index = transaction.query(collection, byIndex());
    assertThat(scan.next()).isTrue();
    assertThat(index.next()).isTrue();
    clock.advance(Duration.ofMinutes(2));
    engine.work();
    assertThat(transaction.open()).isFalse();
    assertOver(scan);
    assertOver(index);
    scan.close();
    index.close();
  }

  @Test
  void abortWaitsForAReadingCursor() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger looked = new AtomicInteger();
    Filter slow =
        new Filter.And(
            List.of(
                new Filter.Compare(N, Operator.GTE, Value.of(0)),
                new Filter.Expr(
                    () ->
                        _ -> {
                          if (looked.incrementAndGet() == DOCUMENTS / 2) {
                            inside.countDown();
                            await(goOn);
                          }
                          return looked.get() == DOCUMENTS;
                        })));
    LocalTransaction transaction = engine.begin();
    try (QueryCursor cursor = transaction.query(collection, Query.of(slow, Mode.MATCH))) {
      CompletableFuture<Boolean> found = CompletableFuture.supplyAsync(cursor::next);
      await(inside);
      clock.advance(Duration.ofMinutes(2));
      engine.work();
      goOn.countDown();
      assertThat(found.get(10, TimeUnit.SECONDS)).isTrue();
      assertThat(looked.get()).isEqualTo(DOCUMENTS);
      assertThat(cursor.document().field("n").asInt()).isEqualTo(DOCUMENTS - 1);
      engine.work();
      assertOver(cursor);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }
}
