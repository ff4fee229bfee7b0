package dev.mayfly.engine.shard;

import static dev.mayfly.engine.model.Counters.counter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writers store the totals now and then, so that a restart has few feed entries to add. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CheckpointTest {
  private static final int MANY = 5000;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final HookedStore store = new HookedStore(MemoryStore.withFilters());
  private LocalEngine engine;
  private LocalCollection things;

  @BeforeEach
  void open() {
    engine =
        LocalEngine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));
    things = engine.create(new Namespace("db", "things"), CollectionSpec.mongo());
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void theTotalsAreStoredWithoutBackgroundWork() {
    insert(0, MANY);
    assertThat(stored().entries()).isLessThan(MANY);
    assertThat(stored().totals().stored()).isEqualTo(owner().documentCounts().totals().stored());
  }

  @Test
  void theTotalsAreStoredOnlyWhenNoWriteIsInProgress() throws Exception {
    CountDownLatch committing = new CountDownLatch(1);
    CountDownLatch mayCommit = new CountDownLatch(1);
    AtomicBoolean first = new AtomicBoolean(true);
    store.beforeEveryCommit(
        () -> {
          if (first.getAndSet(false)) {
            committing.countDown();
            await(mayCommit);
          }
        });
    Thread slow = Thread.ofPlatform().start(() -> things.insert(counter(-1, 0)));
    await(committing);
    insert(0, MANY);
    assertThat(stored().entries())
        .as("a change before the last position is not committed yet")
        .isEqualTo(MANY);
    mayCommit.countDown();
    slow.join();
    assertThat(stored().entries()).isZero();
    assertThat(stored().totals().stored().documents()).isEqualTo(MANY + 1);
    assertThat(stored().totals().stored()).isEqualTo(owner().documentCounts().totals().stored());
  }

  private void insert(int from, int count) {
    for (int i = from; i < from + count; i++) {
      things.insert(counter(i, 0));
    }
  }

  private ShardOwner owner() {
    return things.owners().getFirst();
  }

  /** The totals that a restart would find. */
  private StoredTotals stored() {
    return StoredTotals.read(owner().shard(), things.spec());
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
