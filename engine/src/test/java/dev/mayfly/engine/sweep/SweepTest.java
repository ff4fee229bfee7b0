package dev.mayfly.engine.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Alarm;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.SweepRun;
import dev.mayfly.engine.SweepStats;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.engine.read.QueryCursor;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.store.Direction;
import dev.mayfly.store.ForwardingStore;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.store.rocksdb.TableFile;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SeedExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SweepTest {
  private static final Namespace NAME = new Namespace("db", "things");
  private static final Namespace OTHER = new Namespace("db", "others");
  private static final IndexSpec BY_N =
      IndexSpec.implicit("n_1", Part.ascending(FieldPath.of("n")));

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sliceIsBounded(boolean drops) {
    try (LocalEngine engine = LocalEngine.open(store(drops), clock, settings)) {
      LocalCollection things = expired(engine, NAME, 5000);
      long most = drops ? 2000 : 200;
      engine.work();
      assertThat(engine.sweepStats().documents()).isEqualTo(most);
      int rounds = 1;
      while (engine.work()) {
        rounds++;
      }
      assertThat(rounds).isBetween((int) (5000 / most), (int) (5000 / most) + 5);
      assertThat(engine.sweepStats().documents()).isEqualTo(5000);
      assertThat(engine.sweepStats().bytes()).isEqualTo(5000L * thing(1, 1).length());
      Audit.check(engine, things);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void backlogOfACollectionDelaysNoOther(boolean drops) {
    try (LocalEngine engine = LocalEngine.open(store(drops), clock, settings)) {
      LocalCollection things = expired(engine, NAME, 50_000);
      LocalCollection others = expired(engine, OTHER, 10);
      engine.work();
      assertThat(expiries(others)).hasSize(10);
      assertThat(expiries(things)).hasSizeLessThanOrEqualTo(2000).isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void busyRuleStarvesNoOther(boolean drops) {
    try (LocalEngine engine = LocalEngine.open(store(drops), clock, settings)) {
      LocalCollection things = engine.create(NAME, twoRules());
      for (int i = 0; i < 100; i++) {
        things.insert(dated("b" + i, "b"));
      }
      for (int i = 0; i < 100; i++) {
        things.insert(dated("a" + i, "a"));
        clock.advance(Duration.ofMillis(1));
        engine.work();
      }
      assertThat(engine.backlog().documents()).isLessThan(10);
      engine.workUntilIdle();
      assertThat(expiries(things)).hasSize(200);
      Audit.check(engine, things);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void backlogOfARuleDelaysNoOther(boolean drops) {
    try (LocalEngine engine = LocalEngine.open(store(drops), clock, settings)) {
      LocalCollection things = engine.create(NAME, twoRules());
      for (int i = 0; i < 10_000; i++) {
        things.insert(dated("a" + i, "a"));
      }
      things.insert(dated("b", "b"));
      clock.advance(Duration.ofMillis(1));
      engine.work();
      engine.work();
      assertThat(expiries(things))
          .extracting(Change::key)
          .contains(DocumentKey.of(Value.of("b")))
          .hasSizeLessThan(5000);
      engine.workUntilIdle();
      assertThat(expiries(things)).hasSize(10_001).extracting(Change::key).doesNotHaveDuplicates();
      Audit.check(engine, things);
    }
  }

  private static CollectionSpec twoRules() {
    CollectionSpec spec =
        CollectionSpec.mongo()
            .withIndex(IndexSpec.implicit("a_1", Part.ascending(FieldPath.of("a"))))
            .withIndex(IndexSpec.implicit("b_1", Part.ascending(FieldPath.of("b"))));
    return spec.withTimeToLive(spec.timeToLive().withIndex("a_1", 0).withIndex("b_1", 0));
  }

  private Document dated(String id, String field) {
    return Document.writer().put("_id", id).put(field, Value.date(clock.now())).build();
  }

  @Test
  void sweepSkipsTombstonesOfRefreshedDocuments() {
    try (LocalEngine engine = LocalEngine.open(store(true), clock, settings)) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(30));
      ShardOwner owner = things.owners().getFirst();
      for (int i = 0; i < 20; i++) {
        for (int id = 0; id < 10; id++) {
          things.write(new Write.Upsert(thing(id, i)));
        }
        clock.advance(Duration.ofSeconds(1));
      }
      byte[] first = firstOf(owner, Lane.INHERITED);
      engine.sweepStats();
      assertThat(owner.lanes().low(Lane.INHERITED)).isEqualTo(first);
      things.write(new Write.Delete(DocumentKey.of(Value.of(0))));
      clock.advance(Duration.ofSeconds(60));
      engine.workUntilIdle();
      assertThat(expiries(things)).hasSize(9);
      Audit.check(engine, things);
    }
  }

  @Test
  void writeDuringALaneProbeIsNotSkipped() {
    HookedStore store = new HookedStore(store(true));
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      LocalCollection things = engine.create(NAME, twoRules());
      things.insert(
          Document.writer().put("_id", "late").put("a", Value.date(clock.now() + 100_000)).build());
      store.afterScan(Space.QUEUES, 0, () -> things.insert(dated("early", "a")));
      assertThat(engine.sweepStats().nextDue()).isEqualTo(clock.now() + 100_000);
      engine.workUntilIdle();
      assertThat(expiries(things)).hasSize(1);
      clock.advance(Duration.ofSeconds(100));
      engine.workUntilIdle();
      assertThat(expiries(things)).hasSize(2);
    }
  }

  private static byte[] firstOf(ShardOwner owner, int lane) {
    Range all = Range.prefix(Layout.lanePrefix(lane));
    try (Scan scan = owner.shard().scan(Space.QUEUES, all, Direction.UP)) {
      assertThat(scan.next()).isTrue();
      return scan.key();
    }
  }

  @Test
  void pausedSweepHidesExpiredDocuments() {
    try (LocalEngine engine = LocalEngine.open(store(true), clock, settings)) {
      engine.pauseSweep();
      LocalCollection things = expired(engine, NAME, 100);
      engine.workUntilIdle();
      assertThat(expiries(things)).isEmpty();
      assertThat(things.usage()).isEqualTo(Usage.NONE);
      assertThat(things.count(new Filter.Exists(FieldPath.of("n"), true))).isZero();
      Audit.check(engine, things);
      assertThat(engine.backlog()).isEqualTo(new Usage(100, 100L * thing(1, 1).length()));
      engine.resumeSweep();
      engine.workUntilIdle();
      assertThat(expiries(things)).hasSize(100);
      assertThat(engine.backlog()).isEqualTo(Usage.NONE);
    }
  }

  @Test
  void statsReportLagAndNextDue() {
    try (LocalEngine engine = LocalEngine.open(store(true), clock, settings)) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(10));
      assertThat(engine.sweepStats().lagMillis()).isZero();
      things.insert(thing(1, 1));
      long deadline = clock.now() / 1000 * 1000 + 10_000;
      assertThat(engine.sweepStats().nextDue()).isEqualTo(deadline);
      clock.advance(Duration.ofSeconds(25));
      assertThat(engine.sweepStats().lagMillis()).isEqualTo(clock.now() - deadline);
      things.insert(thing(2, 2));
      engine.workUntilIdle();
      SweepStats after = engine.sweepStats();
      assertThat(after.lagMillis()).isZero();
      assertThat(after.nextDue()).isEqualTo(clock.now() / 1000 * 1000 + 10_000);
      assertThat(after.documents()).isEqualTo(1);
      assertThat(after.passes()).isPositive();
    }
  }

  @Test
  void sweepRunIsReportedByRule() {
    AtomicLong nanos = new AtomicLong();
    List<SweepRun> runs = new ArrayList<>();
    EngineSettings ticking =
        EngineSettings.standard(() -> nanos.addAndGet(10)).withBackground(false);
    try (LocalEngine engine = LocalEngine.open(store(true), clock, ticking)) {
      engine.onSweep(runs::add);
      expired(engine, NAME, 5000);
      assertThat(engine.work()).isTrue();
      assertThat(runs).isEmpty();
      engine.workUntilIdle();
      assertThat(runs).hasSize(1);
      SweepRun run = runs.getFirst();
      assertThat(run.namespace()).isEqualTo(NAME);
      assertThat(run.rule()).isEqualTo("default");
      assertThat(run.swept()).isEqualTo(new Usage(5000, 5000L * thing(1, 1).length()));
      SweepStats stats = engine.sweepStats();
      assertThat(stats.batches()).isEqualTo(3);
      assertThat(run.nanos()).isEqualTo(stats.sweepNanos()).isPositive();
    }
  }

  @Test
  void sweepWakesWhenTheNextDocumentIsDue() throws Exception {
    try (LocalEngine engine = LocalEngine.open(store(true), clock, settings.withBackground(true))) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(3600));
      FeedReader feed = things.feeds().getFirst();
      for (int i = 0; i < 20; i++) {
        things.insert(thing(i, i));
        long inserted = feed.end();
        clock.advance(Duration.ofHours(1));
        engine.clockMoved();
        assertThat(feed.await(inserted, Duration.ofSeconds(30))).isTrue();
        Change change = feed.read(inserted, 10).getFirst();
        assertThat(change.kind()).isEqualTo(Change.Kind.EXPIRE);
        assertThat(change.key()).isEqualTo(DocumentKey.of(Value.of(i)));
      }
    }
  }

  @Test
  void lazyIndexIsUpdatedInTheBackground() throws Exception {
    try (LocalEngine engine = LocalEngine.open(store(true), clock, settings.withBackground(true))) {
      CollectionSpec spec = CollectionSpec.mongo().withIndex(BY_N).withIndexing(IndexingMode.LAZY);
      LocalCollection things = engine.create(NAME, spec);
      for (int i = 0; i < 50; i++) {
        things.insert(thing(i, i));
        while (things.count(Filter.equal(FieldPath.of("n"), Value.of(i))) == 0) {
          Thread.onSpinWait();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void graceDelaysTheSweep(boolean drops) {
    try (LocalEngine engine = LocalEngine.open(store(drops), clock, settings)) {
      CollectionSpec spec = CollectionSpec.mongo().withIndex(BY_N);
      LocalCollection things =
          engine.create(
              NAME, spec.withTimeToLive(spec.timeToLive().withDefault(10).withGrace(5000)));
      things.insert(thing(1, 1));
      clock.advance(Duration.ofMillis(14_999));
      engine.workUntilIdle();
      assertThat(things.usage()).isEqualTo(Usage.NONE);
      assertThat(expiries(things)).isEmpty();
      clock.advance(Duration.ofMillis(1));
      engine.workUntilIdle();
      assertThat(expiries(things)).hasSize(1);
      assertThat(expiries(things).getFirst().deadline()).isEqualTo(clock.now() - 5000);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void openCursorDelaysTheSweep(boolean drops) {
    Store store = store(drops);
    try (LocalEngine engine = LocalEngine.open(store, clock, settings.withReclaimBytes(0))) {
      CollectionSpec spec = CollectionSpec.mongo().withIndex(BY_N).withDefaultTtl(10);
      LocalCollection things = engine.create(NAME, spec);
      things.insert(thing(-1, -1));
      clock.advance(Duration.ofSeconds(5));
      for (int i = 0; i < 100; i++) {
        things.insert(thing(i, i));
      }
      Filter all = new Filter.Exists(FieldPath.of("n"), true);
      try (QueryCursor byIndex = things.query(Query.of(all, spec.dialect().mode()));
          QueryCursor byScan = things.query(Query.of(Filter.all(), spec.dialect().mode()))) {
        clock.advance(Duration.ofMinutes(1));
        engine.workUntilIdle();
        store.reclaim(things.owners().getFirst().shard().number(), Space.RECORDS);
        assertThat(expiries(things)).isEmpty();
        assertThat(left(byIndex)).isEqualTo(101);
        assertThat(left(byScan)).isEqualTo(101);
      }
      assertThat(things.count(all)).isZero();
      engine.workUntilIdle();
      assertThat(expiries(things)).hasSize(101);
    }
  }

  private static int left(QueryCursor cursor) {
    int left = 0;
    while (cursor.next()) {
      left++;
    }
    return left;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void spaceIsReclaimedAfterAMassExpiry(boolean drops, @TempDir Path directory) {
    EngineSettings eager = settings.withDropInCompaction(drops).withReclaimBytes(1 << 20);
    try (RocksStore rocks = RocksStore.open(directory, small());
        LocalEngine engine = LocalEngine.open(rocks, clock, eager)) {
      assertThat(engine.dropsInCompaction()).isEqualTo(drops);
      CollectionSpec spec = CollectionSpec.mongo().withIndex(BY_N).withDefaultTtl(100);
      LocalCollection things = engine.create(NAME, spec);
      Random random = new Random(5);
      for (int i = 0; i < 5000; i++) {
        things.insert(noisy(i, random, i % 50 == 0 ? -1 : 100));
      }
      int shard = things.owners().getFirst().shard().number();
      for (Space space : Space.values()) {
        rocks.reclaim(shard, space);
      }
      long full = rocks.bytesOnDisk(shard);
      assertThat(full).isGreaterThan(5000 * 1000L);
      List<Document> staying = Audit.live(engine, things);
      clock.advance(Duration.ofSeconds(100));
      engine.workUntilIdle();
      assertThat(engine.sweepStats().documents()).isEqualTo(4900);
      assertThat(rocks.bytesOnDisk(shard)).isLessThan(full / 5);
      Audit.check(engine, things);
      assertThat(Audit.live(engine, things)).hasSize(100);
      assertThat(staying).containsAll(Audit.live(engine, things));
      assertThat(things.count(Filter.all())).isEqualTo(100);
    }
  }

  @Test
  void failedReclaimIsRetried() {
    HookedStore store = new HookedStore(store(true));
    try (LocalEngine engine = LocalEngine.open(store, clock, settings.withReclaimBytes(1))) {
      LocalCollection things = expired(engine, NAME, 100);
      store.onReclaim(
          (_, _) -> {
            throw new StoreException(StoreException.Reason.DISK_FULL, "simulated");
          });
      // among the expired ones: without it, their range would be erased, not compacted
      things.insert(Document.writer().put("_id", 50.5).put("n", 1000).build());
      for (int i = 0; i < 5; i++) {
        engine.work();
      }
      assertThat(expiries(things)).hasSize(100);
      assertThat(stored(things)).isEqualTo(101);
      assertThat(engine.alarms().count(Alarm.Kind.RECLAIM)).isOne();
      store.onReclaim((_, _) -> {});
      engine.work();
      assertThat(stored(things)).isEqualTo(1);
      assertThat(engine.alarms().raised()).isEmpty();
      Audit.check(engine, things);
    }
  }

  @Test
  void spaceDebtSurvivesARestart() {
    MemoryStore store = MemoryStore.withFilters();
    try (LocalEngine engine = LocalEngine.open(store, clock, settings)) {
      expired(engine, NAME, 100).insert(thing(-1, -1));
      engine.workUntilIdle();
    }
    try (LocalEngine engine = LocalEngine.open(store, clock, settings.withReclaimBytes(1))) {
      LocalCollection things = engine.collection(NAME);
      assertThat(stored(things)).isEqualTo(101);
      engine.work();
      assertThat(stored(things)).isEqualTo(1);
      Audit.check(engine, things);
    }
  }

  @Test
  void shardIsCompactedWhenAQuarterIsDead(@TempDir Path directory) {
    AtomicInteger reclaims = new AtomicInteger();
    try (RocksStore rocks = RocksStore.open(directory, small())) {
      HookedStore store = new HookedStore(rocks);
      store.onReclaim((_, space) -> reclaims.addAndGet(space == Space.RECORDS ? 1 : 0));
      try (LocalEngine engine = LocalEngine.open(store, clock, settings.withReclaimBytes(1))) {
        LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(60));
        int id = 0;
        for (int second = 0; second < 120; second++) {
          for (int i = 0; i < 50; i++) {
            things.insert(dull(id++));
          }
          clock.advance(Duration.ofSeconds(1));
          engine.workUntilIdle();
        }
        assertThat(engine.sweepStats().documents()).isGreaterThan(2900);
      }
    }
    assertThat(reclaims).hasValueBetween(1, 4);
  }

  @Test
  void droppedEntriesReduceTheSpaceDebt() {
    AtomicInteger reclaims = new AtomicInteger();
    MemoryStore memory = MemoryStore.withFilters();
    HookedStore store = new HookedStore(memory);
    store.onReclaim((_, _) -> reclaims.incrementAndGet());
    try (LocalEngine engine = LocalEngine.open(store, clock, settings.withReclaimBytes(1))) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(10));
      int shard = things.owners().getFirst().shard().number();
      for (int i = 0; i < 100; i++) {
        things.insert(Document.writer().put("_id", "stays" + i).put("n", i).put("ttl", -1).build());
      }
      for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 10; i++) {
          things.insert(thing(i, i));
        }
        clock.advance(Duration.ofSeconds(10));
        engine.workUntilIdle();
        engine.sync();
        engine.work();
        memory.reclaim(shard, Space.RECORDS);
      }
      assertThat(engine.sweepStats().documents()).isEqualTo(200);
      assertThat(stored(things)).isEqualTo(100);
    }
    assertThat(reclaims).hasValue(0);
  }

  /** A document that compresses well. */
  private static Document dull(int id) {
    return Document.writer().put("_id", id).put("text", "dull ".repeat(200)).build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void emptyShardIsErasedAndUsableAgain(boolean drops, @TempDir Path directory) {
    EngineSettings eager = settings.withDropInCompaction(drops).withReclaimBytes(1);
    try (RocksStore rocks = RocksStore.open(directory, small());
        LocalEngine engine = LocalEngine.open(rocks, clock, eager)) {
      CollectionSpec spec = CollectionSpec.mongo().withIndex(BY_N).withDefaultTtl(10);
      LocalCollection things = engine.create(NAME, spec);
      int shard = things.owners().getFirst().shard().number();
      Random random = new Random(5);
      for (int life = 0; life < 3; life++) {
        for (int i = 0; i < 1000; i++) {
          things.insert(noisy(i, random, 10));
        }
        rocks.reclaim(shard, Space.RECORDS);
        clock.advance(Duration.ofSeconds(10));
        engine.workUntilIdle();
        assertThat(stored(things)).isZero();
        assertThat(rocks.bytesOnDisk(shard)).isLessThan(500_000);
        things.insert(thing(-1, -1));
        engine.workUntilIdle();
        assertThat(things.count(Filter.all())).isEqualTo(1);
        Audit.check(engine, things);
        clock.advance(Duration.ofSeconds(10));
      }
    }
  }

  @Test
  void shardWithALiveDocumentIsNotErased(@TempDir Path directory) {
    try (RocksStore rocks = RocksStore.open(directory, small());
        LocalEngine engine = LocalEngine.open(rocks, clock, settings.withReclaimBytes(1))) {
      LocalCollection things =
          engine.create(NAME, CollectionSpec.mongo().withIndex(BY_N).withDefaultTtl(10));
      Random random = new Random(5);
      things.insert(noisy(-1, random, -1));
      for (int i = 0; i < 1000; i++) {
        things.insert(noisy(i, random, 10));
      }
      clock.advance(Duration.ofSeconds(10));
      engine.workUntilIdle();
      assertThat(stored(things)).isEqualTo(1);
      assertThat(things.count(Filter.equal(FieldPath.of("n"), Value.of(-1)))).isEqualTo(1);
    }
  }

  @Test
  void openCursorReadsDeletedDocumentsOfAnErasedShard(@TempDir Path directory) {
    try (RocksStore rocks = RocksStore.open(directory, small());
        LocalEngine engine = LocalEngine.open(rocks, clock, settings.withReclaimBytes(1))) {
      CollectionSpec spec = CollectionSpec.mongo().withDefaultTtl(10);
      LocalCollection things = engine.create(NAME, spec);
      Random random = new Random(5);
      things.insert(noisy(-1, random, 10));
      clock.advance(Duration.ofSeconds(9));
      things.insert(noisy(1, random, -1));
      rocks.reclaim(things.owners().getFirst().shard().number(), Space.RECORDS);
      clock.advance(Duration.ofSeconds(1));
      try (QueryCursor cursor = things.query(Query.of(Filter.all(), spec.dialect().mode()))) {
        things.write(new Write.Delete(DocumentKey.of(Value.of(1))));
        engine.workUntilIdle();
        assertThat(engine.sweepStats().documents()).isEqualTo(1);
        assertThat(left(cursor)).isEqualTo(1);
      }
    }
  }

  @Test
  void deadRangesAreErasedWithoutACompaction(@TempDir Path directory) {
    AtomicInteger reclaims = new AtomicInteger();
    try (RocksStore rocks = RocksStore.open(directory, small());
        LocalEngine engine =
            LocalEngine.open(
                new ForwardingStore(rocks) {
                  @Override
                  public void reclaim(int shard, Space space) {
                    reclaims.incrementAndGet();
                    super.reclaim(shard, space);
                  }
                },
                clock,
                settings.withReclaimBytes(1 << 20))) {
      LocalCollection things = deadThenLive(engine, rocks);
      clock.advance(Duration.ofSeconds(6));
      int shard = things.owners().getFirst().shard().number();
      assertThat(rocks.bytesOnDisk(shard, Space.RECORDS, Range.all())).isGreaterThan(4_000_000);
      List<String> files = recordFiles(rocks);
      engine.workUntilIdle();
      assertThat(engine.sweepStats().documents()).isEqualTo(3000);
      assertThat(rocks.bytesOnDisk(shard, Space.RECORDS, Range.all())).isLessThan(2_000_000);
      assertThat(recordFiles(rocks)).doesNotContainAnyElementsOf(files);
      assertThat(reclaims).hasValue(0);
      assertThat(stored(things)).isEqualTo(1000);
      assertThat(things.count(Filter.all())).isEqualTo(1000);
      Audit.check(engine, things);
    }
  }

  @Test
  void documentThatLivesOnInADeadRangeIsNotErased(@TempDir Path directory) {
    try (RocksStore rocks = RocksStore.open(directory, small());
        LocalEngine engine = LocalEngine.open(rocks, clock, settings.withReclaimBytes(1 << 20))) {
      LocalCollection things = deadThenLive(engine, rocks);
      Random random = new Random(5);
      things.write(new Write.Replace(noisy(1500, random, -1)));
      things.write(new Write.Delete(DocumentKey.of(Value.of(2500))));
      things.insert(noisy(2500, random, -1));
      clock.advance(Duration.ofSeconds(6));
      engine.workUntilIdle();
      assertThat(engine.sweepStats().documents()).isEqualTo(2998);
      for (int id : List.of(1500, 2500)) {
        assertThat(things.read(DocumentKey.of(Value.of(id)))).isPresent();
        assertThat(things.count(Filter.equal(FieldPath.of("n"), Value.of(id)))).isEqualTo(1);
      }
      assertThat(things.count(Filter.all())).isEqualTo(1002);
      Audit.check(engine, things);
    }
  }

  @Test
  void expiredDocumentsAreNotErasedBeforeTheyAreSwept(@TempDir Path directory) {
    try (RocksStore rocks = RocksStore.open(directory, small());
        LocalEngine engine = LocalEngine.open(rocks, clock, settings)) {
      LocalCollection things = deadThenLive(engine, rocks);
      clock.advance(Duration.ofSeconds(6));
      ShardOwner owner = things.owners().getFirst();
      ShardSweep sweep = new ShardSweep(owner, true, List.of(new FeedSink()));
      sweep.eraseDead();
      assertThat(stored(things)).isEqualTo(4000);
      engine.work();
      long swept = engine.sweepStats().documents();
      assertThat(swept).isBetween(1L, 2999L);
      sweep.eraseDead();
      assertThat(stored(things)).as("swept: %d", swept).isGreaterThanOrEqualTo(4000 - (int) swept);
      engine.workUntilIdle();
      // expired when it is written, at a place that the sweep has passed
      things.insert(
          Document.writer().put("_id", 1500.5).put("n", 1500).put("at", Value.date(1)).build());
      sweep.eraseDead();
      engine.workUntilIdle();
      assertThat(expiries(things)).hasSize(3001);
      assertThat(things.count(Filter.all())).isEqualTo(1000);
      Audit.check(engine, things);
    }
  }

  /** Documents with growing ids: the first 3000, in a file, expire in 5 seconds; 1000 live on. */
  private LocalCollection deadThenLive(LocalEngine engine, RocksStore rocks) {
    CollectionSpec spec =
        CollectionSpec.mongo()
            .withIndex(BY_N)
            .withIndex(IndexSpec.implicit("at_1", Part.ascending(FieldPath.of("at"))));
    LocalCollection things =
        engine.create(
            NAME, spec.withTimeToLive(spec.timeToLive().withDefault(10).withIndex("at_1", 0)));
    Random random = new Random(5);
    for (int i = 0; i < 3000; i++) {
      things.insert(noisy(i, random, 10));
    }
    rocks.reclaim(things.owners().getFirst().shard().number(), Space.RECORDS);
    for (int i = 3000; i < 4000; i++) {
      things.insert(noisy(i, random, -1));
    }
    clock.advance(Duration.ofSeconds(5));
    return things;
  }

  private static List<String> recordFiles(RocksStore rocks) {
    return rocks.tables().stream()
        .filter(table -> table.space().equals(Optional.of(Space.RECORDS)))
        .map(TableFile::name)
        .toList();
  }

  /** Counts the stored records, live or dead. */
  private static int stored(LocalCollection things) {
    int stored = 0;
    Shard shard = things.owners().getFirst().shard();
    try (Scan scan = shard.scan(Space.RECORDS, Range.all(), Direction.UP)) {
      while (scan.next()) {
        stored++;
      }
    }
    return stored;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void compactionDropsNoLiveDocument(boolean drops, @TempDir Path directory, Random random) {
    EngineSettings eager = settings.withDropInCompaction(drops).withReclaimBytes(20_000);
    try (RocksStore rocks = RocksStore.open(directory, small());
        LocalEngine engine = LocalEngine.open(rocks, clock, eager)) {
      CollectionSpec spec =
          CollectionSpec.mongo()
              .withIndex(BY_N.withUnique(true))
              .withIndex(IndexSpec.implicit("at_1", Part.ascending(FieldPath.of("at"))));
      LocalCollection things =
          engine.create(
              NAME, spec.withTimeToLive(spec.timeToLive().withDefault(20).withIndex("at_1", 5)));
      int shard = things.owners().getFirst().shard().number();
      for (int step = 0; step < 40; step++) {
        for (int i = 0; i < 50; i++) {
          writeAtRandom(things, random);
        }
        clock.advance(Duration.ofMillis(random.nextInt(4000)));
        if (random.nextInt(3) == 0) {
          engine.workUntilIdle();
        } else {
          engine.work();
        }
        if (random.nextInt(8) == 0) {
          long seconds = random.nextInt(1, 30);
          things.alter(one -> one.withDefaultTtl(seconds));
        }
        List<Document> before = Audit.live(engine, things);
        rocks.reclaim(shard, Space.RECORDS);
        rocks.reclaim(shard, Space.ENTRIES);
        assertThat(Audit.live(engine, things)).containsExactlyElementsOf(before);
        Audit.check(engine, things);
      }
    }
  }

  private void writeAtRandom(LocalCollection things, Random random) {
    int id = random.nextInt(200);
    Document document =
        Document.writer()
            .put("_id", id)
            .put("n", random.nextInt(300))
            .put("at", Value.date(clock.now() + random.nextInt(-3000, 60_000)))
            .put("ttl", random.nextInt(4) == 0 ? -1 : random.nextInt(1, 60))
            .build();
    try {
      things.write(
          random.nextInt(5) == 0
              ? new Write.Delete(DocumentKey.of(Value.of(id)))
              : new Write.Upsert(document));
    } catch (EngineException refused) {
      assertThat(refused.reason())
          .isIn(EngineException.Reason.NOT_FOUND, EngineException.Reason.DUPLICATE_KEY);
    }
  }

  private static Store store(boolean drops) {
    return drops ? MemoryStore.withFilters() : new MemoryStore();
  }

  private static RocksSettings small() {
    return RocksSettings.defaults().withCacheBytes(32 << 20);
  }

  private LocalCollection expired(LocalEngine engine, Namespace name, int count) {
    LocalCollection things = engine.create(name, CollectionSpec.mongo().withDefaultTtl(10));
    for (int i = 0; i < count; i++) {
      things.insert(thing(i, i));
    }
    clock.advance(Duration.ofSeconds(11));
    return things;
  }

  private static List<Change> expiries(LocalCollection things) {
    List<Change> expiries = new ArrayList<>(things.feeds().getFirst().read(0, Integer.MAX_VALUE));
    expiries.removeIf(change -> change.kind() != Change.Kind.EXPIRE);
    return expiries;
  }

  private static Document thing(int id, int n) {
    return Document.writer().put("_id", id).put("n", n).build();
  }

  private static Document noisy(int id, Random random, int ttl) {
    byte[] noise = new byte[1000];
    random.nextBytes(noise);
    return Document.writer()
        .put("_id", id)
        .put("n", id)
        .put("ttl", ttl)
        .put("noise", Value.binary((byte) 0, noise))
        .build();
  }
}
