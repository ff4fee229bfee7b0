package dev.mayfly.engine.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Hint;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What queries examine right after most documents have expired, before any sweep. */
@ExtendWith(SeedExtension.class)
final class StormTest {
  private static final long START = 1_700_000_000_000L;
  private static final int EXPIRED = 5_000;
  private static final int LIVE = 50;
  private static final int ZONE = 1024;
  private static final FieldPath AT = FieldPath.of("at");
  private static final FieldPath N = FieldPath.of("n");

  private final ManualClock clock = new ManualClock(START);
  private final MemoryStore store = MemoryStore.withFilters();
  private LocalEngine engine = open();

  private LocalEngine open() {
    return LocalEngine.open(
        store, clock, EngineSettings.standard(clock::now).withBackground(false));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRangeOnTheFieldOfATtlIndexStartsAfterTheExpired(boolean ascending) {
    Part part = ascending ? Part.ascending(AT) : Part.descending(AT);
    LocalCollection sessions =
        sessions(
            CollectionSpec.mongo()
                .withIndex(IndexSpec.implicit("at_1", part))
                .withTimeToLive(TimeToLive.NONE.withIndex("at_1", 60)));
    for (Sort order : List.of(Sort.ascending(AT), Sort.descending(AT))) {
      Query range =
          Query.of(
                  new Filter.Compare(AT, Operator.LT, Value.date(START + 1_000_000)),
                  Dialect.MONGO.mode())
              .orderedBy(order);
      assertThat(examined(sessions, range)).isEqualTo(LIVE);
    }
  }

  @Test
  void soDoesACompoundIndexThatBeginsWithTheField() {
    LocalCollection sessions =
        sessions(
            CollectionSpec.mongo()
                .withIndex(IndexSpec.implicit("at_1", Part.ascending(AT)))
                .withIndex(
                    IndexSpec.implicit(
                        "at_n", Part.ascending(AT), Part.ascending(FieldPath.of("n"))))
                .withTimeToLive(TimeToLive.NONE.withIndex("at_1", 60)));
    Query all =
        Query.of(Filter.all(), Dialect.MONGO.mode())
            .orderedBy(Sort.ascending(AT), Sort.ascending(FieldPath.of("n")));
    assertThat(examined(sessions, all)).isEqualTo(LIVE);
  }

  @Test
  void anIndexOfOtherDocumentsThanThoseThatExpireIsReadWhole() {
    LocalCollection sessions =
        sessions(
            CollectionSpec.mongo()
                .withIndex(
                    IndexSpec.implicit("partial", Part.ascending(AT))
                        .withPartial(new Filter.Exists(FieldPath.of("some"), true)))
                .withIndex(
                    IndexSpec.implicit(
                        "at_n", Part.ascending(AT), Part.ascending(FieldPath.of("n"))))
                .withTimeToLive(TimeToLive.NONE.withIndex("partial", 60)));
    Query all =
        Query.of(Filter.all(), Dialect.MONGO.mode())
            .orderedBy(Sort.ascending(AT), Sort.ascending(FieldPath.of("n")));
    assertThat(examined(sessions, all)).isEqualTo(EXPIRED + LIVE);
  }

  @Test
  void aScanOfDatedIdsStartsAfterTheExpired() {
    LocalCollection sessions =
        engine.create(
            new Namespace("db", "clustered"),
            CollectionSpec.mongo().withTimeToLive(TimeToLive.NONE.withId(60)));
    fill(sessions, "_id");
    clock.advance(Duration.ofMinutes(2));
    try (QueryCursor cursor = sessions.query(Query.of(Filter.all(), Dialect.MONGO.mode()))) {
      int found = 0;
      while (cursor.next()) {
        found++;
      }
      assertThat(found).isEqualTo(LIVE);
      assertThat(cursor.documentsExamined()).isEqualTo(LIVE);
    }
  }

  /** Ids and numbers that grow, as object ids and times do. */
  private LocalCollection queue() {
    LocalCollection queue =
        engine.create(
            new Namespace("db", "queue"),
            CollectionSpec.mongo()
                .withIndex(IndexSpec.implicit("n_1", Part.ascending(N)))
                .withDefaultTtl(60));
    insert(queue, EXPIRED, i -> numbered(i).build());
    clock.advance(Duration.ofSeconds(30));
    insert(queue, LIVE, i -> numbered(EXPIRED + i).build());
    clock.advance(Duration.ofSeconds(30));
    return queue;
  }

  private static DocumentWriter numbered(int n) {
    return Document.writer().put("_id", n).put("n", n);
  }

  private static final Query SCAN = Query.of(Filter.all(), Dialect.MONGO.mode());
  private static final Query BACK = SCAN.withHint(new Hint.Natural(true));
  private static final Query BY_N = SCAN.orderedBy(Sort.ascending(N));
  private static final Query BY_N_BACK = SCAN.orderedBy(Sort.descending(N));

  @Test
  void scansSkipExpiredDocumentsThatLieTogether() {
    LocalCollection queue = queue();
    for (Query query : List.of(SCAN, BACK, SCAN.inAnyOrder(), BY_N, BY_N_BACK)) {
      assertThat(ids(queue, query)).hasSize(LIVE);
      assertThat(looks(queue, query)).as("%s", query).isLessThan(LIVE + 100);
    }
    engine.workUntilIdle();
    for (Query query : List.of(SCAN, BACK, SCAN.inAnyOrder(), BY_N, BY_N_BACK)) {
      assertThat(looks(queue, query)).as("%s", query).isLessThan(LIVE + 2 * ZONE);
    }
  }

  @Test
  void aDocumentWithoutDatesIsFoundAfterDocumentsWithDifferentDates() {
    FieldPath other = FieldPath.of("other");
    LocalCollection queue =
        engine.create(
            new Namespace("db", "queue"),
            CollectionSpec.mongo()
                .withIndex(IndexSpec.implicit("n_1", Part.ascending(N)))
                .withIndex(IndexSpec.implicit("at_1", Part.ascending(AT)))
                .withIndex(IndexSpec.implicit("other_1", Part.ascending(other)))
                .withTimeToLive(TimeToLive.NONE.withIndex("at_1", 0).withIndex("other_1", 0)));
    Value soon = Value.date(START + 1000);
    insert(queue, 100, i -> numbered(i).put("at", soon).build());
    queue.insert(Document.writer().put("_id", 7.5).put("n", 7.5).put("other", soon).build());
    queue.insert(numbered(100).build());
    insert(queue, 100, i -> numbered(101 + i).put("at", soon).build());
    clock.advance(Duration.ofSeconds(2));
    for (Query query : List.of(SCAN, BACK, SCAN.inAnyOrder(), BY_N, BY_N_BACK)) {
      assertThat(ids(queue, query)).as("%s", query).containsExactly(100.0);
    }
  }

  @Test
  void whatIsWrittenAmongThemIsFound() {
    LocalCollection queue = queue();
    queue.insert(numbered(17).build());
    queue.insert(Document.writer().put("_id", 3.5).put("n", 2_000.5).put("ttl", -1).build());
    for (Query query : List.of(SCAN, BACK, SCAN.inAnyOrder(), BY_N, BY_N_BACK)) {
      assertThat(ids(queue, query)).as("%s", query).hasSize(LIVE + 2).contains(3.5, 17.0);
    }
  }

  @Test
  void scansSkipThemAfterARestart() {
    queue();
    LocalCollection queue = restarted("queue");
    for (Query query : List.of(SCAN, BACK, SCAN.inAnyOrder(), BY_N, BY_N_BACK)) {
      assertThat(ids(queue, query)).hasSize(LIVE);
      assertThat(looks(queue, query)).as("%s", query).isLessThan(LIVE + 100);
    }
    queue.insert(numbered(17).build());
    assertThat(ids(queue, SCAN)).hasSize(LIVE + 1).contains(17.0);
    assertThat(ids(queue, BY_N_BACK)).hasSize(LIVE + 1).contains(17.0);
  }

  private LocalCollection restarted(String name) {
    engine.close();
    engine = open();
    engine.pauseSweep();
    engine.workUntilIdle();
    return engine.collection(new Namespace("db", name));
  }

  @Test
  void scansSkipThemAfterAChangeOfTheRules() {
    LocalCollection queue = queue();
    engine.pauseSweep();
    queue.alter(
        spec ->
            spec.withIndex(IndexSpec.implicit("at_1", Part.ascending(AT)))
                .withTimeToLive(spec.timeToLive().withIndex("at_1", 0)));
    engine.workUntilIdle();
    for (Query query : List.of(SCAN, BACK, SCAN.inAnyOrder(), BY_N, BY_N_BACK)) {
      assertThat(looks(queue, query)).as("%s", query).isLessThan(LIVE + 100);
      assertThat(ids(queue, query)).hasSize(LIVE);
    }
  }

  @Test
  void scansSkipIdsInAnyOrderWhenAllHaveExpired(Random random) {
    LocalCollection things =
        engine.create(new Namespace("db", "things"), CollectionSpec.mongo().withDefaultTtl(60));
    insert(things, EXPIRED, i -> numbered((i * 7919 + 17) % EXPIRED).build());
    clock.advance(Duration.ofMinutes(2));
    engine.pauseSweep();
    for (Query query : List.of(SCAN, BACK, SCAN.inAnyOrder())) {
      assertThat(looks(things, query)).as("%s", query).isLessThan(100);
    }
    things = restarted("things");
    int id = random.nextInt(EXPIRED);
    things.write(
        List.of(new Write.Upsert(numbered(id).build(), Write.ANY_VERSION)),
        Grouping.ORDERED,
        Durability.LOGGED);
    for (Query query : List.of(SCAN, BACK, SCAN.inAnyOrder())) {
      assertThat(ids(things, query)).containsExactly((double) id);
      assertThat(looks(things, query)).as("%s", query).isLessThan(2 * ZONE);
    }
  }

  /** Of 600 documents one lives on, so that no zone expires as a whole. */
  @Test
  void whoMeetsThemFirstShowsOthersTheWay() {
    LocalCollection queue =
        engine.create(
            new Namespace("db", "queue"),
            CollectionSpec.mongo()
                .withIndex(IndexSpec.implicit("n_1", Part.ascending(N)))
                .withDefaultTtl(60));
    insert(queue, EXPIRED, i -> numbered(i).put("ttl", i % 600 == 599 ? -1 : 60).build());
    int live = EXPIRED / 600;
    clock.advance(Duration.ofMinutes(2));
    engine.pauseSweep();
    engine.workUntilIdle();
    for (Query query : List.of(SCAN, BY_N_BACK)) {
      long before = looks(queue, query);
      for (int i = 0; i < 2 * live; i++) {
        engine.workUntilIdle();
        assertThat(ids(queue, query)).hasSize(live);
      }
      assertThat(looks(queue, query)).isLessThan(before / 3);
    }
  }

  /** Documents of many lives in blocks, written, touched and deleted at random. */
  @Test
  void noLiveDocumentIsSkipped(Random random) {
    LocalCollection queue =
        engine.create(
            new Namespace("db", "queue"),
            CollectionSpec.mongo()
                .withIndex(IndexSpec.implicit("n_1", Part.ascending(N)))
                .withIndex(IndexSpec.implicit("at_1", Part.ascending(AT)))
                .withTimeToLive(TimeToLive.NONE.withDefault(20).withIndex("at_1", 0)));
    int id = 0;
    for (int round = 0; round < 25; round++) {
      List<Write> writes = new ArrayList<>();
      for (int i = random.nextInt(4_000); i > 0; i--) {
        DocumentWriter document = numbered(id++);
        if (round % 3 == 0) {
          document.put("at", Value.date(clock.now() + random.nextInt(10_000)));
        } else if (round % 5 == 0) {
          document.put("ttl", random.nextInt(1_000) == 0 ? -1 : 1 + random.nextInt(10));
        }
        writes.add(new Write.Insert(document.build()));
      }
      for (int i = random.nextInt(20); i > 0; i--) {
        writes.add(new Write.Upsert(numbered(random.nextInt(id + 1)).build(), Write.ANY_VERSION));
        writes.add(
            new Write.Delete(DocumentKey.of(Value.of(random.nextInt(id + 1))), Write.ANY_VERSION));
      }
      queue.write(writes, Grouping.UNORDERED, Durability.LOGGED);
      clock.advance(Duration.ofMillis(random.nextInt(6_000)));
      check(queue, id, random);
      if (random.nextInt(4) == 0) {
        engine.workUntilIdle();
        check(queue, id, random);
      } else if (random.nextInt(10) == 0) {
        engine.close();
        engine = open();
        queue = engine.collection(new Namespace("db", "queue"));
      } else if (random.nextInt(6) == 0) {
        long seconds = 5L + random.nextInt(30);
        queue.alter(spec -> spec.withTimeToLive(spec.timeToLive().withDefault(seconds)));
      }
    }
  }

  private static void check(LocalCollection queue, int highest, Random random) {
    Set<Double> live = new HashSet<>();
    for (int id = 0; id <= highest; id++) {
      if (queue.read(DocumentKey.of(Value.of(id))).isPresent()) {
        live.add((double) id);
      }
    }
    for (Query query : List.of(SCAN, BACK, SCAN.inAnyOrder(), BY_N, BY_N_BACK)) {
      assertThat(ids(queue, query)).as("%s", query).isEqualTo(live);
    }
    int low = random.nextInt(highest + 1);
    Query range =
        Query.of(new Filter.Compare(N, Operator.GTE, Value.of(low)), Dialect.MONGO.mode());
    assertThat(ids(queue, range))
        .isEqualTo(live.stream().filter(id -> id >= low).collect(Collectors.toSet()));
    assertThat(queue.count(Filter.all())).isEqualTo(live.size());
  }

  private static Set<Double> ids(LocalCollection collection, Query query) {
    Set<Double> ids = new HashSet<>();
    try (QueryCursor cursor = collection.query(query)) {
      while (cursor.next()) {
        assertThat(ids.add(cursor.document().field("_id").asDouble())).isTrue();
      }
    }
    return ids;
  }

  private static long looks(LocalCollection collection, Query query) {
    try (QueryCursor cursor = collection.query(query)) {
      while (cursor.next()) {
        assertThat(cursor.document()).isNotNull();
      }
      return Math.max(cursor.explain().keysExamined(), cursor.documentsExamined());
    }
  }

  private LocalCollection sessions(CollectionSpec spec) {
    LocalCollection sessions = engine.create(new Namespace("db", "sessions"), spec);
    fill(sessions, "at");
    clock.advance(Duration.ofMinutes(2));
    return sessions;
  }

  private void fill(LocalCollection collection, String dated) {
    insert(collection, EXPIRED, i -> document(i, dated, START - i));
    insert(collection, LIVE, i -> document(EXPIRED + i, dated, START + 500_000 + i));
  }

  private static Document document(int n, String dated, long date) {
    return dated.equals("_id")
        ? Document.writer().put("_id", Value.date(date)).put("n", n).build()
        : Document.writer().put("_id", n).put("n", n).put(dated, Value.date(date)).build();
  }

  private static void insert(
      LocalCollection collection, int count, IntFunction<Document> documents) {
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writes.add(new Write.Insert(documents.apply(i)));
    }
    collection.write(writes, Grouping.ORDERED, Durability.LOGGED);
  }

  private static long examined(LocalCollection collection, Query query) {
    try (QueryCursor cursor = collection.query(query)) {
      assertThat(cursor.plan()).startsWith("index");
      int found = 0;
      while (cursor.next()) {
        found++;
      }
      Explanation explanation = cursor.explain();
      assertThat(explanation.keysExamined()).isGreaterThanOrEqualTo(found);
      return explanation.keysExamined();
    }
  }
}
