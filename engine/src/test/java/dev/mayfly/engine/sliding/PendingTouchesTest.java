package dev.mayfly.engine.sliding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.sliding.PendingTouches.Result;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Touches in memory. */
final class PendingTouchesTest {
  private static final long START = 1_700_000_000_000L;

  private final ManualClock clock = new ManualClock(START);

  @AutoClose
  private final LocalEngine engine =
      LocalEngine.open(
          MemoryStore.withFilters(),
          clock,
          EngineSettings.standard(clock::now).withBackground(false));

  /** 100 s after the last use; the slack is 5 s. */
  private final LocalCollection sessions = create();

  private LocalCollection create() {
    TimeToLive ttl = TimeToLive.NONE.withDefault(100).withSliding(TimeToLive.PROPERTY_RULE);
    return engine.create(new Namespace("d", "c"), CollectionSpec.mongo().withTimeToLive(ttl));
  }

  private ByteKey key(int id) {
    return new ByteKey(PrimaryKey.of(sessions.spec(), DocumentKey.of(Value.of(id))).bytes());
  }

  private byte[] record(int id) {
    sessions.write(new Write.Upsert(Document.writer().put("_id", id).build()));
    return Objects.requireNonNull(sessions.owners().getFirst().record(key(id).array()));
  }

  private PendingTouches touches(int most) {
    return new PendingTouches(sessions.compiled().sliding(), clock::now, most);
  }

  @Test
  void slackDecidesWhenATouchIsPersisted() {
    PendingTouches touches = touches(10);
    byte[] record = record(1);
    assertThat(touches.touch(key(1), record, START, true)).isEqualTo(Result.KEPT);
    assertThat(touches.size()).as("not after the last use").isZero();
    assertThat(touches.touch(key(1), record, START + 2_499, true)).isEqualTo(Result.KEPT);
    assertThat(touches.touch(key(1), record, START + 2_500, true)).isEqualTo(Result.PERSIST_SOON);
    assertThat(touches.touch(key(1), record, START + 4_999, false)).isEqualTo(Result.KEPT);
    assertThat(touches.touch(key(1), record, START + 5_000, false)).isEqualTo(Result.WOULD_BLOCK);
    assertThat(touches.touch(key(1), record, START + 5_000, true)).isEqualTo(Result.PERSIST_NOW);
    assertThat(touches.earliest()).isEqualTo(START + 100_000);
    assertThat(touches.isDue(START + 99_999)).isFalse();
    assertThat(touches.isDue(START + 100_000)).isTrue();
  }

  @Test
  void fullMapPersistsAtOnce() {
    PendingTouches touches = touches(2);
    for (int id = 1; id <= 2; id++) {
      assertThat(touches.touch(key(id), record(id), START + 1, false)).isEqualTo(Result.KEPT);
    }
    byte[] record = record(3);
    assertThat(touches.touch(key(3), record, START + 1, false)).isEqualTo(Result.WOULD_BLOCK);
    assertThat(touches.touch(key(3), record, START + 1, true)).isEqualTo(Result.PERSIST_NOW);
    assertThat(touches.touch(key(1), record(1), START + 2, false)).isEqualTo(Result.KEPT);
  }

  @Test
  void lateTouchIsWithdrawn() {
    PendingTouches touches = touches(10);
    byte[] record = record(1);
    clock.advance(Duration.ofSeconds(100));
    assertThat(touches.touch(key(1), record, START + 4_000, true)).isEqualTo(Result.TOO_LATE);
    assertThat(touches.size()).isZero();
  }

  @Test
  void closedTouchesAcceptNoMore() {
    PendingTouches touches = touches(10);
    touches.touch(key(1), record(1), START + 1, true);
    assertThat(touches.close()).hasSize(1);
    assertThat(touches.touch(key(2), record(2), START + 1, true)).isEqualTo(Result.CLOSED);
  }

  /**
   * A read that began before the deadline and ends after it races with operations at the deadline:
   * what they have seen stays true.
   */
  @Test
  void noDocumentReturnsAfterItWasSeenExpired() throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(2);
    DocumentKey key = DocumentKey.of(Value.of(1));
    for (int i = 0; i < 3000; i++) {
      record(1);
      clock.advance(Duration.ofMillis(99_999));
      OperationContext before = OperationContext.begin(engine::now);
      Thread reader =
          Thread.ofPlatform()
              .start(
                  () -> {
                    await(barrier);
                    sessions.read(before, key);
                  });
      await(barrier);
      clock.advance(Duration.ofMillis(1));
      boolean seen = sessions.peek(key).isPresent();
      boolean counted = sessions.count(Filter.all()) == 1;
      reader.join();
      boolean last = sessions.peek(key).isPresent();
      assertThat(counted).as("count, then read, in round %s", i).isEqualTo(seen);
      assertThat(last).as("later, in round %s", i).isEqualTo(seen);
      clock.advance(Duration.ofSeconds(200));
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(1, TimeUnit.MINUTES);
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }
}
