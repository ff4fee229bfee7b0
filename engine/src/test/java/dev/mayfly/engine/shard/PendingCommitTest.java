package dev.mayfly.engine.shard;

import static dev.mayfly.engine.model.Counters.broken;
import static dev.mayfly.engine.model.Counters.counter;
import static dev.mayfly.engine.model.Counters.increment;
import static dev.mayfly.engine.model.Counters.key;
import static dev.mayfly.engine.model.Counters.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.local.LocalTransaction;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.StoreException;
import dev.mayfly.value.FieldPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deferred writes: decided one by one and committed together. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PendingCommitTest {
  private static final Namespace NAME = new Namespace("db", "things");

  private static final IndexSpec BY_N =
      IndexSpec.implicit("n_1", Part.ascending(FieldPath.of("n"))).withUnique(true);

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final HookedStore store = new HookedStore(MemoryStore.withFilters());
  private final AtomicInteger commits = new AtomicInteger();
  private LocalEngine engine;
  private LocalCollection things;

  @BeforeEach
  void open() {
    engine =
        LocalEngine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));
    things = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(10));
    things.insert(counter(0, 0));
    store.beforeEveryCommit(commits::incrementAndGet);
  }

  @AfterEach
  void close() {
    store.beforeEveryCommit(() -> {});
    store.stalled(false);
    Audit.check(engine, things);
    engine.close();
  }

  @Test
  void deferredWritesBecomeVisibleWithTheirCommit() {
    PendingCommit first = new PendingCommit();
    PendingCommit second = new PendingCommit();
    assertThat(promise(insert(1), first)).isInstanceOf(WriteOutcome.Inserted.class);
    assertThat(promise(increment(0), second)).isInstanceOf(WriteOutcome.Updated.class);
    assertThat(promise(increment(0), second)).isInstanceOf(WriteOutcome.Updated.class);
    assertThat(things.read(key(1))).isEmpty();
    assertThat(commits).hasValue(0);
    second.await();
    assertThat(things.read(key(1))).isPresent();
    assertThat(number(things, 0)).isEqualTo(2);
    first.await();
    assertThat(commits).hasValue(1);
    assertThat(things.usage().documents()).isEqualTo(2);
  }

  @Test
  void durableDeferredWriteWaitsForTheSharedFlush() {
    PendingCommit logged = new PendingCommit();
    PendingCommit synced = new PendingCommit();
    promise(insert(1), logged);
    things.writeDeferred(List.of(insert(2)), Durability.SYNCED, null, synced);
    assertThat(logged.tryCommit()).isTrue();
    assertThat(synced.tryCommit()).isFalse();
    assertThat(commits).hasValue(1);
    assertThat(things.read(key(2))).isPresent();

    AtomicInteger wakes = new AtomicInteger();
    assertThat(synced.wakeAfterFlush(wakes::incrementAndGet)).isTrue();
    assertThat(wakes).hasValue(1);
    assertThat(synced.tryCommit()).isTrue();
  }

  @Test
  void aWriteThatCannotBeCommittedYetDoesNotWaitForAFlush() {
    PendingCommit pending = new PendingCommit();
    things.writeDeferred(List.of(insert(1)), Durability.SYNCED, null, pending);
    store.stalled(true);
    assertThat(pending.tryCommit()).isFalse();
    assertThat(pending.wakeAfterFlush(() -> {})).isFalse();
    store.stalled(false);
    pending.await();
    assertThat(pending.tryCommit()).isTrue();
  }

  @Test
  void aFailedFlushIsReportedToTheWriteThatWaitsForIt() {
    PendingCommit pending = new PendingCommit();
    things.writeDeferred(List.of(insert(1)), Durability.SYNCED, null, pending);
    store.beforeEverySync(
        () -> {
          throw new StoreException(StoreException.Reason.DISK_FULL, "no room");
        });
    assertThat(pending.tryCommit()).isFalse();
    assertThat(pending.wakeAfterFlush(() -> {})).isTrue();
    assertThatThrownBy(pending::tryCommit)
        .isInstanceOfSatisfying(
            EngineException.class,
            failure -> assertThat(failure.reason()).isEqualTo(Reason.OUTCOME_UNKNOWN));
    store.beforeEverySync(() -> {});
  }

  @Test
  void rejectedWriteFailsAlone() {
    PendingCommit pending = new PendingCommit();
    promise(insert(1), pending);
    assertThat(promise(insert(1), pending))
        .isInstanceOfSatisfying(
            WriteOutcome.Failed.class,
            failed -> assertThat(failed.failure().reason()).isEqualTo(Reason.DUPLICATE_ID));
    Write broken = broken(0);
    assertThatThrownBy(() -> promise(broken, new PendingCommit()))
        .isInstanceOf(ArithmeticException.class);
    pending.await();
    assertThat(things.usage().documents()).isEqualTo(2);
    assertThat(number(things, 0)).isZero();
  }

  @Test
  void lockCommitsThePendingGroup() {
    PendingCommit pending = new PendingCommit();
    promise(increment(0), pending);
    things.write(increment(0));
    assertThat(number(things, 0)).isEqualTo(2);
    assertThat(commits).hasValue(2);
    promise(increment(0), pending);
    engine.drop(NAME);
    pending.await();
    things = engine.create(NAME, CollectionSpec.mongo());
  }

  @Test
  void failedCommitFailsAllRequests() {
    PendingCommit first = new PendingCommit();
    PendingCommit second = new PendingCommit();
    promise(insert(1), first);
    promise(increment(0), second);
    store.beforeEveryCommit(
        () -> {
          throw new StoreException(StoreException.Reason.IO, "unplugged");
        });
    assertThatThrownBy(first::tryCommit).isInstanceOf(StoreException.class);
    assertThatThrownBy(second::await).isInstanceOf(StoreException.class);
    store.beforeEveryCommit(() -> {});
    assertThat(number(things, 0)).isZero();
    assertThat(things.usage().documents()).isEqualTo(1);
    things.insert(counter(1, 1));
  }

  @Test
  void sharedCommitDoesNotExtendALifetime() {
    PendingCommit pending = new PendingCommit();
    clock.advance(Duration.ofMillis(9_999));
    promise(insert(1), pending);
    clock.advance(Duration.ofMillis(1));
    assertThat(promise(increment(0), pending))
        .isInstanceOfSatisfying(
            WriteOutcome.Failed.class,
            failed -> assertThat(failed.failure().reason()).isEqualTo(Reason.NOT_FOUND));
    pending.await();
    assertThat(things.usage().documents()).isEqualTo(1);
  }

  @Test
  void retriedWriteIsDoneOnce() {
    Retry retry = new Retry(ByteKey.of(new byte[] {1}), 1, 0);
    PendingCommit pending = new PendingCommit();
    assertThat(promise(increment(0), retry, pending)).isInstanceOf(WriteOutcome.Updated.class);
    assertThat(promise(increment(0), retry, pending)).isInstanceOf(WriteOutcome.Repeated.class);
    pending.await();
    assertThat(number(things, 0)).isEqualTo(1);
  }

  @Test
  void writeThatWouldBlockIsNotDone() throws Exception {
    PendingCommit pending = new PendingCommit();
    assertThatThrownBy(
            () ->
                things.writeDeferred(
                    List.of(insert(1), insert(2)), Durability.LOGGED, null, new PendingCommit()))
        .isInstanceOf(WouldBlock.class);
    try (LocalTransaction transaction = engine.begin()) {
      transaction.write(things, List.of(increment(0)));
      assertThatThrownBy(() -> promise(increment(0), pending)).isInstanceOf(WouldBlock.class);
    }
    store.cachedReads(0);
    assertThatThrownBy(() -> promise(increment(0), pending)).isInstanceOf(WouldBlock.class);
    store.cachedReads(Integer.MAX_VALUE);
    ShardOwner owner = things.owners().getFirst();
    owner.lock().lock();
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Callable<WriteOutcome> write = () -> promise(increment(0), pending);
      assertThatThrownBy(() -> other.submit(write).get()).hasCauseInstanceOf(WouldBlock.class);
    } finally {
      owner.lock().unlock();
    }
    assertThat(number(things, 0)).isZero();
    assertThat(things.usage().documents()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"delete", "update", "replace the dead"})
  void writeThatWouldBlockLeavesNoPart(String what) {
    things.alter(spec -> spec.withIndex(BY_N));
    engine.workUntilIdle();
    things.insert(counter(1, 1));
    clock.advance(Duration.ofSeconds(5));
    things.insert(counter(2, 2));
    clock.advance(Duration.ofSeconds(6));
    Write write =
        switch (what) {
          case "delete" -> new Write.Delete(key(2));
          case "update" -> increment(2);
          case String _ -> new Write.Insert(counter(1, 3));
        };
    int reads = 0;
    while (!promisedAfter(reads, write)) {
      assertThat(things.read(key(2)).map(StoredDocument::document)).contains(counter(2, 2));
      assertThat(things.usage().documents()).isEqualTo(1);
      Audit.check(engine, things);
      reads++;
    }
    assertThat(reads).isPositive();
  }

  @Test
  void aWriteThatRemovesAnotherExpiredDocumentIsNotDeferred() {
    things.alter(spec -> spec.withIndex(BY_N));
    engine.workUntilIdle();
    things.insert(counter(1, 1));
    clock.advance(Duration.ofSeconds(11));
    Write takesItsUniqueKey = new Write.Insert(counter(3, 1));
    assertThatThrownBy(() -> promise(takesItsUniqueKey, new PendingCommit()))
        .isInstanceOf(WouldBlock.class);
    things.write(takesItsUniqueKey);
    assertThat(things.usage().documents()).isEqualTo(1);
  }

  /**
   * Defers a write together with another one; returns false if it would block, with a number of
   * cached records.
   */
  private boolean promisedAfter(int readsAtHand, Write write) {
    PendingCommit pending = new PendingCommit();
    promise(new Write.Upsert(counter(9, 9)), pending);
    store.cachedReads(readsAtHand);
    try {
      promise(write, pending);
      return true;
    } catch (WouldBlock later) {
      return false;
    } finally {
      store.cachedReads(Integer.MAX_VALUE);
      pending.await();
      things.write(new Write.Delete(key(9)));
    }
  }

  @Test
  void commitThatWouldBlockIsDoneLater() {
    PendingCommit pending = new PendingCommit();
    promise(increment(0), pending);
    store.stalled(true);
    assertThat(pending.tryCommit()).isFalse();
    assertThat(number(things, 0)).isZero();
    pending.await();
    assertThat(number(things, 0)).isEqualTo(1);
    assertThat(pending.tryCommit()).isTrue();
    assertThat(commits).hasValue(1);
  }

  @Test
  void concurrentDeferredAndPlainWritesAreAllStored() throws Exception {
    int threads = 4;
    int each = 500;
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        boolean promises = i % 2 == 0;
        running.add(
            pool.submit(
                () -> {
                  for (int n = 0; n < each; n++) {
                    incrementSomehow(promises);
                  }
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
    assertThat(number(things, 0)).isEqualTo(threads * each);
  }

  private void incrementSomehow(boolean promises) {
    if (promises) {
      PendingCommit pending = new PendingCommit();
      try {
        promise(increment(0), pending);
        if (!pending.tryCommit()) {
          pending.await();
        }
        return;
      } catch (WouldBlock busy) {
        // then as a blocking write
      }
    }
    things.write(increment(0));
  }

  private WriteOutcome promise(Write write, PendingCommit pending) {
    return promise(write, null, pending);
  }

  private WriteOutcome promise(Write write, @Nullable Retry retry, PendingCommit pending) {
    return things
        .writeDeferred(List.of(write), Durability.LOGGED, retry, pending)
        .outcomes()
        .getFirst();
  }

  private static Write insert(int id) {
    return new Write.Insert(counter(id, id));
  }
}
