package dev.mayfly.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Counts of documents by the place at which they expire: exact, and without reading documents. */
@ExtendWith(SeedExtension.class)
final class LaneBucketsTest {
  private static final long START = 1_700_000_000_000L;
  private static final Namespace NAME = new Namespace("db", "sessions");
  private static final CollectionSpec BY_DATE =
      CollectionSpec.mongo()
          .withIndex(IndexSpec.implicit("at_1", Part.ascending(FieldPath.of("at"))))
          .withTimeToLive(TimeToLive.NONE.withIndex("at_1", 0));

  private final ManualClock clock = new ManualClock(START);
  private final HookedStore store = new HookedStore(MemoryStore.withFilters());
  private LocalEngine engine = open();

  private LocalEngine open() {
    return LocalEngine.open(
        store, clock, EngineSettings.standard(clock::now).withBackground(false));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aCountRightAfterAMassExpiryReadsNothing() {
    LocalCollection sessions = engine.create(NAME, BY_DATE);
    insert(sessions, 0, 5_000, START + 1000);
    insert(sessions, 5_000, 50, START + 1001);
    clock.advance(Duration.ofSeconds(1));
    forbidReading();
    assertThat(sessions.count(Filter.all())).isEqualTo(50);
    assertThat(sessions.expiry().forecast(START + 1001).total().documents()).isEqualTo(50);
    allowReading();
    engine.workUntilIdle();
    forbidReading();
    assertThat(sessions.count(Filter.all())).isEqualTo(50);
    allowReading();
    Audit.check(engine, sessions);
  }

  @Test
  void soDoesACountOfDocumentsThatInheritOrHaveTheirTtl() {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p").withDefaultTtl(10));
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      Document own =
          i % 3 == 0 ? item(i).build() : item(i).put("ttl", i % 3 == 1 ? 20 : -1).build();
      writes.add(new Write.Insert(own));
    }
    items.write(writes, Grouping.ORDERED, Durability.LOGGED);
    for (long left : List.of(3_000, 2_000, 1_000)) {
      forbidReading();
      assertThat(items.count(Filter.all())).isEqualTo(left);
      allowReading();
      clock.advance(Duration.ofSeconds(10));
    }
    Audit.check(engine, items);
  }

  @Test
  void aDocumentInSeveralLanesCountsOnce() {
    LocalCollection sessions =
        engine.create(NAME, BY_DATE.withTimeToLive(BY_DATE.timeToLive().withDefault(10)));
    insert(sessions, 0, 500, START + 5_000);
    insert(sessions, 500, 500, START + 50_000);
    insert(sessions, 1_000, 500, START + 10_000);
    for (long left : List.of(1_500, 1_000, 0)) {
      forbidReading();
      assertThat(sessions.count(Filter.all())).isEqualTo(left);
      allowReading();
      clock.advance(Duration.ofSeconds(5));
      if (left == 1_000) {
        engine.workUntilIdle();
      }
    }
    Audit.check(engine, sessions);
  }

  @Test
  void afterARestartTheLanesAreReadOnceInTheBackground() {
    LocalCollection sessions = engine.create(NAME, BY_DATE);
    insert(sessions, 0, 5_000, START + 1000);
    insert(sessions, 5_000, 50, START + 2000);
    engine.close();
    engine = open();
    sessions = engine.collection(NAME);
    assertThat(sessions.count(Filter.all())).isEqualTo(5_050);
    engine.work();
    insert(sessions, 6_000, 10, START + 1000);
    sessions.write(new Write.Delete(DocumentKey.of(Value.of(1))));
    engine.workUntilIdle();
    clock.advance(Duration.ofSeconds(1));
    forbidReading();
    assertThat(sessions.count(Filter.all())).isEqualTo(50);
    allowReading();
    Audit.check(engine, sessions);
  }

  /** More places than buckets: some cover several places, and must be read at their edges. */
  @Test
  void countsAreExactWhenBucketsAreJoined(Random random) {
    LocalCollection sessions = engine.create(NAME, BY_DATE);
    Map<Integer, Long> places = new HashMap<>();
    int id = 0;
    for (int round = 0; round < 12; round++) {
      List<Write> writes = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        long at = clock.now() + (i % 10 == 0 ? 500 : random.nextInt(20_000));
        places.put(id, at);
        writes.add(new Write.Insert(session(id++, at)));
      }
      for (int i = 0; i < 300; i++) {
        int victim = random.nextInt(id);
        Long at = places.get(victim);
        if (at != null && at > clock.now()) {
          places.remove(victim);
          writes.add(new Write.Delete(DocumentKey.of(Value.of(victim))));
        }
      }
      sessions.write(writes, Grouping.ORDERED, Durability.LOGGED);
      clock.advance(Duration.ofMillis(random.nextInt(2_500)));
      check(sessions, places, random);
      if (round % 3 == 1) {
        engine.workUntilIdle();
      }
    }
    Audit.check(engine, sessions);
  }

  private void check(LocalCollection sessions, Map<Integer, Long> places, Random random) {
    long now = clock.now();
    assertThat(sessions.count(Filter.all())).isEqualTo(between(places, now, Long.MAX_VALUE));
    long until = now + random.nextInt(20_000);
    assertThat(sessions.expiry().forecast(until).total().documents())
        .isEqualTo(between(places, now, until));
    int seconds = random.nextInt(20);
    assertThat(
            sessions
                .expiry()
                .whatIf(spec -> spec.withTimeToLive(TimeToLive.NONE.withIndex("at_1", seconds)))
                .documents())
        .isZero();
  }

  private static long between(Map<Integer, Long> places, long after, long until) {
    return places.values().stream().filter(at -> at > after && at <= until).count();
  }

  private void forbidReading() {
    store.onScan(_ -> fail("a shard is scanned"));
    store.beforeNextSnapshotScan(() -> fail("a snapshot is scanned"));
  }

  private void allowReading() {
    store.onScan(_ -> {});
    store.beforeNextSnapshotScan(() -> {});
  }

  private static void insert(LocalCollection collection, int first, int count, long at) {
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writes.add(new Write.Insert(session(first + i, at)));
    }
    collection.write(writes, Grouping.ORDERED, Durability.LOGGED);
  }

  private static Document session(int id, long at) {
    return Document.writer().put("_id", id).put("at", Value.date(at)).build();
  }

  private static DocumentWriter item(int id) {
    return Document.writer().put("id", "i" + id).put("p", "p");
  }
}
