package dev.mayfly.engine.local;

import static dev.mayfly.engine.model.Counters.counter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.shard.ShardLock;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.sweep.FeedTrimmer;
import dev.mayfly.engine.sweep.LazyIndexer;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.StoreException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting readers and long work do not block others. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WaitingTest {
  private static final Namespace NAME = new Namespace("db", "things");
  private static final Duration LONG = Duration.ofSeconds(30);

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final HookedStore store = new HookedStore(MemoryStore.withFilters());
  private LocalEngine engine;

  @BeforeEach
  void open() {
    engine =
        LocalEngine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));
  }

  @AfterEach
  void close() {
    store.beforeEveryCommit(() -> {});
    engine.close();
  }

  private static <T> T elsewhere(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    Thread.ofPlatform().daemon().start(task);
    try {
      return task.get(20, TimeUnit.SECONDS);
    } catch (Exception held) {
      throw new AssertionError("it had to wait", held);
    }
  }

  @Test
  void waitingReadersDoNotBlockWriters() {
    LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withCap(1 << 20, 10));
    things.insert(counter(1, 0));
    FeedReader feed = things.feeds().getFirst();
    ShardLock writers = things.owners().getFirst().lock();
    writers.lock();
    try {
      assertThat(elsewhere(() -> feed.await(FeedReader.BEGINNING, LONG))).isTrue();
      assertThat(elsewhere(() -> things.awaitArrival(0, LONG))).isTrue();
      assertThat(elsewhere(() -> feed.await(feed.end(), Duration.ofMillis(1)))).isFalse();
    } finally {
      writers.unlock();
    }
  }

  @Test
  void waitingReadersAreWokenByAChangeAndByClose() throws Exception {
    LocalCollection things = engine.create(NAME, CollectionSpec.mongo());
    FeedReader feed = things.feeds().getFirst();
    long before = feed.end();
    FutureTask<Boolean> woken = new FutureTask<>(() -> feed.await(before, LONG));
    Thread.ofPlatform().start(woken);
    things.insert(counter(1, 0));
    assertThat(woken.get()).isTrue();
    long end = feed.end();
    FutureTask<Boolean> ended = new FutureTask<>(() -> feed.await(end, LONG));
    Thread.ofPlatform().start(ended);
    engine.drop(NAME);
    assertThat(ended.get()).isFalse();
  }

  @Test
  void collectionsCanBeCreatedWhileSpaceIsFreed() {
    engine.create(NAME, CollectionSpec.cosmos("p"));
    AtomicInteger drops = new AtomicInteger();
    engine.drop(NAME);
    store.onDrop(
        _ ->
            elsewhere(
                () ->
                    engine.create(
                        new Namespace("db", "other" + drops.incrementAndGet()),
                        CollectionSpec.mongo())));
    engine.workUntilIdle();
    assertThat(drops).hasValue(1);
    assertThat(engine.namespaces()).containsExactly(new Namespace("db", "other1"));
  }

  @Test
  void failedTrimKeepsTheFeed() {
    LocalCollection things = engine.create(NAME, CollectionSpec.mongo());
    things.insert(counter(1, 0));
    FeedReader feed = things.feeds().getFirst();
    clock.advance(Duration.ofMillis(things.spec().feed().retentionMillis() + 1));
    store.beforeEveryCommit(
        () -> {
          throw new StoreException(StoreException.Reason.DISK_FULL, "no room");
        });
    ShardOwner owner = things.owners().getFirst();
    FeedTrimmer trimmer = new FeedTrimmer(owner, new LazyIndexer(owner));
    assertThatThrownBy(() -> trimmer.trim(clock.now(), 100)).isInstanceOf(StoreException.class);
    store.beforeEveryCommit(() -> {});
    assertThat(things.usage().documents()).isEqualTo(1);
    assertThat(feed.read(FeedReader.BEGINNING, 10)).hasSize(1);
    trimmer.trim(clock.now(), 100);
    assertThat(feed.oldest()).isPositive();
  }
}
