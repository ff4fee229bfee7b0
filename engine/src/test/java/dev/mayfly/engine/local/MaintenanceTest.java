package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.Alarm;
import dev.mayfly.engine.Alarm.Kind;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.SweepRun;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MaintenanceTest {
  private static final Namespace NAME = new Namespace("db", "things");
  private static final Namespace OTHER = new Namespace("db", "others");

  private static final IndexSpec BY_N =
      IndexSpec.implicit("n_1", Part.ascending(FieldPath.of("n")));

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final HookedStore store = new HookedStore(MemoryStore.withFilters());
  private final EngineSettings byHand = EngineSettings.standard(clock::now).withBackground(false);
  private final EngineSettings background = byHand.withBackground(true).withReclaimBytes(1);

  @Test
  void errorDoesNotEndBackgroundWork() {
    try (LocalEngine engine = LocalEngine.open(store, clock, background)) {
      LocalCollection things = expiring(engine, NAME);
      AtomicBoolean thrown = new AtomicBoolean();
      store.onScan(
          _ -> {
            if (inBackground() && thrown.compareAndSet(false, true)) {
              throw new OutOfMemoryError("simulated");
            }
          });
      expire(engine, things, 10);
      await(thrown::get);
      await(() -> expiries(things) == 10);
    }
  }

  @Test
  void reclaimDelaysNoOtherTask() {
    CountDownLatch reclaiming = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    store.onReclaim((_, _) -> hold(reclaiming, over));
    try (LocalEngine engine = LocalEngine.open(store, clock, background)) {
      LocalCollection things = expiring(engine, NAME);
      LocalCollection others = expiring(engine, OTHER);
      things.insert(thing(-1));
      expire(engine, things, 10);
      await(() -> reclaiming.getCount() == 0);
      expire(engine, others, 10);
      await(() -> expiries(others) == 10);
      expire(engine, things, 10);
      await(() -> expiries(things) == 21);
      over.countDown();
    }
  }

  @Test
  void closeAbortsAReclaim() {
    CountDownLatch reclaiming = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    AtomicInteger aborted = new AtomicInteger();
    store.onReclaim((_, _) -> hold(reclaiming, over));
    store.onAbort(aborted::incrementAndGet);
    LocalEngine engine = LocalEngine.open(store, clock, background);
    expire(engine, expiring(engine, NAME), 10);
    await(() -> reclaiming.getCount() == 0);
    engine.close();
    assertThat(over.getCount()).isOne();
    assertThat(aborted).hasValue(1);
    over.countDown();
  }

  /**
   * If every failure paused all tasks, the other collections would be swept one slice per failure,
   * which takes thirty failures here.
   */
  @Test
  void failingCollectionRaisesAnAlarmAndDelaysNoOther() {
    AtomicInteger failures = new AtomicInteger();
    try (LocalEngine engine = LocalEngine.open(store, clock, background)) {
      LocalCollection things = expiring(engine, NAME);
      LocalCollection others = expiring(engine, OTHER);
      int damaged = things.owners().getFirst().shard().number();
      store.onCommit(
          shard -> {
            if (shard == damaged && inBackground()) {
              failures.incrementAndGet();
              throw new StoreException(Reason.CORRUPT, "simulated");
            }
          });
      expire(engine, things, 1);
      await(() -> failures.get() > 0);
      expire(engine, others, 60_000);
      await(() -> engine.sweepStats().documents() == 60_000);
      assertThat(failures).hasValueLessThan(15);
      await(() -> engine.alarms().count(Kind.SWEEP) == 1);
      Alarm alarm = engine.alarms().raised().getFirst();
      assertThat(alarm.subject()).isEqualTo(NAME.toString());
      assertThat(alarm.severity()).isEqualTo(Alarm.Severity.WARNING);
      store.onCommit(_ -> {});
      await(() -> expiries(things) == 1);
      await(() -> engine.alarms().raised().isEmpty());
    }
  }

  @Test
  void busyCollectionWakesNoTaskOfAnother() {
    AtomicInteger visits = new AtomicInteger();
    AtomicInteger looks = new AtomicInteger();
    try (LocalEngine engine = LocalEngine.open(store, clock, background)) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(10));
      for (int i = 0; i < 100; i++) {
        expiring(engine, new Namespace("db", "idle" + i));
      }
      List<Write> writes = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        writes.add(
            new Write.Insert(Document.writer().put("_id", i).put("n", i).put("ttl", 1000).build()));
      }
      things.write(writes, Grouping.ORDERED, Durability.LOGGED);
      int busy = things.owners().getFirst().shard().number();
      store.onScan(shard -> (shard == busy ? looks : visits).incrementAndGet());
      things.alter(spec -> spec.withIndex(BY_N));
      things.awaitBuilt(BY_N.name());
      assertThat(visits).hasValueLessThan(2000);
      things.insert(thing(-1));
      try (QueryCursor cursor = things.query(Query.of(Filter.all(), Mode.MATCH))) {
        assertThat(cursor.next()).isTrue();
        clock.advance(Duration.ofSeconds(11));
        engine.clockMoved();
        looks.set(0);
        await(() -> looks.get() > 5);
        visits.set(0);
        await(() -> looks.get() > 40);
        assertThat(visits).hasValueLessThan(300);
      }
    }
  }

  @Test
  void failedPurgeDoesNotStopTheSweep() {
    try (LocalEngine engine = LocalEngine.open(store, clock, byHand)) {
      engine.create(OTHER, CollectionSpec.cosmos("p"));
      LocalCollection things = expiring(engine, NAME);
      for (int i = 0; i < 10; i++) {
        things.insert(thing(i));
      }
      clock.advance(Duration.ofSeconds(11));
      store.onDrop(
          _ -> {
            throw new StoreException(Reason.DISK_FULL, "simulated");
          });
      engine.drop(OTHER);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(engine::work).isInstanceOf(StoreException.class);
      }
      assertThat(expiries(things)).isEqualTo(10);
      assertThat(engine.alarms().count(Kind.PURGE)).isOne();
      store.onDrop(_ -> {});
      engine.workUntilIdle();
      assertThat(engine.alarms().raised()).isEmpty();
    }
  }

  @Test
  void dropClearsTheAlarmOfACollection() {
    try (LocalEngine engine = LocalEngine.open(store, clock, byHand)) {
      LocalCollection things = expiring(engine, NAME);
      things.insert(thing(1));
      clock.advance(Duration.ofSeconds(11));
      int damaged = things.owners().getFirst().shard().number();
      store.onCommit(
          shard -> {
            if (shard == damaged) {
              throw new StoreException(Reason.CORRUPT, "simulated");
            }
          });
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(engine::work).isInstanceOf(StoreException.class);
      }
      assertThat(engine.alarms().count(Kind.SWEEP)).isOne();
      store.onCommit(_ -> {});
      engine.drop(NAME);
      assertThat(engine.alarms().raised()).isEmpty();
    }
  }

  @Test
  void slicesAreReportedAndFailingObserversIgnored() {
    List<SweepRun> slices = new ArrayList<>();
    try (LocalEngine engine = LocalEngine.open(store, clock, byHand)) {
      engine.onSweepSlice(slices::add);
      engine.onSweep(
          _ -> {
            throw new IllegalStateException("simulated");
          });
      LocalCollection things = expiring(engine, NAME);
      expire(engine, things, 5000);
      engine.workUntilIdle();
      assertThat(slices)
          .extracting(slice -> slice.swept().documents())
          .containsExactly(2000L, 2000L, 1000L);
      assertThat(slices).extracting(SweepRun::rule).containsOnly("default");
      assertThat(expiries(things)).isEqualTo(5000);
    }
  }

  private static boolean inBackground() {
    return Thread.currentThread().getName().startsWith("mayfly-keeper");
  }

  private static void hold(CountDownLatch begun, CountDownLatch over) {
    begun.countDown();
    try {
      over.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private static LocalCollection expiring(LocalEngine engine, Namespace name) {
    return engine.create(name, CollectionSpec.mongo().withDefaultTtl(10));
  }

  /** Writes documents and moves the clock past their deadlines. */
  private void expire(LocalEngine engine, LocalCollection things, int count) {
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writes.add(new Write.Insert(thing(i)));
    }
    things.write(writes, Grouping.ORDERED, Durability.LOGGED);
    clock.advance(Duration.ofSeconds(11));
    engine.clockMoved();
  }

  private static long expiries(LocalCollection things) {
    return things.feeds().getFirst().read(0, Integer.MAX_VALUE).stream()
        .filter(change -> change.kind() == Change.Kind.EXPIRE)
        .count();
  }

  private static Document thing(int id) {
    return Document.writer().put("_id", id).put("text", "x".repeat(500)).build();
  }
}
