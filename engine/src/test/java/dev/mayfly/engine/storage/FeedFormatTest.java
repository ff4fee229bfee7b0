package dev.mayfly.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Change.Kind;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.UpdateFunction;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.catalog.Catalog;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.engine.race.Crowd;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.sweep.FeedTrimmer;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.Batch;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Range;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(SeedExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FeedFormatTest {
  private static final Namespace NAME = new Namespace("db", "things");
  private static final long DAY = 86_400_000;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);

  @Test
  void readerResumesInsideAGroupOfExpiries(Random random) {
    MemoryStore store = MemoryStore.withFilters();
    List<Change> all;
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(10));
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++) {
          things.write(new Write.Upsert(thing(random.nextInt(60), i)));
        }
        clock.advance(Duration.ofSeconds(11));
        engine.workUntilIdle();
      }
      FeedReader feed = things.feeds().getFirst();
      all = feed.read(FeedReader.BEGINNING, Integer.MAX_VALUE);
      assertThat(all.stream().filter(one -> one.kind() == Kind.EXPIRE).count()).isGreaterThan(100);
      checkResumes(feed, all);
    }
    try (LocalEngine engine = LocalEngine.open(store.reopen(), clock, settings)) {
      FeedReader feed = engine.collection(NAME).feeds().getFirst();
      assertThat(feed.end()).isEqualTo(all.getLast().position());
      checkResumes(feed, all);
      engine.collection(NAME).insert(thing(1000, 1));
      List<Change> more = feed.read(all.getLast().position(), 10);
      assertThat(more).hasSize(1);
      assertThat(more.getFirst().position()).isGreaterThan(all.getLast().position());
    }
  }

  @Test
  void positionIsFoundByTime() {
    try (LocalEngine engine = LocalEngine.open(MemoryStore.withFilters(), clock, settings)) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(50));
      FeedReader feed = things.feeds().getFirst();
      assertThat(feed.before(clock.now())).isEqualTo(FeedReader.BEGINNING);
      List<Long> starts = new ArrayList<>();
      for (int round = 0; round < 20; round++) {
        starts.add(clock.now());
        for (int i = 0; i <= round; i++) {
          things.insert(thing(100 * round + i, i));
        }
        clock.advance(Duration.ofMinutes(1));
        engine.workUntilIdle();
      }
      List<Change> all = feed.read(FeedReader.BEGINNING, Integer.MAX_VALUE);
      for (long start : starts) {
        List<Change> since = feed.read(feed.before(start), Integer.MAX_VALUE);
        assertThat(since)
            .containsAll(all.stream().filter(change -> change.time() >= start).toList())
            .noneMatch(change -> change.time() < start - 2 * 60_000);
      }
      assertThat(feed.before(clock.now() + 60_000)).isEqualTo(feed.end());
    }
  }

  private static void checkResumes(FeedReader feed, List<Change> all) {
    for (int i = 0; i < all.size(); i++) {
      List<Change> rest = feed.read(all.get(i).position(), Integer.MAX_VALUE);
      assertThat(rest).isEqualTo(all.subList(i + 1, all.size()));
    }
    List<Change> paged = new ArrayList<>();
    long position = FeedReader.BEGINNING;
    for (List<Change> page = feed.read(position, 7);
        !page.isEmpty();
        page = feed.read(position, 7)) {
      paged.addAll(page);
      position = page.getLast().position();
    }
    assertThat(paged).isEqualTo(all);
  }

  private static Document large(int id) {
    return Document.writer().put("_id", id).put("pad", "x".repeat(10_000)).build();
  }

  @Test
  void fullDiskShortensTheFeed() {
    HookedStore store = new HookedStore(MemoryStore.withFilters());
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      LocalCollection things =
          engine.create(
              NAME,
              CollectionSpec.mongo()
                  .withFeed(new FeedSpec(ChangeImageMode.AFTER, 86_400_000, 1L << 30)));
      for (int i = 0; i < 400; i++) {
        things.insert(large(i));
      }
      ShardOwner owner = things.owners().getFirst();
      engine.workUntilIdle();
      long bytes = owner.feedBytes();
      assertThat(bytes).isGreaterThan(3 << 20);
      store.room(false);
      engine.workUntilIdle();
      assertThat(owner.feedBytes()).isBetween(bytes / 2 - 20_000, bytes / 2);
      for (int i = 0; i < 5; i++) {
        engine.workUntilIdle();
      }
      assertThat(owner.feedBytes())
          .isBetween(FeedTrimmer.MIN_FEED_BYTES - 20_000, FeedTrimmer.MIN_FEED_BYTES);
      store.room(true);
      things.insert(large(400));
      engine.workUntilIdle();
      assertThat(owner.feedBytes()).isGreaterThan(FeedTrimmer.MIN_FEED_BYTES - 20_000);
    }
  }

  @Test
  void waitingReaderIsWokenByAWrite() throws Exception {
    try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo());
      FeedReader feed = things.feeds().getFirst();
      assertThat(feed.await(feed.end(), Duration.ofMillis(20))).isFalse();
      for (int i = 0; i < 50; i++) {
        long end = feed.end();
        CountDownLatch waiting = new CountDownLatch(1);
        AtomicBoolean woken = new AtomicBoolean();
        int id = i;
        Crowd crowd = new Crowd();
        crowd.worker(
            () -> {
              waiting.countDown();
              woken.set(feed.await(end, Duration.ofSeconds(30)));
            });
        crowd.worker(
            () -> {
              waiting.await();
              things.insert(thing(id, id));
            });
        crowd.runOnVirtualThreads();
        assertThat(woken).isTrue();
        assertThat(feed.read(end, 10)).hasSize(1);
      }
    }
  }

  @Test
  void dropWakesWaitingReaders() throws Exception {
    try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo());
      FeedReader feed = things.feeds().getFirst();
      CountDownLatch waiting = new CountDownLatch(1);
      Crowd crowd = new Crowd();
      crowd.worker(
          () -> {
            waiting.countDown();
            assertThat(feed.await(feed.end(), Duration.ofHours(1))).isFalse();
          });
      crowd.worker(
          () -> {
            waiting.await();
            engine.drop(NAME);
          });
      crowd.runOnPlatformThreads();
    }
  }

  @Test
  void oldChangesAreTrimmedAndLateReadersFail() {
    MemoryStore store = new MemoryStore();
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      CollectionSpec spec =
          CollectionSpec.mongo().withFeed(new FeedSpec(ChangeImageMode.NONE, 60_000, 1 << 30));
      LocalCollection things = engine.create(NAME, spec);
      things.insert(thing(1, 1));
      things.insert(thing(2, 2));
      FeedReader feed = things.feeds().getFirst();
      long second = feed.end();
      clock.advance(Duration.ofSeconds(30));
      things.insert(thing(3, 3));
      clock.advance(Duration.ofSeconds(30));
      engine.workUntilIdle();
      checkTrimmed(feed, second);
      assertThat(feed.read(second, 10)).hasSize(1);
    }
    try (LocalEngine engine = LocalEngine.open(store.reopen(), clock, settings)) {
      LocalCollection things = engine.collection(NAME);
      checkTrimmed(things.feeds().getFirst(), things.feeds().getFirst().oldest());
      assertThat(things.usage().documents()).isEqualTo(3);
      clock.advance(Duration.ofDays(1));
      engine.workUntilIdle();
      assertThat(things.feeds().getFirst().oldest()).isEqualTo(things.feeds().getFirst().end());
    }
    try (LocalEngine engine = LocalEngine.open(store.reopen(), clock, settings)) {
      assertThat(engine.collection(NAME).usage().documents()).isEqualTo(3);
      Audit.check(engine, engine.collection(NAME));
    }
  }

  @Test
  void keptSinceReportsTheStartOfTheFeed() {
    try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
      CollectionSpec spec =
          CollectionSpec.mongo().withFeed(new FeedSpec(ChangeImageMode.NONE, 60_000, 130));
      LocalCollection things = engine.create(NAME, spec);
      FeedReader feed = things.feeds().getFirst();
      long start = engine.now();
      assertThat(feed.keptSince(0)).isTrue();
      things.insert(thing(1, 1));
      clock.advance(Duration.ofSeconds(30));
      things.insert(thing(2, 2));
      things.insert(thing(3, 3));
      things.insert(thing(4, 4));
      clock.advance(Duration.ofSeconds(30));
      engine.workUntilIdle();
      assertThat(feed.read(feed.oldest(), 10)).hasSize(3);
      assertThat(feed.keptSince(start)).isFalse();
      assertThat(feed.keptSince(start + 1)).isTrue();
    }
  }

  private static void checkTrimmed(FeedReader feed, long oldest) {
    assertThat(feed.oldest()).isEqualTo(oldest);
    EngineException late =
        catchThrowableOfType(EngineException.class, () -> feed.read(FeedReader.BEGINNING, 10));
    assertThat(late.reason()).isEqualTo(EngineException.Reason.TRIMMED);
    assertThat(late.number()).isEqualTo(oldest);
  }

  @Test
  void oldestChangesBeyondTheSizeLimitAreTrimmed() {
    try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
      FeedSpec small = new FeedSpec(ChangeImageMode.AFTER, DAY, 20_000);
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withFeed(small));
      for (int i = 0; i < 5000; i++) {
        things.insert(thing(i, i));
      }
      engine.workUntilIdle();
      FeedReader feed = things.feeds().getFirst();
      List<Change> kept = feed.read(feed.oldest(), Integer.MAX_VALUE);
      assertThat(kept.getLast().position()).isEqualTo(feed.end());
      long images = kept.stream().mapToLong(change -> change.after().length()).sum();
      assertThat(images).isBetween(5_000L, 20_000L);
    }
  }

  @ParameterizedTest
  @EnumSource(ChangeImageMode.class)
  void changesContainTheRequestedImages(ChangeImageMode images) {
    try (LocalEngine engine = LocalEngine.open(MemoryStore.withFilters(), clock, settings)) {
      CollectionSpec spec =
          CollectionSpec.mongo().withFeed(new FeedSpec(images, DAY, 1 << 30)).withDefaultTtl(5);
      LocalCollection things = engine.create(NAME, spec);
      things.insert(thing(1, 1));
      things.write(new Write.Replace(thing(1, 2)));
      things.write(new Write.Delete(DocumentKey.of(Value.of(1))));
      things.insert(thing(1, 3));
      clock.advance(Duration.ofSeconds(5));
      engine.workUntilIdle();
      List<Change> changes = things.feeds().getFirst().read(0, 100);
      assertThat(changes)
          .extracting(Change::kind)
          .containsExactly(Kind.INSERT, Kind.UPDATE, Kind.DELETE, Kind.INSERT, Kind.EXPIRE);
      Document none = Document.EMPTY;
      boolean differences = images == ChangeImageMode.DIFFERENCES;
      assertThat(changes)
          .extracting(Change::before)
          .containsExactly(
              none,
              differences ? amount(1) : images.before() ? thing(1, 1) : none,
              images.before() ? thing(1, 2) : none,
              none,
              images.before() ? thing(1, 3) : none);
      assertThat(changes)
          .extracting(Change::after)
          .containsExactly(
              images.after() ? thing(1, 1) : none,
              differences ? amount(2) : images.after() ? thing(1, 2) : none,
              none,
              images.after() ? thing(1, 3) : none,
              none);
    }
  }

  @Test
  void updateIsReportedByItsChangedRootFields() {
    differ("{_id:1,a:1,b:2,c:3}", "{_id:1,a:1,b:5,c:3}", "{b:2}", "{b:5}");
    differ("{_id:1,a:1,b:2}", "{_id:1,b:2}", "{a:1}", "{}");
    differ("{_id:1,b:2}", "{_id:1,b:2,a:1}", "{}", "{a:1}");
    differ("{_id:1,a:1,b:2}", "{_id:1,b:2,a:3}", "{a:1}", "{a:3}");
    differ("{_id:1,a:1,b:2}", "{_id:1,b:2,a:1,ab:1}", "{}", "{ab:1}");
    differ("{_id:1,a:{x:1,y:2}}", "{_id:1,a:{x:1,y:3}}", "{a:{x:1,y:2}}", "{a:{x:1,y:3}}");
    differ("{_id:1,a:1}", "{_id:1,a:'1'}", "{a:1}", "{a:'1'}");
    differ("{_id:1,a:1}", "{_id:1,a:true}", "{a:1}", "{a:true}");
  }

  private void differ(String before, String after, String old, String fresh) {
    try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
      FeedSpec differences = new FeedSpec(ChangeImageMode.DIFFERENCES, 60_000, 1 << 20);
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withFeed(differences));
      things.insert(parse(before));
      things.write(new Write.Update(DocumentKey.of(Value.of(1)), _ -> parse(after)));
      Change change = things.feeds().getFirst().read(0, 100).getLast();
      assertThat(change.differences()).isTrue();
      assertThat(change.before()).isEqualTo(parse(old));
      assertThat(change.after()).isEqualTo(parse(fresh));
    }
  }

  private static Document parse(String json) {
    String names = json.replaceAll("(\\w+):", "\"$1\":").replace('\'', '"');
    return ExtendedJson.parse(names, Limits.MONGO);
  }

  @Test
  void wholeDocumentUpdateIsReportedAsReplace() {
    try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
      FeedSpec differences = new FeedSpec(ChangeImageMode.DIFFERENCES, 60_000, 1 << 20);
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withFeed(differences));
      things.insert(thing(1, 1));
      DocumentKey key = DocumentKey.of(Value.of(1));
      things.write(new Write.Update(key, _ -> thing(1, 2), Write.ANY_VERSION, true));
      Change change = things.feeds().getFirst().read(0, 100).getLast();
      assertThat(change.kind()).isEqualTo(Kind.REPLACE);
      assertThat(change.before()).isEqualTo(Document.EMPTY);
      assertThat(change.after()).isEqualTo(thing(1, 2));
    }
  }

  @Test
  void noteOfAnUpdateIsStored() {
    for (ChangeImageMode images :
        List.of(ChangeImageMode.DIFFERENCES, ChangeImageMode.BOTH, ChangeImageMode.NONE)) {
      try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
        FeedSpec feed = new FeedSpec(images, 60_000, 1 << 20);
        LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withFeed(feed));
        things.insert(thing(1, 1));
        DocumentKey key = DocumentKey.of(Value.of(1));
        things.write(
            new Write.Update(key, new UpdateFunction.Decided(thing(1, 2), parse("{n:1}"))));
        things.write(new Write.Update(key, _ -> thing(1, 3)));
        List<Change> changes = things.feeds().getFirst().read(0, 100);
        assertThat(changes)
            .extracting(Change::note)
            .containsExactly(Document.EMPTY, parse("{n:1}"), Document.EMPTY);
      }
    }
  }

  @Test
  void waitForAnyCollectionIsWokenByAChange() throws Exception {
    try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo());
      things.insert(thing(1, 1));
      long told = things.feeds().getFirst().end();
      assertThat(engine.awaitChange(told - 1, 1)).isPositive();
      assertThat(engine.awaitChange(told, 1)).isNotPositive();
      CompletableFuture<Long> left = new CompletableFuture<>();
      Thread waiting =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      left.complete(engine.awaitChange(told, Long.MAX_VALUE));
                    } catch (InterruptedException stopped) {
                      left.completeExceptionally(stopped);
                    }
                  });
      things.insert(thing(2, 1));
      assertThat(left.get(10, TimeUnit.SECONDS)).isPositive();
      waiting.join();
    }
  }

  /** Overlapping range deletes would slow down every read. */
  @Test
  void trimDeletesNoRangeTwice() {
    HookedStore hooked = new HookedStore(new MemoryStore());
    Map<Integer, List<Range>> deleted = new HashMap<>();
    hooked.onBatch(
        (shard, batch) ->
            batch.replay(new RangeDeletes(deleted.computeIfAbsent(shard, _ -> new ArrayList<>()))));
    try (LocalEngine engine = LocalEngine.open(hooked, clock, settings)) {
      FeedSpec brief = new FeedSpec(ChangeImageMode.NONE, 1000, 1L << 30);
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withFeed(brief));
      for (int i = 0; i < 10; i++) {
        things.insert(Document.writer().put("_id", i).build());
        clock.advance(Duration.ofSeconds(1));
        engine.workUntilIdle();
        clock.advance(Duration.ofDays(2));
        engine.create(new Namespace("db", "c" + i), CollectionSpec.mongo());
        engine.workUntilIdle();
      }
    }
    for (int shard : List.of(Catalog.SHARD, 1)) {
      List<Range> ranges = Objects.requireNonNull(deleted.get(shard));
      assertThat(ranges).hasSizeGreaterThan(5).doesNotHaveDuplicates();
      for (Range one : ranges) {
        byte[] from = Objects.requireNonNull(one.from());
        assertThat(ranges)
            .filteredOn(other -> !other.equals(one) && other.contains(from))
            .isEmpty();
      }
    }
  }

  /** Collects the ranges of feeds that are deleted. */
  private record RangeDeletes(List<Range> deleted) implements Batch.Visitor {
    @Override
    public void put(Space space, byte[] buffer, int key, int keyLength, int value, int length) {}

    @Override
    public void delete(Space space, byte[] buffer, int key, int keyLength) {}

    @Override
    public void deleteRange(
        Space space, byte[] buffer, int from, int fromLength, int to, int toLength) {
      if (space == Space.QUEUES && buffer[from] == 'F') {
        deleted.add(
            Range.of(
                Arrays.copyOfRange(buffer, from, from + fromLength),
                Arrays.copyOfRange(buffer, to, to + toLength)));
      }
    }
  }

  @Test
  void feedIsNotTrimmedBeforeLazyIndexing() {
    try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
      CollectionSpec spec =
          CollectionSpec.mongo()
              .withIndex(IndexSpec.implicit("n_1", Part.ascending(FieldPath.of("n"))))
              .withIndexing(IndexingMode.LAZY)
              .withFeed(new FeedSpec(ChangeImageMode.NONE, 0, 0));
      LocalCollection things = engine.create(NAME, spec);
      for (int i = 0; i < 1000; i++) {
        things.insert(thing(i, i));
      }
      clock.advance(Duration.ofDays(10));
      engine.work();
      assertThat(things.feeds().getFirst().oldest()).isLessThan(things.feeds().getFirst().end());
      engine.workUntilIdle();
      assertThat(things.feeds().getFirst().oldest()).isEqualTo(things.feeds().getFirst().end());
      Audit.check(engine, things);
    }
  }

  @Test
  void feedOrderIsTheOrderOfVersions() throws Exception {
    try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
      FeedSpec images = new FeedSpec(ChangeImageMode.AFTER, DAY, 1 << 30);
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withFeed(images));
      FeedReader feed = things.feeds().getFirst();
      Map<Long, Document> given = new HashMap<>();
      List<Change> followed = new ArrayList<>();
      Crowd crowd = new Crowd();
      for (int i = 0; i < 6; i++) {
        Random random = new Random(i);
        crowd.worker(
            () -> {
              for (int k = 0; k < 300; k++) {
                Document document = thing(random.nextInt(20), random.nextInt());
                WriteOutcome outcome = things.write(new Write.Upsert(document));
                synchronized (given) {
                  given.put(version(outcome), document);
                }
              }
            });
      }
      crowd.meanwhile(
          () -> {
            long position = followed.isEmpty() ? 0 : followed.getLast().position();
            if (feed.await(position, Duration.ofMillis(1))) {
              followed.addAll(feed.read(position, 50));
            }
          });
      crowd.runOnVirtualThreads();
      long position = followed.isEmpty() ? 0 : followed.getLast().position();
      followed.addAll(feed.read(position, Integer.MAX_VALUE));
      assertThat(followed).isEqualTo(feed.read(0, Integer.MAX_VALUE)).hasSize(1800);
      for (Change change : followed) {
        assertThat(change.after()).isEqualTo(given.get(change.position()));
      }
    }
  }

  private static long version(WriteOutcome outcome) {
    return switch (outcome) {
      case WriteOutcome.Inserted(StoredDocument after) -> after.version();
      case WriteOutcome.Updated(_, StoredDocument after) -> after.version();
      case WriteOutcome other -> throw new AssertionError(other.toString());
    };
  }

  private static Document amount(int n) {
    return Document.writer().put("n", n).build();
  }

  private static Document thing(int id, int n) {
    return Document.writer().put("_id", id).put("n", n).build();
  }
}
