package dev.mayfly.engine.shard;

import static dev.mayfly.engine.model.Counters.broken;
import static dev.mayfly.engine.model.Counters.counter;
import static dev.mayfly.engine.model.Counters.increment;
import static dev.mayfly.engine.model.Counters.key;
import static dev.mayfly.engine.model.Counters.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes of several callers to one shard are decided and committed concurrently. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ConcurrentWritesTest {
  private static final Namespace NAME = new Namespace("db", "things");

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final HookedStore store = new HookedStore(MemoryStore.withFilters());
  private LocalEngine engine;
  private LocalCollection things;

  @BeforeEach
  void open() {
    engine =
        LocalEngine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));
    things = engine.create(NAME, CollectionSpec.mongo());
    things.insert(counter(0, 0));
  }

  @AfterEach
  void close() {
    store.beforeEveryCommit(() -> {});
    Audit.check(engine, things);
    engine.close();
  }

  @Test
  void writesOfTheSameAndOfOtherDocumentsAreAllDone() {
    List<FutureTask<WriteOutcome>> done =
        atOnce(List.of(() -> insert(1), () -> insert(2), () -> update(0), () -> update(0)));
    assertThat(done).extracting(ConcurrentWritesTest::failure).containsOnlyNulls();
    assertThat(number(things, 0)).isEqualTo(2);
    assertThat(things.usage().documents()).isEqualTo(3);
  }

  @Test
  void aWriterDoesNotWaitForTheCommitOfAnother() {
    CountDownLatch committing = new CountDownLatch(1);
    CountDownLatch otherIsDone = new CountDownLatch(1);
    AtomicBoolean first = new AtomicBoolean(true);
    store.beforeEveryCommit(
        () -> {
          if (first.getAndSet(false)) {
            committing.countDown();
            await(otherIsDone);
          }
        });
    FutureTask<WriteOutcome> slow = new FutureTask<>(() -> insert(1));
    Thread.ofPlatform().start(slow);
    await(committing);
    insert(2);
    assertThat(things.read(key(2))).isPresent();
    assertThat(things.feeds().getFirst().read(0, 10))
        .as("the feed stops before a change that is not committed")
        .hasSize(1);
    otherIsDone.countDown();
    assertThat(failure(slow)).isNull();
    assertThat(things.feeds().getFirst().read(0, 10)).hasSize(3);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  @Test
  void aRejectedWriteFailsAlone() {
    List<FutureTask<WriteOutcome>> done =
        atOnce(
            List.of(
                () -> insert(1),
                () -> insert(0),
                () -> update(7),
                () -> write(broken(0)),
                () -> update(0)));
    assertThat(failure(done.get(0))).isNull();
    assertThat(failure(done.get(1)))
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DUPLICATE_ID));
    assertThat(failure(done.get(2)))
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_FOUND));
    assertThat(failure(done.get(3))).isInstanceOf(ArithmeticException.class);
    assertThat(failure(done.get(4))).isNull();
    assertThat(number(things, 0)).isEqualTo(1);
    assertThat(things.usage().documents()).isEqualTo(2);
  }

  @Test
  void whenCommitsFailNothingIsStored() {
    store.beforeEveryCommit(
        () -> {
          throw new StoreException(StoreException.Reason.IO, "unplugged");
        });
    List<FutureTask<WriteOutcome>> done = atOnce(List.of(() -> insert(1), () -> update(0)));
    assertThat(done)
        .extracting(ConcurrentWritesTest::failure)
        .hasOnlyElementsOfType(StoreException.class);
    store.beforeEveryCommit(() -> {});
    assertThat(number(things, 0)).isZero();
    assertThat(things.usage().documents()).isEqualTo(1);
    things.insert(counter(1, 1));
  }

  @Test
  void aRetryableWriteSentTwiceAtOnceIsDoneOnce() {
    Retry retry = new Retry(ByteKey.of(new byte[] {1}), 1, 0);
    Callable<WriteOutcome> send =
        () ->
            things
                .write(List.of(increment(0)), Grouping.ATOMIC, Durability.LOGGED, retry)
                .outcomes()
                .getFirst();
    List<FutureTask<WriteOutcome>> done = atOnce(List.of(send, send));
    assertThat(done)
        .extracting(FutureTask::get)
        .hasAtLeastOneElementOfType(WriteOutcome.Updated.class)
        .hasAtLeastOneElementOfType(WriteOutcome.Repeated.class);
    assertThat(number(things, 0)).isEqualTo(1);
  }

  @Test
  void manyWritersAreAllDone() {
    List<Callable<WriteOutcome>> all = new ArrayList<>();
    for (int i = 1; i <= 150; i++) {
      int id = i;
      all.add(() -> insert(id));
    }
    atOnce(all);
    assertThat(things.usage().documents()).isEqualTo(151);
  }

  /** Holds the shard until all callers wait for it, and then lets them in. */
  private List<FutureTask<WriteOutcome>> atOnce(List<Callable<WriteOutcome>> calls) {
    ShardOwner owner = things.owners().getFirst();
    List<FutureTask<WriteOutcome>> tasks = new ArrayList<>();
    owner.lock().lock();
    try {
      for (Callable<WriteOutcome> call : calls) {
        FutureTask<WriteOutcome> task = new FutureTask<>(call);
        tasks.add(task);
        Thread.ofPlatform().start(task);
        while (owner.lock().waiting() < tasks.size()) {
          Thread.onSpinWait();
        }
      }
    } finally {
      owner.lock().unlock();
    }
    tasks.forEach(ConcurrentWritesTest::failure);
    return tasks;
  }

  private static @Nullable Throwable failure(FutureTask<WriteOutcome> task) {
    Throwable thrown = catchThrowable(task::get);
    return thrown instanceof ExecutionException wrapped ? wrapped.getCause() : thrown;
  }

  private WriteOutcome insert(int id) {
    return write(new Write.Insert(counter(id, id)));
  }

  private WriteOutcome update(int id) {
    return write(increment(id));
  }

  private WriteOutcome write(Write write) {
    return things.write(write);
  }
}
