package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule changes with a limit: documents are counted concurrently with writers. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class GuardedAlterTest {
  private static final Namespace NAME = new Namespace("db", "things");
  private static final long GRACE = Duration.ofHours(1).toMillis();

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final HookedStore store = new HookedStore(MemoryStore.withFilters());
  private LocalEngine engine;
  private LocalCollection things;
  private int writes;

  @BeforeEach
  void open() {
    engine =
        LocalEngine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));
    things =
        engine.create(
            NAME, CollectionSpec.mongo().withTimeToLive(TimeToLive.NONE.withGrace(GRACE)));
    for (int i = 0; i < 3; i++) {
      things.insert(old(i));
    }
  }

  @AfterEach
  void close() {
    store.beforeNextSnapshotScan(() -> {});
    Audit.check(engine, things);
    engine.close();
  }

  private Document old(int number) {
    return Document.writer().put("_id", Value.date(clock.now() - 100_000 - number)).build();
  }

  private static CollectionSpec tenSeconds(CollectionSpec spec) {
    return spec.withTimeToLive(spec.timeToLive().withId(10));
  }

  /** Runs an action in another thread in the middle of every count, which must not block it. */
  private void duringCounts(Runnable write) {
    store.beforeNextSnapshotScan(
        () -> {
          FutureTask<Boolean> other =
              new FutureTask<>(
                  () -> {
                    write.run();
                    return true;
                  });
          Thread.ofPlatform().daemon().start(other);
          try {
            assertThat(other.get(20, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException | ExecutionException | TimeoutException held) {
            throw new AssertionError("a writer waits while documents are counted", held);
          }
          writes++;
          duringCounts(write);
        });
  }

  @Test
  void documentsWrittenDuringTheCountAreCounted() {
    duringCounts(() -> things.insert(old(10 + writes)));
    Usage expired = things.expiry().alter(GuardedAlterTest::tenSeconds, 100);
    assertThat(writes).isPositive();
    assertThat(expired.documents()).isEqualTo(3 + writes);
    assertThat(things.usage()).isEqualTo(Usage.NONE);
  }

  @Test
  void limitAppliesToDocumentsWrittenMeanwhile() {
    duringCounts(() -> things.insert(old(10 + writes)));
    assertThatThrownBy(() -> things.expiry().alter(GuardedAlterTest::tenSeconds, 3))
        .isInstanceOfSatisfying(
            EngineException.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(Reason.EXPIRES_TOO_MUCH);
              assertThat(refused.number()).isEqualTo(3 + writes);
            });
    store.beforeNextSnapshotScan(() -> {});
    assertThat(things.usage().documents()).isEqualTo(3 + writes);
  }

  @Test
  void documentsDeletedMeanwhileDoNotCount() {
    duringCounts(
        () -> {
          if (writes == 0) {
            things.write(
                new Write.Delete(
                    DocumentKey.of(Value.date(clock.now() - 100_000)), Write.ANY_VERSION));
          }
        });
    assertThat(things.expiry().alter(GuardedAlterTest::tenSeconds, 3).documents()).isEqualTo(2);
  }

  @Test
  void ruleChangeMeanwhileRestartsTheCount() {
    boolean[] changed = new boolean[1];
    duringCounts(
        () -> {
          if (!changed[0]) {
            changed[0] = true;
            things.alter(spec -> spec.withTimeToLive(spec.timeToLive().withId(1000)));
          }
        });
    assertThat(things.expiry().alter(GuardedAlterTest::tenSeconds, 100).documents()).isEqualTo(3);
    assertThat(things.spec().timeToLive().idSeconds()).isEqualTo(10);
  }

  @Test
  void endlessCountDoesNotBlockWriters() {
    duringCounts(
        () -> things.alter(spec -> spec.withTimeToLive(spec.timeToLive().withId(1000 + writes))));
    assertThatThrownBy(() -> things.expiry().alter(GuardedAlterTest::tenSeconds, 100))
        .isInstanceOfSatisfying(
            EngineException.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.WRITE_CONFLICT));
    assertThat(things.spec().timeToLive().idSeconds()).isEqualTo(999 + writes);
  }

  @Test
  void writersRunWhileAnUndoIsCounted() {
    things.alter(GuardedAlterTest::tenSeconds);
    assertThat(things.usage()).isEqualTo(Usage.NONE);
    duringCounts(
        () ->
            things.insert(Document.writer().put("_id", Value.date(clock.now() + writes)).build()));
    Usage back = things.expiry().undo();
    assertThat(writes).isPositive();
    assertThat(back.documents()).isEqualTo(3);
    assertThat(things.usage().documents()).isEqualTo(3 + writes);
  }
}
