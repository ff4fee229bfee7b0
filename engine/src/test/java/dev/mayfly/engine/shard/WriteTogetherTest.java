package dev.mayfly.engine.shard;

import static dev.mayfly.engine.model.Counters.broken;
import static dev.mayfly.engine.model.Counters.counter;
import static dev.mayfly.engine.model.Counters.increment;
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
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Group commit: one of the callers that wait for a shard executes the writes of all. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WriteTogetherTest {
  private static final Namespace NAME = new Namespace("db", "things");

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final HookedStore store = new HookedStore(MemoryStore.withFilters());
  private final AtomicInteger commits = new AtomicInteger();
  private LocalEngine engine;
  private LocalCollection things;

  @BeforeEach
  void open() {
    engine =
        LocalEngine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));
    things = engine.create(NAME, CollectionSpec.mongo());
    things.insert(counter(0, 0));
    store.beforeEveryCommit(commits::incrementAndGet);
  }

  @AfterEach
  void close() {
    store.beforeEveryCommit(() -> {});
    Audit.check(engine, things);
    engine.close();
  }

  @Test
  void waitingWritesShareACommit() {
    List<FutureTask<WriteOutcome>> done =
        atOnce(List.of(() -> insert(1), () -> insert(2), () -> update(0), () -> update(0)));
    assertThat(done).extracting(WriteTogetherTest::failure).containsOnlyNulls();
    assertThat(commits).hasValue(1);
    assertThat(number(things, 0)).isEqualTo(2);
    assertThat(things.usage().documents()).isEqualTo(3);
  }

  @Test
  void sharedBatchHasASizeLimit() {
    String filler = "x".repeat(1 << 20);
    List<Callable<WriteOutcome>> inserts = new ArrayList<>();
    for (int i = 1; i <= 40; i++) {
      Document large = Document.writer().put("_id", i).put("n", 0).put("x", filler).build();
      inserts.add(() -> things.insert(large));
    }
    List<FutureTask<WriteOutcome>> done = atOnce(inserts);
    assertThat(done).extracting(WriteTogetherTest::failure).containsOnlyNulls();
    assertThat(commits.get()).isBetween(3, 10);
    assertThat(things.usage().documents()).isEqualTo(41);
  }

  @Test
  void oneThatIsRefusedIsRefusedAlone() {
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
  void failedCommitFailsAllWrites() {
    store.beforeEveryCommit(
        () -> {
          throw new StoreException(StoreException.Reason.IO, "unplugged");
        });
    List<FutureTask<WriteOutcome>> done = atOnce(List.of(() -> insert(1), () -> update(0)));
    assertThat(done)
        .extracting(WriteTogetherTest::failure)
        .hasOnlyElementsOfType(StoreException.class);
    store.beforeEveryCommit(() -> {});
    assertThat(number(things, 0)).isZero();
    assertThat(things.usage().documents()).isEqualTo(1);
    things.insert(counter(1, 1));
  }

  @Test
  void concurrentRetryIsDoneOnce() {
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
  void moreWritesThanOneGroupAreAllDone() {
    List<Callable<WriteOutcome>> all = new ArrayList<>();
    for (int i = 1; i <= 150; i++) {
      int id = i;
      all.add(() -> insert(id));
    }
    atOnce(all);
    assertThat(things.usage().documents()).isEqualTo(151);
    assertThat(commits).hasValueBetween(3, 4);
  }

  /** Holds the lock of the shard until all callers wait for it in order, then releases it. */
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
    tasks.forEach(WriteTogetherTest::failure);
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
