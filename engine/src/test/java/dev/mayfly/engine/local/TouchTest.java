package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.ExpiryService.NewLife;
import dev.mayfly.engine.ExpiryService.Touch;
import dev.mayfly.engine.ExpiryService.Touched;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Other deadlines for many documents at once. */
final class TouchTest {
  private static final long START = 1_700_000_000_250L;
  private static final Query ALL = Query.of(Filter.all(), Mode.MATCH);

  private final ManualClock clock = new ManualClock(START);

  @AutoClose
  private final LocalEngine engine =
      LocalEngine.open(
          MemoryStore.withFilters(),
          clock,
          EngineSettings.standard(clock::now).withBackground(false));

  private Collection create(TimeToLive ttl) {
    IndexSpec at = IndexSpec.implicit("at_1", Part.ascending(FieldPath.of("a.at")));
    return engine.create(
        new Namespace("d", "c"), CollectionSpec.mongo().withIndex(at).withTimeToLive(ttl));
  }

  private static Document document(int id) {
    return Document.writer().put("_id", id).put("n", id % 2).build();
  }

  private static Document dated(int id, Value time) {
    return Document.writer().put("_id", id).startDocument("a").put("at", time).end().build();
  }

  private static long deadline(Collection collection, int id) {
    return collection.read(DocumentKey.of(Value.of(id))).orElseThrow().deadline();
  }

  private static Query odd() {
    return Query.of(Filter.equal(FieldPath.of("n"), Value.of(1)), Mode.MATCH);
  }

  private static Touched touch(Collection collection, Query query, NewLife life) {
    return collection.expiry().touch(query, Touch.of(life), () -> false);
  }

  @Test
  void livesSinceTheLastWriteStartAgain() {
    Collection collection = create(TimeToLive.NONE.withDefault(10));
    for (int i = 0; i < 1200; i++) {
      collection.insert(document(i));
    }
    clock.advance(Duration.ofSeconds(5));
    Touched touched = touch(collection, odd(), new NewLife.Restarted());
    assertThat(touched.matched()).isEqualTo(600);
    assertThat(touched.touched()).isEqualTo(600);
    assertThat(touched.complete()).isTrue();
    assertThat(touched.charge()).isPositive();
    assertThat(deadline(collection, 0)).isEqualTo(1_700_000_010_000L);
    assertThat(deadline(collection, 1)).isEqualTo(1_700_000_015_000L);
    assertThat(collection.read(DocumentKey.of(Value.of(1))).orElseThrow().document())
        .isEqualTo(document(1));
    clock.advance(Duration.ofSeconds(5));
    assertThat(collection.count(Filter.all())).isEqualTo(600);
    engine.workUntilIdle();
    assertThat(collection.count(Filter.all())).isEqualTo(600);
  }

  @Test
  void deadlinesAreSetWithTtl() {
    Collection collection = create(TimeToLive.NONE.withDefault(TimeToLive.NEVER));
    collection.insert(document(1));
    touch(collection, ALL, new NewLife.Until(START + 60_000));
    assertThat(deadline(collection, 1)).as("rounded up").isEqualTo(1_700_000_061_000L);
    touch(collection, ALL, new NewLife.Extended(30_000));
    assertThat(deadline(collection, 1)).isEqualTo(1_700_000_091_000L);
    clock.advance(Duration.ofSeconds(50));
    touch(collection, ALL, new NewLife.Extended(30_000));
    assertThat(deadline(collection, 1)).isEqualTo(1_700_000_121_000L);
    touch(collection, ALL, new NewLife.Until(Deadline.NEVER));
    assertThat(deadline(collection, 1)).isEqualTo(Deadline.NEVER);
    assertThat(touch(collection, ALL, new NewLife.Restarted()).touched()).isZero();
    assertThat(touch(collection, ALL, new NewLife.Extended(1000)))
        .extracting(Touched::matched, Touched::touched)
        .containsExactly(1L, 0L);
  }

  @ParameterizedTest
  @CsvSource({"DATE, 0", "SECONDS, 0", "MILLISECONDS, 0", "ISO_8601, 0"})
  void deadlinesAreSetInTheFieldOfAnIndex(TimeFormat format, long rounding) {
    Collection collection =
        create(TimeToLive.NONE.withIndex("at_1", 10).withIndexFormat("at_1", format));
    collection.insert(document(1));
    touch(collection, ALL, new NewLife.Until(START + 60_007));
    assertThat(deadline(collection, 1) - rounding).isEqualTo(START + 60_007);
    touch(collection, ALL, new NewLife.Extended(5_000));
    assertThat(deadline(collection, 1)).isEqualTo(START + 65_007);
    touch(collection, ALL, new NewLife.Restarted());
    assertThat(deadline(collection, 1)).isEqualTo(START + 10_000);
  }

  @Test
  void deadlinesAreSetInAProperty() {
    Collection collection = create(TimeToLive.NONE.withDefault(10).withProperty("a.at"));
    collection.insert(document(1));
    collection.insert(Document.writer().putAll(document(3)).put("ttl", 20).build());
    assertThat(touch(collection, ALL, new NewLife.Until(START + 60_000)).touched()).isEqualTo(2);
    assertThat(deadline(collection, 1)).isEqualTo(1_700_000_061_000L);
    assertThat(deadline(collection, 3)).isEqualTo(1_700_000_061_000L);
    touch(collection, ALL, new NewLife.Extended(7_000));
    assertThat(deadline(collection, 3)).isEqualTo(1_700_000_068_000L);
  }

  @Test
  void timesInArraysAndWrongValuesStay() {
    Collection collection = create(TimeToLive.NONE.withIndex("at_1", 10));
    Value array = Value.array(List.of(Value.date(START), Value.date(START + 1)));
    collection.insert(dated(1, array));
    collection.insert(dated(2, Value.of("soon")));
    collection.insert(Document.writer().put("_id", 3).put("a", 7).build());
    Touched extended = touch(collection, ALL, new NewLife.Extended(1000));
    assertThat(extended.matched()).isEqualTo(3);
    assertThat(extended.touched()).isZero();
    assertThat(touch(collection, ALL, new NewLife.Until(START + 5000)).touched()).isEqualTo(1);
    assertThat(deadline(collection, 2)).isEqualTo(START + 5000);
    assertThat(deadline(collection, 1)).isEqualTo(START + 10_000);
    assertThat(deadline(collection, 3)).isEqualTo(Deadline.NEVER);
  }

  @Test
  void documentsOutsideAPartialIndexStayAsTheyAre() {
    IndexSpec odd =
        IndexSpec.implicit("at_1", Part.ascending(FieldPath.of("a.at")))
            .withPartial(Filter.equal(FieldPath.of("n"), Value.of(1)));
    Collection collection =
        engine.create(
            new Namespace("d", "partial"),
            CollectionSpec.mongo()
                .withIndex(odd)
                .withTimeToLive(TimeToLive.NONE.withIndex("at_1", 10)));
    collection.insert(document(1));
    collection.insert(document(2));
    Touched touched = touch(collection, ALL, new NewLife.Restarted());
    assertThat(touched.matched()).isEqualTo(2);
    assertThat(touched.touched()).isEqualTo(1);
    assertThat(deadline(collection, 1)).isEqualTo(START + 10_000);
    assertThat(collection.read(DocumentKey.of(Value.of(2))).orElseThrow().document())
        .isEqualTo(document(2));
  }

  @Test
  void stoppedRunIsContinuedWithoutExtendingTwice() {
    Collection collection = create(TimeToLive.NONE.withIndex("at_1", 10));
    for (int i = 0; i < 1700; i++) {
      collection.insert(dated(i, Value.date(START + i)));
    }
    NewLife longer = new NewLife.Extended(100_000);
    AtomicInteger slices = new AtomicInteger();
    Touched first =
        collection.expiry().touch(ALL, Touch.of(longer), () -> slices.incrementAndGet() > 2);
    assertThat(first.complete()).isFalse();
    assertThat(first.touched()).isEqualTo(1000);
    Touched rest =
        collection.expiry().touch(ALL, Touch.of(longer).continuing(first.began()), () -> false);
    assertThat(rest.complete()).isTrue();
    assertThat(rest.touched()).isEqualTo(700);
    for (int i = 0; i < 1700; i++) {
      assertThat(deadline(collection, i)).isEqualTo(START + i + 110_000);
    }
  }

  @Test
  void interruptedRunFailsBetweenSlices() {
    Collection collection = create(TimeToLive.NONE.withDefault(10));
    for (int i = 0; i < 600; i++) {
      collection.insert(document(i));
    }
    clock.advance(Duration.ofSeconds(2));
    AtomicInteger checks = new AtomicInteger();
    OperationContext killed =
        OperationContext.begin(
            clock::now,
            () -> {
              if (checks.incrementAndGet() > 1) {
                throw new IllegalStateException("killed");
              }
            });
    assertThatThrownBy(
            () ->
                collection
                    .expiry(killed)
                    .touch(ALL, Touch.of(new NewLife.Restarted()), () -> false))
        .hasMessage("killed");
    List<Long> deadlines = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      deadlines.add(deadline(collection, i));
    }
    assertThat(deadlines).contains(1_700_000_010_000L, 1_700_000_012_000L);
  }

  /** Compares deadlines with those that follow from the old ones, document by document. */
  @Test
  void deadlinesAgreeWithBruteForce() {
    Random random = new Random(8);
    for (int round = 0; round < 40; round++) {
      TimeToLive ttl = randomRule(random);
      Collection collection = create(ttl);
      int count = 1 + random.nextInt(40);
      for (int i = 0; i < count; i++) {
        collection.insert(randomDocument(random, i, ttl));
      }
      clock.advance(Duration.ofMillis(random.nextInt(3000)));
      NewLife life =
          switch (random.nextInt(3)) {
            case 0 -> new NewLife.Restarted();
            case 1 -> new NewLife.Until(clock.now() + 1 + random.nextInt(100_000));
            default -> new NewLife.Extended(1 + random.nextInt(100_000));
          };
      List<Long> expected = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        expected.add(expected(collection, i, ttl, life));
      }
      Touched touched = touch(collection, odd(), life);
      assertThat(touched.touched()).isLessThanOrEqualTo(touched.matched());
      for (int i = 0; i < count; i++) {
        Optional<StoredDocument> after = collection.read(DocumentKey.of(Value.of(i)));
        assertThat(after.map(StoredDocument::deadline).orElse(GONE))
            .as("round %s, %s of %s, %s", round, life, ttl, after)
            .isEqualTo(expected.get(i));
      }
      engine.drop(new Namespace("d", "c"));
    }
  }

  private static final long GONE = -1;

  private static TimeToLive randomRule(Random random) {
    TimeFormat format =
        List.of(TimeFormat.DATE, TimeFormat.SECONDS, TimeFormat.MILLISECONDS, TimeFormat.ISO_8601)
            .get(random.nextInt(4));
    return switch (random.nextInt(4)) {
      case 0 -> TimeToLive.NONE.withDefault(1 + random.nextInt(10));
      case 1 -> TimeToLive.NONE.withDefault(TimeToLive.NEVER);
      case 2 ->
          TimeToLive.NONE
              .withDefault(1 + random.nextInt(10))
              .withProperty("a.at")
              .withPropertyFormat(format);
      default ->
          TimeToLive.NONE.withIndex("at_1", 1 + random.nextInt(10)).withIndexFormat("at_1", format);
    };
  }

  private Document randomDocument(Random random, int id, TimeToLive ttl) {
    long time = clock.now() + random.nextInt(5000);
    TimeFormat format = ttl.property().isEmpty() ? ttl.indexFormat("at_1") : ttl.propertyFormat();
    Value value =
        switch (format) {
          case DATE, OBJECT_ID -> Value.date(time);
          case SECONDS -> Value.of(time / 1000);
          case MILLISECONDS -> Value.of(time);
          case ISO_8601 -> Value.of(java.time.Instant.ofEpochMilli(time).toString());
        };
    Document base =
        random.nextInt(4) == 0
            ? document(id)
            : Document.writer()
                .putAll(dated(id, random.nextInt(10) == 0 ? Value.TRUE : value))
                .put("n", id % 2)
                .build();
    return random.nextInt(3) == 0
        ? Document.writer().putAll(base).put("ttl", 1 + random.nextInt(10)).build()
        : base;
  }

  private long expected(Collection collection, int id, TimeToLive ttl, NewLife life) {
    Optional<StoredDocument> stored = collection.read(DocumentKey.of(Value.of(id)));
    if (stored.isEmpty()) {
      return GONE;
    }
    long old = stored.get().deadline();
    boolean inField = !ttl.hasDefault() || !ttl.property().isEmpty();
    Value own = stored.get().document().field("ttl");
    long seconds =
        ttl.hasDefault()
            ? own.isMissing() ? ttl.defaultSeconds() : own.asLong()
            : ttl.indexes().getOrDefault("at_1", 0L);
    boolean whole = !inField || (ttl.hasDefault() && ttl.propertyFormat() == TimeFormat.SECONDS);
    if (id % 2 == 0) {
      return old;
    }
    return switch (life) {
      case NewLife.Until(long deadline) -> whole ? up(deadline) : deadline;
      case NewLife.Extended(long by) ->
          old == Deadline.NEVER ? old : whole ? up(old + by) : old + by;
      case NewLife.Restarted() -> {
        if (!inField && old == Deadline.NEVER) {
          yield old;
        }
        long start = inField ? (whole ? up(clock.now()) : clock.now()) : clock.now() / 1000 * 1000;
        yield start + seconds * 1000;
      }
    };
  }

  private static long up(long millis) {
    return Math.ceilDiv(millis, 1000) * 1000;
  }

  @Test
  void expiredDocumentsStayExpired() {
    Collection collection = create(TimeToLive.NONE.withDefault(10));
    collection.insert(document(1));
    clock.advance(Duration.ofSeconds(10));
    Touched touched = touch(collection, ALL, new NewLife.Restarted());
    assertThat(touched.matched()).isZero();
    assertThat(collection.count(Filter.all())).isZero();
  }

  @Test
  void impossibleDeadlinesAreRejected() {
    Collection none = create(TimeToLive.NONE);
    assertRejected(none, Touch.of(new NewLife.Restarted()), "no TTL rule");
    none.alter(spec -> spec.withTimeToLive(TimeToLive.NONE.withDefault(10).withIndex("at_1", 0)));
    assertRejected(none, Touch.of(new NewLife.Restarted()), "name one of default, index:at_1");
    Touch byIndex = Touch.of(new NewLife.Restarted()).byRule("index:at_1");
    assertRejected(none, byIndex, "a TTL of 0");
    assertRejected(none, byIndex.byRule("index:no"), "no TTL rule 'index:no'");
    assertRejected(none, Touch.of(new NewLife.Until(START)).byRule("default"), "not in the future");
    assertRejected(none, Touch.of(new NewLife.Until(Deadline.NEVER)).byRule("index:at_1"), "never");
    assertRejected(none, Touch.of(new NewLife.Extended(0)).byRule("default"), "at least");
    none.alter(
        spec ->
            spec.withTimeToLive(
                TimeToLive.NONE
                    .withIndex("at_1", 0)
                    .withIndexFormat("at_1", TimeFormat.OBJECT_ID)));
    assertRejected(none, Touch.of(new NewLife.Until(START + 5)), "ObjectIds");
  }

  private static void assertRejected(Collection collection, Touch touch, String why) {
    assertThatThrownBy(() -> collection.expiry().touch(ALL, touch, () -> false))
        .isInstanceOfSatisfying(
            EngineException.class,
            refused -> assertThat(refused.reason()).isEqualTo(EngineException.Reason.BAD_SPEC))
        .hasMessageContaining(why);
  }

  @Test
  void ruleIsExtendedInOneStep() {
    TimeToLive ttl = TimeToLive.NONE.withDefault(10);
    assertThat(ttl.onlyRule()).isEqualTo("default");
    assertThat(ttl.extended("default", 5).defaultSeconds()).isEqualTo(15);
    assertThat(TimeToLive.NONE.withId(3).extended("id", TimeToLive.MAX_SECONDS).idSeconds())
        .isEqualTo(TimeToLive.MAX_SECONDS);
    TimeToLive indexed = TimeToLive.NONE.withIndex("at_1", 0);
    assertThat(indexed.extended(indexed.onlyRule(), 7).indexes()).containsEntry("at_1", 7L);
    assertThatThrownBy(() -> ttl.extended("index:x", 5)).hasMessageContaining("index:x");
    assertThat(indexed.withDefault(4).onlyRule()).isEmpty();
  }
}
