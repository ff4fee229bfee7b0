package dev.mayfly.engine.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.BuildProgress;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
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
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Space;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(SeedExtension.class)
final class BuildTest {
  private static final Namespace NAME = new Namespace("db", "things");
  private static final FieldPath N = FieldPath.of("n");
  private static final FieldPath AT = FieldPath.of("at");
  private static final IndexSpec BY_N = IndexSpec.implicit("n_1", Part.ascending(N));
  private static final IndexSpec BY_AT = IndexSpec.implicit("at_1", Part.ascending(AT));
  private static final int FULL = 1000;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);

  private MemoryStore store = MemoryStore.withFilters();

  @Test
  void indexIsBuiltWhileDocumentsAreWrittenAndExpire(Random random) {
    try (LocalEngine engine = open()) {
      LocalCollection things =
          full(engine, CollectionSpec.mongo().withDefaultTtl(TimeToLive.NEVER));
      things.alter(spec -> spec.withIndex(BY_N));
      int seen = 0;
      while (!things.builds().isEmpty()) {
        assertThat(plan(things)).isEqualTo("record scan");
        assertThat(engine.work()).isTrue();
        seen += things.builds().isEmpty() ? 0 : 1;
        for (int i = 0; i < 50; i++) {
          writeAtRandom(things, random);
        }
        clock.advance(Duration.ofMillis(random.nextInt(700)));
      }
      assertThat(seen).as("slices").isGreaterThan(5);
      assertThat(plan(things)).contains("n_1");
      Audit.check(engine, things);
      engine.workUntilIdle();
      Audit.check(engine, things);
    }
  }

  private static void writeAtRandom(LocalCollection things, Random random) {
    int id = random.nextInt(-FULL / 2, FULL * 2);
    Document document =
        Document.writer()
            .put("_id", id)
            .put("n", random.nextInt(100))
            .put("at", random.nextInt())
            .put("ttl", random.nextInt(1, 20))
            .build();
    try {
      things.write(
          random.nextInt(3) == 0
              ? new Write.Delete(DocumentKey.of(Value.of(id)))
              : new Write.Upsert(document));
    } catch (EngineException refused) {
      assertThat(refused.reason()).isEqualTo(Reason.NOT_FOUND);
    }
  }

  @Test
  void buildProgressIsReportedUpTo100Percent() {
    try (LocalEngine engine = open()) {
      LocalCollection things = full(engine, CollectionSpec.mongo());
      things.alter(spec -> spec.withIndex(BY_N));
      assertThat(things.builds()).containsExactly(new BuildProgress("n_1", 0, FULL));
      int last = 0;
      for (int i = 0; i < 5; i++) {
        engine.work();
        int percent = things.builds().getFirst().percent();
        assertThat(percent).isGreaterThan(last).isLessThan(100);
        last = percent;
      }
      engine.workUntilIdle();
      assertThat(things.builds()).isEmpty();
      assertThat(things.buildFailure()).isEmpty();
    }
  }

  @Test
  void buildResumesAfterARestart() {
    LocalEngine first = open();
    LocalCollection things = full(first, CollectionSpec.mongo());
    things.alter(spec -> spec.withIndex(BY_N));
    for (int i = 0; i < 7; i++) {
      first.work();
    }
    first.close();
    store = store.reopen();
    try (LocalEngine second = open()) {
      LocalCollection again = second.collection(NAME);
      assertThat(again.builds()).hasSize(1);
      int rounds = 0;
      while (!again.builds().isEmpty()) {
        second.work();
        rounds++;
      }
      assertThat(rounds).as("only the rest was left to build").isLessThan(8);
      assertThat(plan(again)).contains("n_1");
      Audit.check(second, again);
    }
  }

  @Test
  void failedUniqueBuildDropsTheIndexAndKeepsTheReason() {
    try (LocalEngine engine = open()) {
      LocalCollection things = full(engine, CollectionSpec.mongo());
      things.insert(thing(FULL, FULL - 1));
      things.alter(spec -> spec.withIndex(BY_N.withUnique(true)));
      int index = things.state().index("n_1").orElseThrow().id();
      engine.workUntilIdle();
      assertThat(things.buildFailure().orElseThrow().reason()).isEqualTo(Reason.DUPLICATE_KEY);
      assertThat(things.spec().indexes()).isEmpty();
      assertThat(Audit.entries(owner(things), Space.ENTRIES, Layout.indexPrefix(index))).isZero();
      things.write(new Write.Delete(DocumentKey.of(Value.of(FULL))));
      things.alter(spec -> spec.withIndex(BY_N.withUnique(true)));
      engine.workUntilIdle();
      assertThat(plan(things)).contains("n_1");
      Audit.check(engine, things);
    }
  }

  @Test
  void expiredDocumentDoesNotBlockAUniqueIndexBuild() {
    try (LocalEngine engine = open()) {
      LocalCollection things =
          full(engine, CollectionSpec.mongo().withDefaultTtl(TimeToLive.NEVER));
      things.write(
          new Write.Upsert(Document.writer().put("_id", FULL).put("n", 5).put("ttl", 1).build()));
      clock.advance(Duration.ofSeconds(2));
      engine.pauseSweep();
      things.alter(spec -> spec.withIndex(BY_N.withUnique(true)));
      while (!things.builds().isEmpty()) {
        engine.work();
      }
      assertThat(things.buildFailure()).isEmpty();
      Audit.check(engine, things);
      engine.resumeSweep();
      engine.workUntilIdle();
      Audit.check(engine, things);
    }
  }

  @Test
  void uniqueKeysAreCorrectDuringABuild() {
    try (LocalEngine engine = open()) {
      LocalCollection things = full(engine, CollectionSpec.mongo());
      things.alter(spec -> spec.withIndex(BY_N.withUnique(true)));
      engine.work();
      things.insert(thing(-1, FULL - 1));
      things.write(new Write.Delete(DocumentKey.of(Value.of(FULL - 1))));
      things.insert(thing(-2, FULL - 2));
      things.write(new Write.Replace(thing(FULL - 2, -2)));
      engine.workUntilIdle();
      assertThat(things.buildFailure()).isEmpty();
      assertThatThrownBy(() -> things.insert(thing(FULL * 2, FULL - 1)))
          .isInstanceOf(EngineException.class);
      Audit.check(engine, things);
    }
  }

  @Test
  void newTtlTakesEffectWhileItsLanesAreBuilt(Random random) {
    try (LocalEngine engine = open()) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withIndex(BY_N));
      for (int i = 0; i < FULL; i++) {
        things.insert(thing(i, i));
        clock.advance(Duration.ofMillis(100));
      }
      things.alter(spec -> spec.withDefaultTtl(60));
      long live = liveByAge(60);
      assertThat(live).isBetween(FULL / 2L, FULL - 100L);
      assertThat(things.count(Filter.all())).isEqualTo(live);
      assertThat(things.count(new Filter.Exists(N, true))).isEqualTo(live);
      while (!things.builds().isEmpty()) {
        Audit.check(engine, things);
        assertThat(things.count(Filter.all())).isEqualTo(liveByAge(60));
        engine.work();
        clock.advance(Duration.ofMillis(random.nextInt(300)));
      }
      engine.workUntilIdle();
      Audit.check(engine, things);
      assertThat(things.count(Filter.all())).isEqualTo(liveByAge(60));
      assertThat(engine.sweepStats().documents()).isEqualTo(FULL - liveByAge(60));
    }
  }

  /**
   * Returns how many of the documents, written every 100 ms, are younger than a number of seconds.
   */
  private long liveByAge(long seconds) {
    long live = 0;
    for (int i = 0; i < FULL; i++) {
      long written = (1_700_000_000_000L + i * 100L) / 1000 * 1000;
      live += written + seconds * 1000 > clock.now() ? 1 : 0;
    }
    return live;
  }

  @Test
  void ttlCanBeAddedToAnIndexAndRemoved() {
    try (LocalEngine engine = open()) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withIndex(BY_AT));
      for (int i = 0; i < FULL; i++) {
        things.insert(dated(i, clock.now() + i * 1000L));
      }
      clock.advance(Duration.ofMinutes(5));
      things.alter(spec -> spec.withTimeToLive(spec.timeToLive().withIndex("at_1", 100)));
      assertThat(things.count(Filter.all())).isEqualTo(FULL - 201);
      Audit.check(engine, things);
      engine.work();
      clock.advance(Duration.ofSeconds(1));
      assertThat(things.count(Filter.all())).isEqualTo(FULL - 202);
      engine.workUntilIdle();
      Audit.check(engine, things);
      things.alter(
          spec -> spec.withTimeToLive(spec.timeToLive().withIndex("at_1", TimeToLive.OFF)));
      clock.advance(Duration.ofSeconds(1_000_000));
      engine.workUntilIdle();
      assertThat(things.count(Filter.all())).isEqualTo(FULL - 202);
      Audit.check(engine, things);
    }
  }

  @Test
  void lazyIndexIsIncompleteButNeverReturnsExpiredDocuments(Random random) {
    try (LocalEngine engine = open()) {
      LocalCollection things = lazy(engine);
      for (int i = 0; i < FULL; i++) {
        things.insert(thing(i, i));
      }
      assertThat(found(things)).isZero();
      engine.work();
      assertThat(found(things)).isBetween(1L, FULL - 1L);
      for (int i = 0; i < FULL; i += 2) {
        things.write(new Write.Replace(thing(i, i + random.nextInt(10))));
      }
      clock.advance(Duration.ofSeconds(99));
      engine.workUntilIdle();
      assertThat(found(things)).isEqualTo(FULL);
      Audit.check(engine, things);
      things.write(new Write.Replace(thing(3, 77)));
      assertThat(found(things)).isEqualTo(FULL - 1);
      clock.advance(Duration.ofSeconds(1));
      assertThat(found(things)).isZero();
      engine.workUntilIdle();
      assertThat(found(things)).isEqualTo(1);
      Audit.check(engine, things);
    }
  }

  @Test
  void ttlChangeRebuildsALazyIndex() {
    try (LocalEngine engine = open()) {
      LocalCollection things = lazy(engine);
      for (int i = 0; i < FULL; i++) {
        things.insert(thing(i, i));
      }
      engine.workUntilIdle();
      int before = things.state().index("n_1").orElseThrow().id();
      things.alter(spec -> spec.withDefaultTtl(200));
      assertThat(things.builds()).isNotEmpty();
      assertThat(things.count(new Filter.Exists(N, true))).isEqualTo(FULL);
      engine.workUntilIdle();
      assertThat(things.state().index("n_1").orElseThrow().id()).isNotEqualTo(before);
      assertThat(found(things)).isEqualTo(FULL);
      Audit.check(engine, things);
    }
  }

  @Test
  void lazyIndexIsCompletedWhenIndexingBecomesConsistent() {
    try (LocalEngine engine = open()) {
      LocalCollection things = lazy(engine);
      for (int i = 0; i < FULL; i++) {
        things.insert(thing(i, i));
      }
      things.alter(spec -> spec.withIndexing(IndexingMode.CONSISTENT));
      engine.workUntilIdle();
      assertThat(found(things)).isEqualTo(FULL);
      Audit.check(engine, things);
    }
  }

  private static LocalCollection lazy(LocalEngine engine) {
    return engine.create(
        NAME,
        CollectionSpec.mongo().withIndex(BY_N).withIndexing(IndexingMode.LAZY).withDefaultTtl(100));
  }

  @Test
  void droppedIndexLeavesNoEntries() {
    try (LocalEngine engine = open()) {
      LocalCollection things =
          full(engine, CollectionSpec.mongo().withIndex(BY_N).withIndex(BY_AT));
      int shard = owner(things).shard().number();
      int index = things.state().index("n_1").orElseThrow().id();
      long before = store.bytesOnDisk(shard);
      things.alter(spec -> spec.withoutIndex("n_1"));
      assertThat(plan(things)).isEqualTo("record scan");
      engine.workUntilIdle();
      store.reclaim(shard, Space.ENTRIES);
      assertThat(Audit.entries(owner(things), Space.ENTRIES, Layout.indexPrefix(index))).isZero();
      assertThat(store.bytesOnDisk(shard)).isLessThan(before - FULL * 20L);
      Audit.check(engine, things);
    }
  }

  @Test
  void recreatedIndexIsBuiltAgain() {
    try (LocalEngine engine = open()) {
      LocalCollection things = full(engine, CollectionSpec.mongo().withIndex(BY_N));
      things.alter(spec -> spec.withoutIndex("n_1"));
      things.write(new Write.Replace(thing(5, -5)));
      things.alter(spec -> spec.withIndex(BY_N));
      engine.workUntilIdle();
      assertThat(found(things)).isEqualTo(FULL);
      Audit.check(engine, things);
    }
  }

  @Test
  void collectionDroppedDuringABuildStaysDropped() {
    LocalEngine engine = open();
    LocalCollection things = full(engine, CollectionSpec.mongo());
    things.alter(spec -> spec.withIndex(BY_N));
    engine.work();
    engine.drop(NAME);
    assertThatThrownBy(() -> things.alter(spec -> spec.withDefaultTtl(5)))
        .isInstanceOfSatisfying(
            EngineException.class, gone -> assertThat(gone.reason()).isEqualTo(Reason.CLOSED));
    engine.workUntilIdle();
    engine.close();
    store = store.reopen();
    try (LocalEngine again = open()) {
      assertThat(again.namespaces()).isEmpty();
    }
  }

  @Test
  void spaceOfADroppedCollectionIsFreedAfterARestart(@TempDir Path directory) {
    RocksSettings small = RocksSettings.defaults().withCacheBytes(32 << 20);
    Random random = new Random(1);
    int shard;
    long before;
    try (RocksStore rocks = RocksStore.open(directory, small);
        LocalEngine engine = LocalEngine.open(rocks, clock, settings)) {
      LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withIndex(BY_N));
      for (int i = 0; i < FULL * 2; i++) {
        byte[] noise = new byte[4000];
        random.nextBytes(noise);
        things.insert(
            Document.writer()
                .put("_id", i)
                .put("n", i)
                .put("noise", Value.binary((byte) 0, noise))
                .build());
      }
      shard = owner(things).shard().number();
      rocks.reclaim(shard, Space.RECORDS);
      before = rocks.bytesOnDisk(shard);
      assertThat(before).isGreaterThan(FULL * 2 * 3000L);
      engine.drop(NAME);
      assertThat(engine.find(NAME)).isEmpty();
    }
    try (RocksStore rocks = RocksStore.open(directory, small);
        LocalEngine engine = LocalEngine.open(rocks, clock, settings)) {
      assertThat(engine.find(NAME)).isEmpty();
      engine.workUntilIdle();
      for (Space space : Space.values()) {
        rocks.reclaim(shard, space);
      }
      assertThat(rocks.bytesOnDisk(shard)).isLessThan(before / 20);
      LocalCollection again = engine.create(NAME, CollectionSpec.mongo());
      assertThat(again.usage()).isEqualTo(Usage.NONE);
    }
  }

  private LocalEngine open() {
    return LocalEngine.open(store, clock, settings);
  }

  private static LocalCollection full(LocalEngine engine, CollectionSpec spec) {
    LocalCollection things = engine.create(NAME, spec);
    for (int i = 0; i < FULL; i++) {
      things.insert(thing(i, i));
    }
    return things;
  }

  private static Document thing(int id, int n) {
    return Document.writer().put("_id", id).put("n", n).build();
  }

  private static Document dated(int id, long date) {
    return Document.writer().put("_id", id).put("at", Value.date(date)).build();
  }

  private static Query byN(LocalCollection things) {
    Filter some = new Filter.Compare(N, dev.mayfly.query.Operator.GT, Value.of(-1_000_000));
    return Query.of(some, things.spec().dialect().mode());
  }

  private static String plan(LocalCollection things) {
    try (QueryCursor cursor = things.query(byN(things))) {
      return cursor.plan();
    }
  }

  /** Returns the number of documents that a query finds by the index. */
  private static long found(LocalCollection things) {
    long found = 0;
    try (QueryCursor cursor = things.query(byN(things))) {
      assertThat(cursor.plan()).contains("n_1");
      while (cursor.next()) {
        found++;
      }
    }
    return found;
  }

  private static ShardOwner owner(LocalCollection things) {
    List<ShardOwner> owners = things.owners();
    assertThat(owners).hasSize(1);
    return owners.getFirst();
  }
}
