package dev.mayfly.engine.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.engine.model.History;
import dev.mayfly.engine.model.History.Answer;
import dev.mayfly.engine.model.History.Ask;
import dev.mayfly.engine.model.History.State;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.engine.shard.ShardLock;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SeedExtension.class)
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ConcurrencyTest {
  private static final Namespace NAME = new Namespace("db", "things");
  private static final int CROWD = 8;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);

  /** The kinds of store that the engine treats differently. */
  enum Kind {
    DELETING,
    DROPPING,
    WITHOUT_SNAPSHOTS;

    Store store() {
      return switch (this) {
        case DELETING -> new MemoryStore();
        case DROPPING -> MemoryStore.withFilters();
        case WITHOUT_SNAPSHOTS -> MemoryStore.withoutSnapshots();
      };
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void incrementsAreNotLost(Kind kind) throws Exception {
    int rounds = 300;
    try (LocalEngine engine = LocalEngine.open(kind.store(), clock, settings)) {
      LocalCollection counters = engine.create(NAME, indexed("n"));
      for (int i = 0; i < 3; i++) {
        counters.insert(numbered(i, 0));
      }
      Crowd crowd = new Crowd();
      for (int i = 0; i < CROWD; i++) {
        boolean guarded = i % 2 == 0;
        crowd.worker(
            () -> {
              for (int round = 0; round < rounds; round++) {
                if (guarded) {
                  incrementGuarded(counters, round % 3);
                } else {
                  counters.write(new Write.Update(key(round % 3), ConcurrencyTest::incremented));
                }
              }
            });
      }
      crowd.runOnVirtualThreads();
      for (int i = 0; i < 3; i++) {
        long reached = counters.read(key(i)).orElseThrow().document().field("n").asLong();
        assertThat(reached).isEqualTo((long) CROWD * rounds / 3);
      }
      Audit.check(engine, counters);
    }
  }

  private static void incrementGuarded(LocalCollection counters, int id) {
    while (true) {
      StoredDocument seen = counters.read(key(id)).orElseThrow();
      try {
        counters.write(new Write.Replace(incremented(seen.document()), seen.version()));
        return;
      } catch (EngineException lost) {
        assertThat(lost.reason()).isEqualTo(Reason.VERSION_MISMATCH);
      }
    }
  }

  @Test
  void exactlyOneInsertOfAUniqueKeySucceeds() throws Exception {
    try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
      CollectionSpec spec = CollectionSpec.mongo().withIndex(byField("n").withUnique(true));
      LocalCollection things = engine.create(NAME, spec);
      int keys = 100;
      AtomicInteger byId = new AtomicInteger();
      AtomicInteger byKey = new AtomicInteger();
      Crowd crowd = new Crowd();
      for (int i = 0; i < CROWD; i++) {
        int own = i;
        crowd.worker(
            () -> {
              for (int key = 0; key < keys; key++) {
                count(things, numbered(key, 1_000_000 + key * CROWD + own), byId);
                count(things, numbered(1_000_000 + key * CROWD + own, key), byKey);
              }
            });
      }
      crowd.runOnPlatformThreads();
      assertThat(byId.get()).isEqualTo(keys);
      assertThat(byKey.get()).isEqualTo(keys);
      Audit.check(engine, things);
    }
  }

  private static void count(LocalCollection things, Document document, AtomicInteger wins) {
    try {
      things.insert(document);
      wins.incrementAndGet();
    } catch (EngineException lost) {
      assertThat(lost.reason()).isIn(Reason.DUPLICATE_ID, Reason.DUPLICATE_KEY);
    }
  }

  @Test
  void readersSeeGroupsAtomically() throws Exception {
    try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
      LocalCollection accounts = engine.create(NAME, indexed("n"));
      for (int i = 0; i < 6; i++) {
        accounts.insert(numbered(i, 1000));
      }
      Crowd crowd = new Crowd();
      for (int i = 0; i < 3; i++) {
        Random random = new Random(i);
        crowd.worker(
            () -> {
              for (int round = 0; round < 500; round++) {
                int from = random.nextInt(6);
                move(accounts, from, (from + 1 + random.nextInt(5)) % 6, random.nextInt(100));
              }
            });
      }
      Filter any = new Filter.Compare(path("n"), Operator.GT, Value.of(-1_000_000));
      crowd.meanwhile(() -> assertThat(sum(accounts, Filter.all())).isEqualTo(6000));
      crowd.meanwhile(() -> assertThat(sum(accounts, any)).isEqualTo(6000));
      crowd.runOnVirtualThreads();
    }
  }

  private static void move(LocalCollection accounts, int from, int to, int amount) {
    List<Write> group =
        List.of(
            new Write.Update(key(from), document -> added(document, -amount)),
            new Write.Update(key(to), document -> added(document, amount)));
    assertThat(accounts.write(group, Grouping.ATOMIC, Durability.LOGGED).complete()).isTrue();
  }

  private static long sum(LocalCollection accounts, Filter filter) {
    long sum = 0;
    int seen = 0;
    try (QueryCursor cursor = accounts.query(Query.of(filter, accounts.spec().dialect().mode()))) {
      while (cursor.next()) {
        sum += cursor.document().field("n").asLong();
        seen++;
      }
    }
    assertThat(seen).isEqualTo(6);
    return sum;
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everyDocumentEndsOnceDuringConcurrentSweeps(Kind kind) throws Exception {
    CollectionSpec.FeedSpec feed =
        new CollectionSpec.FeedSpec(ChangeImageMode.NONE, 1L << 50, 1L << 40);
    CollectionSpec spec = indexed("n").withDefaultTtl(3).withFeed(feed);
    try (LocalEngine engine =
        LocalEngine.open(kind.store(), clock, settings.withReclaimBytes(2000))) {
      LocalCollection things = engine.create(NAME, spec);
      AtomicLong moved = new AtomicLong();
      Crowd crowd = new Crowd();
      for (int i = 0; i < CROWD; i++) {
        Random random = new Random(i);
        crowd.worker(() -> writeAtRandom(things, random, 1500));
      }
      crowd.meanwhile(engine::work);
      crowd.meanwhile(things::usage);
      crowd.meanwhile(() -> unlessTooOld(() -> checkAges(engine, things)));
      crowd.meanwhile(
          () -> clock.advance(Duration.ofMillis(moved.incrementAndGet() % 5 == 0 ? 999 : 50)));
      crowd.runOnPlatformThreads();
      Audit.check(engine, things);
      checkLives(things, 3000);
      clock.advance(Duration.ofSeconds(10));
      assertThat(things.usage()).isEqualTo(Usage.NONE);
      engine.workUntilIdle();
      Audit.check(engine, things);
      assertThat(checkLives(things, 3000)).as("lives that have not ended").isZero();
    }
  }

  private static void writeAtRandom(LocalCollection things, Random random, int count) {
    for (int i = 0; i < count; i++) {
      int id = random.nextInt(40);
      Document document = numbered(id, random.nextInt(5));
      Write write =
          switch (random.nextInt(4)) {
            case 0 -> new Write.Insert(document);
            case 1 -> new Write.Upsert(document);
            case 2 -> new Write.Update(key(id), ConcurrencyTest::incremented);
            default ->
                random.nextInt(3) == 0 ? new Write.Delete(key(id)) : new Write.Insert(document);
          };
      try {
        things.write(write);
      } catch (EngineException refused) {
        assertThat(refused.reason()).isIn(Reason.DUPLICATE_ID, Reason.NOT_FOUND);
      }
    }
  }

  /** Checks that no cursor returns a document that had expired before it was opened. */
  private static void checkAges(LocalEngine engine, LocalCollection things) {
    long before = engine.now();
    try (QueryCursor cursor =
        things.query(Query.of(Filter.all(), things.spec().dialect().mode()))) {
      while (cursor.next()) {
        assertThat(cursor.current().deadline()).isGreaterThan(before);
      }
    }
  }

  /**
   * Follows every document through the feed: it is inserted, updated, and removed once; an expiry
   * comes with the deadline of the last write and not before it. Returns how many are left.
   */
  private static long checkLives(LocalCollection things, long ttlMillis) {
    Map<DocumentKey, Change> last = new HashMap<>();
    long position = 0;
    for (Change change : things.feeds().getFirst().read(0, Integer.MAX_VALUE)) {
      assertThat(change.position()).isGreaterThan(position);
      position = change.position();
      Change before = last.get(change.key());
      boolean alive =
          before != null
              && (before.kind() == Change.Kind.INSERT || before.kind() == Change.Kind.UPDATE);
      assertThat(alive)
          .as(change + " after " + before)
          .isEqualTo(change.kind() != Change.Kind.INSERT);
      if (change.kind() == Change.Kind.EXPIRE && before != null) {
        assertThat(change.deadline()).isEqualTo(before.time() / 1000 * 1000 + ttlMillis);
        assertThat(change.time()).isGreaterThanOrEqualTo(change.deadline());
      }
      last.put(change.key(), change);
    }
    return last.values().stream()
        .filter(one -> one.kind() == Change.Kind.INSERT || one.kind() == Change.Kind.UPDATE)
        .count();
  }

  @Test
  void cursorIsCompleteDuringConcurrentSweeps() throws Exception {
    try (LocalEngine engine = LocalEngine.open(MemoryStore.withFilters(), clock, settings)) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(1));
      AtomicInteger next = new AtomicInteger();
      Crowd crowd = new Crowd();
      crowd.worker(
          () -> {
            for (int i = 0; i < 300; i++) {
              List<Write> group = new ArrayList<>();
              for (int k = 0; k < 10; k++) {
                group.add(new Write.Insert(numbered(next.getAndIncrement(), i)));
              }
              things.write(group, Grouping.ATOMIC, Durability.LOGGED);
              clock.advance(Duration.ofMillis(250));
            }
          });
      crowd.meanwhile(engine::work);
      crowd.meanwhile(() -> checkWholeGroups(things));
      crowd.meanwhile(() -> checkWholeGroups(things));
      crowd.runOnPlatformThreads();
    }
  }

  private static void checkWholeGroups(LocalCollection things) {
    Map<Long, Integer> seen = new HashMap<>();
    try (QueryCursor cursor =
        things.query(Query.of(Filter.all(), things.spec().dialect().mode()))) {
      while (cursor.next()) {
        seen.merge(cursor.document().field("n").asLong(), 1, Integer::sum);
      }
    }
    seen.forEach((group, count) -> assertThat(count).as("group " + group).isEqualTo(10));
  }

  @Test
  void concurrentUsageIsRightWhileTheClockMoves() throws Exception {
    try (LocalEngine engine = LocalEngine.open(MemoryStore.withFilters(), clock, settings)) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(5));
      Crowd crowd = new Crowd();
      crowd.worker(
          () -> {
            for (int i = 0; i < 2000; i++) {
              things.insert(numbered(i, i));
              clock.advance(Duration.ofMillis(37));
            }
          });
      for (int i = 0; i < 4; i++) {
        crowd.meanwhile(() -> assertThat(things.usage().documents()).isBetween(0L, 2000L));
      }
      crowd.runOnPlatformThreads();
      Audit.check(engine, things);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void capIsEnforcedWithConcurrentWriters(Kind kind) throws Exception {
    try (LocalEngine engine = LocalEngine.open(kind.store(), clock, settings)) {
      CollectionSpec spec = CollectionSpec.mongo().withCap(0, 50).withDefaultTtl(2);
      LocalCollection things = engine.create(NAME, spec);
      Crowd crowd = new Crowd();
      for (int i = 0; i < 4; i++) {
        int own = i;
        crowd.worker(
            () -> {
              for (int k = 0; k < 500; k++) {
                things.insert(numbered(own * 10_000 + k, k));
                clock.advance(Duration.ofMillis(5));
              }
            });
      }
      crowd.meanwhile(() -> assertThat(things.usage().documents()).isBetween(0L, 50L));
      crowd.meanwhile(engine::work);
      crowd.runOnPlatformThreads();
      Audit.check(engine, things);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void rulesAndIndexesChangeDuringReadsAndWrites(Kind kind) throws Exception {
    try (LocalEngine engine = LocalEngine.open(kind.store(), clock, settings)) {
      CollectionSpec spec = CollectionSpec.cosmos("part").withDefaultTtl(TimeToLive.NEVER);
      LocalCollection things = engine.create(NAME, spec);
      for (int i = 0; i < 20; i++) {
        things.insert(pinned("stable" + i));
      }
      Crowd crowd = new Crowd();
      for (int i = 0; i < 3; i++) {
        Random random = new Random(i);
        crowd.worker(
            () -> {
              for (int k = 0; k < 800; k++) {
                upsertOrDelete(things, random);
              }
            });
      }
      Random random = new Random(7);
      crowd.meanwhile(() -> alterAtRandom(things, random));
      crowd.meanwhile(engine::work);
      // without snapshots a cursor on an index that is dropped under it may end early
      long least = kind == Kind.WITHOUT_SNAPSHOTS ? 0 : 20;
      crowd.meanwhile(() -> unlessTooOld(() -> assertThat(stable(things)).isBetween(least, 20L)));
      crowd.meanwhile(() -> checkForecasts(engine, things));
      crowd.meanwhile(() -> clock.advance(Duration.ofMillis(20)));
      crowd.runOnPlatformThreads();
      engine.workUntilIdle();
      Audit.check(engine, things);
      assertThat(stable(things)).isEqualTo(20);
    }
  }

  /** The clock runs so fast that a query may last longer than the sweep waits for it. */
  private static void unlessTooOld(Runnable query) {
    try {
      query.run();
    } catch (EngineException tooOld) {
      assertThat(tooOld.reason()).isEqualTo(Reason.SNAPSHOT_TOO_OLD);
    }
  }

  /** Checks that a forecast never exceeds the number of documents, under any rules. */
  private static void checkForecasts(LocalEngine engine, LocalCollection things) {
    assertThat(things.expiry().forecast(engine.now() + 3000).total().documents())
        .isBetween(0L, 60L);
    assertThat(things.expiry().whatIf(spec -> spec.withDefaultTtl(1)).documents())
        .isBetween(0L, 60L);
  }

  private static void upsertOrDelete(LocalCollection things, Random random) {
    String id = "x" + random.nextInt(60);
    Document document =
        Document.writer()
            .put("id", id)
            .put("part", "p")
            .put("colour", random.nextInt(4))
            .put("ttl", random.nextInt(1, 5))
            .build();
    try {
      things.write(
          random.nextInt(4) == 0
              ? new Write.Delete(DocumentKey.of("p", id))
              : new Write.Upsert(document));
    } catch (EngineException refused) {
      assertThat(refused.reason()).isEqualTo(Reason.NOT_FOUND);
    }
  }

  private static void alterAtRandom(LocalCollection things, Random random) {
    long[] ttls = {TimeToLive.OFF, TimeToLive.NEVER, 1, 5, 100};
    IndexSpec colour = IndexSpec.explicit("colour", Part.ascending(path("colour")));
    switch (random.nextInt(3)) {
      case 0 -> things.alter(spec -> spec.withDefaultTtl(ttls[random.nextInt(ttls.length)]));
      case 1 -> things.alter(spec -> spec.withoutIndex("colour"));
      default ->
          things.alter(
              spec ->
                  spec.indexes().stream().anyMatch(index -> index.name().equals("colour"))
                      ? spec
                      : spec.withIndex(colour));
    }
  }

  private static Document pinned(String id) {
    return Document.writer().put("id", id).put("part", "p").put("colour", 9).put("ttl", -1).build();
  }

  private static long stable(LocalCollection things) {
    return things.count(Filter.equal(path("colour"), Value.of(9)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sweepDoesNotRemoveAConcurrentlyRefreshedDocument(boolean deletes) throws Exception {
    HookedStore store = new HookedStore(MemoryStore.withFilters());
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(10));
      things.insert(numbered(1, 1));
      clock.advance(Duration.ofMillis(9_999));
      ShardOwner owner = things.owners().getFirst();
      Write late =
          deletes
              ? new Write.Delete(key(1))
              : new Write.Update(key(1), ConcurrencyTest::incremented);
      owner.lock().lock();
      try {
        Thread writer = Thread.ofPlatform().start(() -> things.write(late));
        while (owner.lock().waiting() == 0) {
          Thread.onSpinWait();
        }
        clock.advance(Duration.ofMillis(1));
        // the first scan looks whether something is due, the second one is the walk of the sweep
        store.afterScan(Space.QUEUES, 1, () -> letGo(owner.lock(), writer));
        engine.work();
      } finally {
        owner.lock().unlock();
      }
      engine.workUntilIdle();
      Audit.check(engine, things);
      assertThat(checkLives(things, 10_000)).isEqualTo(deletes ? 0 : 1);
      assertThat(things.usage().documents()).isEqualTo(deletes ? 0 : 1);
    }
  }

  /** Hands the lock to a thread that waits for it until it has done its work. */
  private static void letGo(ShardLock lock, Thread other) {
    lock.unlock();
    try {
      other.join();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
    lock.lock();
  }

  @Test
  void documentSweptDuringACountIsCountedOnce() {
    HookedStore store = new HookedStore(MemoryStore.withFilters());
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(10));
      things.insert(numbered(1, 1));
      things.insert(numbered(2, 1));
      clock.advance(Duration.ofSeconds(10));
      things.insert(numbered(3, 1));
    }
    // after a restart, the first count has to read the lanes
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      LocalCollection things = engine.collection(NAME);
      store.beforeNextSnapshotScan(engine::workUntilIdle);
      assertThat(things.usage().documents()).isEqualTo(1);
      assertThat(engine.sweepStats().documents()).isEqualTo(2);
      assertThat(things.usage().documents()).isEqualTo(1);
      Audit.check(engine, things);
    }
  }

  @Test
  void queryIsPlannedAgainWhenItsIndexIsDropped() {
    HookedStore store = new HookedStore(MemoryStore.withFilters());
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      LocalCollection things = engine.create(NAME, indexed("n"));
      for (int i = 0; i < 10; i++) {
        things.insert(numbered(i, 5));
      }
      store.beforeNextSnapshot(
          () -> {
            things.alter(spec -> spec.withoutIndex("n_1"));
            engine.workUntilIdle();
          });
      assertThat(things.count(Filter.equal(path("n"), Value.of(5)))).isEqualTo(10);
    }
  }

  @Test
  void queryIsPlannedAgainWhenItsIndexBecomesMultikey() {
    HookedStore store = new HookedStore(MemoryStore.withFilters());
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      LocalCollection things = engine.create(NAME, indexed("n"));
      things.insert(numbered(1, 5));
      Value array = Value.array(List.of(Value.of(1), Value.of(9)));
      Document both = Document.writer().put("_id", 2).put("n", array).build();
      store.beforeNextSnapshot(() -> things.insert(both));
      Filter.Compare more = new Filter.Compare(path("n"), Operator.GT, Value.of(6));
      Filter.Compare less = new Filter.Compare(path("n"), Operator.LT, Value.of(3));
      assertThat(things.count(Filter.and(List.of(more, less)))).isEqualTo(1);
    }
  }

  @Test
  void operationsOnOneDocumentAreLinearizable(Random seeds) throws Exception {
    for (int round = 0; round < 400; round++) {
      try (LocalEngine engine = LocalEngine.open(new MemoryStore(), clock, settings)) {
        LocalCollection things = engine.create(NAME, indexed("n"));
        History history = new History();
        Crowd crowd = new Crowd();
        for (int i = 0; i < 3; i++) {
          long seed = seeds.nextLong();
          crowd.worker(() -> operate(things, history, new Random(seed)));
        }
        crowd.runOnPlatformThreads();
        assertThat(history.explained()).as(history.toString()).isTrue();
      }
    }
  }

  private static void operate(LocalCollection things, History history, Random random) {
    long seen = -1;
    for (int i = 0; i < 4; i++) {
      long value = random.nextInt(1, 1000);
      Ask ask =
          switch (random.nextInt(6)) {
            case 0 -> new Ask.Insert(value);
            case 1 -> new Ask.Replace(value);
            case 2 -> new Ask.Swap(value, seen >= 0 ? seen : 77);
            case 3 -> new Ask.Add(value);
            case 4 -> new Ask.Delete();
            default -> new Ask.Read();
          };
      long began = history.begin();
      Answer answer = answer(things, ask);
      history.add(began, ask, answer);
      seen = Math.max(seen, answer.state().version());
    }
  }

  private static Answer answer(LocalCollection things, Ask ask) {
    try {
      return Answer.of(
          switch (ask) {
            case Ask.Insert(long value) -> state(things, new Write.Insert(numbered(1, value)));
            case Ask.Replace(long value) -> state(things, new Write.Replace(numbered(1, value)));
            case Ask.Swap(long value, long version) ->
                state(things, new Write.Replace(numbered(1, value), version));
            case Ask.Add(long value) ->
                state(things, new Write.Update(key(1), document -> added(document, value)));
            case Ask.Delete _ -> state(things, new Write.Delete(key(1)));
            case Ask.Read _ -> things.read(key(1)).map(State::of).orElse(State.ABSENT);
          });
    } catch (EngineException refused) {
      return Answer.refused(refused.reason());
    }
  }

  private static State state(LocalCollection things, Write write) {
    return switch (things.write(write)) {
      case WriteOutcome.Inserted(StoredDocument after) -> State.of(after);
      case WriteOutcome.Updated(_, StoredDocument after) -> State.of(after);
      case WriteOutcome.Unchanged(StoredDocument document) -> State.of(document);
      case WriteOutcome.Deleted _ -> State.ABSENT;
      case WriteOutcome.Failed(EngineException failure) -> throw failure;
      case WriteOutcome.Repeated _, WriteOutcome.Skipped _ -> throw new AssertionError("not done");
    };
  }

  private static CollectionSpec indexed(String field) {
    return CollectionSpec.mongo().withIndex(byField(field));
  }

  private static IndexSpec byField(String field) {
    return IndexSpec.implicit(field + "_1", Part.ascending(path(field)));
  }

  private static Document numbered(int id, long number) {
    return Document.writer().put("_id", id).put("n", number).build();
  }

  private static Document incremented(Document document) {
    return added(document, 1);
  }

  private static Document added(Document document, long amount) {
    return Document.writer()
        .put("_id", document.field("_id"))
        .put("n", document.field("n").asLong() + amount)
        .build();
  }

  private static DocumentKey key(int id) {
    return DocumentKey.of(Value.of(id));
  }

  private static FieldPath path(String field) {
    return FieldPath.of(field);
  }
}
