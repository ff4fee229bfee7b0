package dev.mayfly.engine.shard;

import static dev.mayfly.engine.model.Counters.counter;
import static dev.mayfly.engine.model.Counters.increment;
import static dev.mayfly.engine.model.Counters.key;
import static dev.mayfly.engine.model.Counters.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.StoreException;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records that several writes of one call need are read before the shard's lock is taken. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PrefetchTest {
  private static final Namespace NAME = new Namespace("db", "things");

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final HookedStore store = new HookedStore(MemoryStore.withFilters());
  private final AtomicInteger reads = new AtomicInteger();
  private LocalEngine engine;
  private LocalCollection things;

  @BeforeEach
  void open() {
    engine =
        LocalEngine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));
    things = engine.create(NAME, CollectionSpec.mongo());
    things.insert(counter(1, 0));
    things.insert(counter(2, 0));
  }

  @AfterEach
  void close() {
    store.beforeEveryRead(() -> {});
    Audit.check(engine, things);
    engine.close();
  }

  private List<WriteOutcome> write(Grouping grouping, Write... writes) {
    return things.write(List.of(writes), grouping, Durability.LOGGED, null).outcomes();
  }

  @Test
  void eachRecordIsReadOnceIfNothingElseIsCommitted() {
    store.beforeEveryRead(reads::incrementAndGet);
    write(Grouping.ORDERED, increment(1), increment(2));
    assertThat(reads).hasValue(2);
    assertThat(number(things, 1)).isOne();
    assertThat(number(things, 2)).isOne();
  }

  @Test
  void otherDocumentsCanBeWrittenMeanwhile() {
    things.insert(counter(3, 0));
    // the other caller would wait for ever if this one held a lock that all writers share
    store.afterNextRead(() -> CompletableFuture.runAsync(() -> things.write(increment(3))).join());
    write(Grouping.ORDERED, increment(1), increment(2));
    assertThat(number(things, 1)).isOne();
    assertThat(number(things, 2)).isOne();
    assertThat(number(things, 3)).isOne();
  }

  @Test
  void anotherWriterOfTheSameDocumentWaits() {
    List<CompletableFuture<Void>> others = new ArrayList<>();
    store.afterNextRead(
        () -> others.add(CompletableFuture.runAsync(() -> things.write(increment(1)))));
    write(Grouping.ORDERED, increment(1), increment(2));
    others.forEach(CompletableFuture::join);
    assertThat(others).hasSize(1);
    assertThat(number(things, 1)).isEqualTo(2);
    assertThat(number(things, 2)).isOne();
  }

  @Test
  void laterWriteOfTheCallSeesTheEarlierOne() {
    write(Grouping.ATOMIC, increment(1), new Write.Delete(key(1)), new Write.Insert(counter(1, 7)));
    assertThat(number(things, 1)).isEqualTo(7);
  }

  @Test
  void readThatFailsIsTriedAgainUnderTheLock() {
    store.beforeEveryRead(
        () -> {
          if (reads.incrementAndGet() == 1) {
            throw new StoreException(StoreException.Reason.IO, "broken");
          }
        });
    write(Grouping.ORDERED, increment(1), increment(2));
    assertThat(number(things, 1)).isOne();
    assertThat(number(things, 2)).isOne();
  }

  @Test
  void invalidKeyIsReportedForItsWriteOnly() {
    Document without = Document.writer().put("n", 1).build();
    assertThat(write(Grouping.UNORDERED, new Write.Insert(without), increment(2)))
        .satisfiesExactly(
            first -> assertFailed(first, Reason.BAD_KEY),
            second -> assertThat(second).isInstanceOf(WriteOutcome.Updated.class));
  }

  private static void assertFailed(WriteOutcome outcome, Reason reason) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            WriteOutcome.Failed.class,
            failed -> assertThat(failed.failure().reason()).isEqualTo(reason));
  }
}
