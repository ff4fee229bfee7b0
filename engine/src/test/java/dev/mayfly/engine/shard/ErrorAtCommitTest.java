package dev.mayfly.engine.shard;

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
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.local.LocalTransaction;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.StoreException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Errors such as lack of memory during commits: locks are released, waiting threads are woken, and
 * the state in memory agrees with the stored state.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ErrorAtCommitTest {
  private static final Namespace NAME = new Namespace("db", "things");
  private static final Namespace OTHER = new Namespace("db", "others");

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final HookedStore store = new HookedStore(MemoryStore.withFilters());
  private LocalEngine engine;
  private LocalCollection things;

  @BeforeEach
  void open() {
    engine =
        LocalEngine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));
    things = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(1000));
    things.insert(counter(0, 0));
  }

  @AfterEach
  void close() {
    calm();
    Audit.check(engine, things);
    Usage known = things.usage();
    reopen();
    assertThat(things.usage()).isEqualTo(known);
    Audit.check(engine, things);
    engine.close();
  }

  private void reopen() {
    engine.close();
    engine =
        LocalEngine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));
    things = engine.collection(NAME);
  }

  private void calm() {
    store.beforeEveryCommit(() -> {});
    store.afterEveryCommit(() -> {});
    store.beforeEverySync(() -> {});
    store.beforeEveryRead(() -> {});
    store.beforeEveryOwn(() -> {});
  }

  private static void broken() {
    throw new InternalError("as lack of memory would");
  }

  private static void noDisk() {
    throw new StoreException(StoreException.Reason.IO, "unplugged");
  }

  private WriteOutcome promise(Write write, @Nullable Retry retry, PendingCommit pending) {
    return things
        .writeDeferred(List.of(write), Durability.LOGGED, retry, pending)
        .outcomes()
        .getFirst();
  }

  private static void fails(ThrowingCallable call, Reason reason) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @Test
  void errorDuringAPendingCommitReleasesTheLock() {
    PendingCommit first = new PendingCommit();
    PendingCommit second = new PendingCommit();
    promise(new Write.Insert(counter(1, 0)), null, first);
    promise(increment(0), null, second);
    store.beforeEveryCommit(ErrorAtCommitTest::broken);
    assertThat(things.usage().documents()).isEqualTo(1);
    store.beforeEveryCommit(() -> {});
    fails(first::await, Reason.FAILED);
    fails(second::tryCommit, Reason.FAILED);
    things.insert(counter(3, 0));
    assertThat(things.usage().documents()).isEqualTo(2);
    assertThat(number(things, 0)).isZero();
  }

  @Test
  void anErrorOfOneWriterDoesNotFailThePendingWritesOfAnother() {
    PendingCommit pending = new PendingCommit();
    promise(new Write.Insert(counter(1, 0)), null, pending);
    store.beforeEveryCommit(ErrorAtCommitTest::broken);
    fails(() -> things.insert(counter(2, 0)), Reason.FAILED);
    store.beforeEveryCommit(() -> {});
    pending.await();
    assertThat(things.usage().documents()).isEqualTo(2);
  }

  @Test
  void errorAfterTheCommitIsASuccess() {
    PendingCommit pending = new PendingCommit();
    promise(new Write.Insert(counter(1, 0)), null, pending);
    store.afterEveryCommit(brokenOnce());
    pending.await();
    store.afterEveryCommit(brokenOnce());
    things.insert(counter(2, 0));
    store.afterEveryCommit(brokenOnce());
    things.write(
        List.of(new Write.Insert(counter(3, 0)), increment(0)), Grouping.ATOMIC, Durability.SYNCED);
    assertThat(things.usage().documents()).isEqualTo(4);
    assertThat(number(things, 0)).isEqualTo(1);
  }

  /** Throws at the first call only. */
  private static Runnable brokenOnce() {
    AtomicInteger calls = new AtomicInteger();
    return () -> {
      if (calls.getAndIncrement() == 0) {
        broken();
      }
    };
  }

  @Test
  void unverifiableCommitIsUnknownAndStateIsReadAgain() {
    Retry retry = new Retry(ByteKey.of(new byte[] {1}), 1, 0);
    store.afterEveryCommit(
        () -> {
          store.beforeEveryRead(ErrorAtCommitTest::broken);
          broken();
        });
    List<Write> insert = List.of(new Write.Insert(counter(1, 0)));
    fails(
        () -> things.write(insert, Grouping.ATOMIC, Durability.LOGGED, retry),
        Reason.OUTCOME_UNKNOWN);
    assertThatThrownBy(() -> things.usage()).isInstanceOf(InternalError.class);
    calm();
    assertThat(things.usage().documents()).isEqualTo(2);
    assertThat(things.write(insert, Grouping.ATOMIC, Durability.LOGGED, retry).only())
        .isInstanceOf(WriteOutcome.Repeated.class);
  }

  @Test
  void errorDuringAWriteFailsItsWholeGroup() {
    PendingCommit others = new PendingCommit();
    promise(new Write.Insert(counter(1, 0)), null, others);
    Write deep =
        new Write.Update(
            key(0),
            _ -> {
              throw new StackOverflowError();
            });
    fails(() -> promise(deep, null, new PendingCommit()), Reason.FAILED);
    fails(others::await, Reason.FAILED);
    fails(() -> things.write(deep), Reason.FAILED);
    assertThat(things.usage().documents()).isEqualTo(1);
  }

  @Test
  void capIsEnforcedAfterAFailedCommit() {
    LocalCollection last = engine.create(OTHER, CollectionSpec.mongo().withCap(1 << 20, 2));
    last.insert(counter(1, 0));
    last.insert(counter(2, 0));
    store.beforeEveryCommit(ErrorAtCommitTest::broken);
    fails(() -> last.insert(counter(3, 0)), Reason.FAILED);
    calm();
    last.insert(counter(4, 0));
    last.insert(counter(5, 0));
    assertThat(last.usage().documents()).isEqualTo(2);
    assertThat(last.read(key(1))).isEmpty();
    assertThat(last.read(key(2))).isEmpty();
    Audit.check(engine, last);
  }

  @Test
  void errorAfterATransactionCommitDoesNotAbortIt() {
    TransactionId id = new TransactionId(ByteKey.of(new byte[] {7}), 1);
    try (LocalTransaction transaction = engine.begin(id)) {
      transaction.write(things, List.of(increment(0)));
      store.afterEveryCommit(brokenOnce());
      transaction.commit(Durability.LOGGED);
    }
    assertThat(number(things, 0)).isEqualTo(1);
    assertThat(engine.committed(id)).isTrue();
  }

  @Test
  void failedCommitAbortsTheTransaction() {
    TransactionId id = new TransactionId(ByteKey.of(new byte[] {7}), 1);
    LocalTransaction transaction = engine.begin(id);
    transaction.write(things, List.of(increment(0)));
    store.beforeEveryCommit(ErrorAtCommitTest::broken);
    fails(() -> transaction.commit(Durability.LOGGED), Reason.FAILED);
    calm();
    assertThat(engine.committed(id)).isFalse();
    things.write(increment(0));
    assertThat(number(things, 0)).isEqualTo(1);
  }

  @Test
  void failedFlushOfATransactionIsOutcomeUnknown() {
    TransactionId id = new TransactionId(ByteKey.of(new byte[] {7}), 1);
    LocalTransaction transaction = engine.begin(id);
    LocalCollection created = transaction.create(OTHER, CollectionSpec.mongo());
    transaction.write(created, List.of(new Write.Insert(counter(1, 0))));
    store.beforeEverySync(ErrorAtCommitTest::noDisk);
    fails(() -> transaction.commit(Durability.SYNCED), Reason.OUTCOME_UNKNOWN);
    calm();
    assertThat(engine.committed(id)).isTrue();
    assertThat(engine.collection(OTHER).usage().documents()).isEqualTo(1);
    LocalTransaction plain = engine.begin();
    plain.write(things, List.of(increment(0)));
    store.beforeEverySync(ErrorAtCommitTest::noDisk);
    fails(() -> plain.commit(Durability.SYNCED), Reason.OUTCOME_UNKNOWN);
    fails(
        () -> things.write(List.of(increment(0)), Grouping.ATOMIC, Durability.SYNCED),
        Reason.OUTCOME_UNKNOWN);
    assertThat(number(things, 0)).isEqualTo(2);
  }

  @Test
  void collectionThatCannotBeOpenedIsNotCreated() {
    store.beforeEveryOwn(ErrorAtCommitTest::noDisk);
    assertThatThrownBy(() -> engine.create(OTHER, CollectionSpec.mongo()))
        .isInstanceOf(StoreException.class);
    calm();
    engine.create(OTHER, CollectionSpec.mongo());
    reopen();
    assertThat(engine.namespaces()).containsExactly(OTHER, NAME);
    engine.drop(OTHER);
    assertThat(engine.find(OTHER)).isEmpty();
    reopen();
    assertThat(engine.find(OTHER)).isEmpty();
  }

  @Test
  void catalogChangeTakesEffectIfTheFlushFails() {
    store.beforeEverySync(ErrorAtCommitTest::noDisk);
    fails(() -> engine.create(OTHER, CollectionSpec.mongo()), Reason.OUTCOME_UNKNOWN);
    assertThat(engine.find(OTHER)).isPresent();
    fails(() -> things.alter(spec -> spec.withDefaultTtl(5)), Reason.OUTCOME_UNKNOWN);
    assertThat(things.spec().timeToLive().defaultSeconds()).isEqualTo(5);
    fails(() -> engine.drop(OTHER), Reason.OUTCOME_UNKNOWN);
    assertThat(engine.find(OTHER)).isEmpty();
    store.beforeEverySync(() -> {});
    store.afterEveryCommit(brokenOnce());
    engine.create(OTHER, CollectionSpec.mongo());
    store.beforeEveryCommit(ErrorAtCommitTest::broken);
    fails(() -> engine.drop(OTHER), Reason.FAILED);
    assertThat(engine.find(OTHER)).isPresent();
  }
}
