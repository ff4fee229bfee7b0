package dev.mayfly.engine.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.store.Direction;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TTL indexes: which documents they expire, and when. */
final class TtlIndexTest {
  private static final long START = 1_700_000_000_000L;
  private static final long MINUTE = 60_000;
  private static final Namespace NAME = new Namespace("mongo", "events");
  private static final DocumentKey KEY = DocumentKey.of(Value.of(1));
  private static final Value PAST = Value.date(START - MINUTE - 1);
  private static final Value JUST = Value.date(START - MINUTE);
  private static final Value LATER = Value.date(START - MINUTE + 1);

  private final ManualClock clock = new ManualClock(START);
  private final LocalEngine engine =
      LocalEngine.open(
          MemoryStore.withFilters(),
          clock,
          EngineSettings.standard(clock::now).withBackground(false));

  @AfterEach
  void close() {
    engine.close();
  }

  static Stream<Arguments> values() {
    return Stream.of(
        expired("a date in the past", PAST),
        expired("a date exactly as old as the limit", JUST),
        expired("a date before 1970", Value.date(-1)),
        expired("the lowest date", Value.date(Long.MIN_VALUE)),
        live("a date one millisecond younger", LATER),
        live("a date in the future", Value.date(START + MINUTE)),
        live("the highest date", Value.date(Long.MAX_VALUE)),
        live("nothing", Value.MISSING),
        live("null", Value.NULL),
        live("a truth value", Value.of(true)),
        live("a number", Value.of(5L)),
        live("a text", Value.of("1999-01-01T00:00:00Z")),
        live("an object id", Value.objectId(new byte[12])),
        live("a timestamp", Value.timestamp(1)),
        live("a regex", Value.regex("a", "")),
        live("an empty array", array()),
        live("an array without dates", array(Value.of(1), Value.NULL)),
        live("an array in an array", array(array(PAST))),
        live("an array of younger dates", array(LATER, LATER)),
        expired("an array with one old date", array(LATER, Value.of("x"), JUST)));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("values")
  void datesExpireAfterTheTtl(String what, Value value, boolean live) {
    LocalCollection events = create(60, "at", index -> index);
    events.insert(Document.writer().put("_id", 1).put("at", value).build());
    assertThat(events.read(KEY).isPresent()).as(what).isEqualTo(live);
    engine.workUntilIdle();
    assertThat(events.read(KEY).isPresent()).as(what).isEqualTo(live);
    assertThat(engine.sweepStats().documents()).isEqualTo(live ? 0 : 1);
  }

  @Test
  void documentsWithTheSameDateAreSweptInParts() {
    EngineSettings oneByOne =
        EngineSettings.standard(clock::now).withBackground(false).withSlice(1);
    try (LocalEngine slow = LocalEngine.open(MemoryStore.withFilters(), clock, oneByOne)) {
      CollectionSpec spec = CollectionSpec.mongo().withIndex(index("at_1", "at"));
      LocalCollection events =
          slow.create(NAME, spec.withTimeToLive(spec.timeToLive().withIndex("at_1", 60)));
      for (Value date : List.of(Value.date(Long.MIN_VALUE), Value.date(Long.MIN_VALUE), PAST)) {
        events.insert(
            Document.writer().put("_id", events.feeds().getFirst().end()).put("at", date).build());
      }
      slow.workUntilIdle();
      assertThat(slow.sweepStats().documents()).isEqualTo(3);
      assertThat(events.feeds().getFirst().read(0, 10))
          .filteredOn(change -> change.kind() == Change.Kind.EXPIRE)
          .hasSize(3);
    }
  }

  @Test
  void dottedPathTraversesArraysOfObjects() {
    LocalCollection events = create(60, "a.b", index -> index);
    Value boxes = array(object("b", LATER), object("c", PAST), object("b", array(JUST)));
    events.insert(Document.writer().put("_id", 1).put("a", boxes).build());
    assertThat(events.read(KEY)).isEmpty();
  }

  @Test
  void partialIndexExpiresOnlyItsDocuments() {
    Filter done = Filter.equal(FieldPath.of("done"), Value.of(true));
    LocalCollection events = create(60, "at", index -> index.withPartial(done));
    events.insert(Document.writer().put("_id", 1).put("at", PAST).put("done", false).build());
    assertThat(events.read(KEY)).isPresent();
    events.write(
        new Write.Replace(
            Document.writer().put("_id", 1).put("at", PAST).put("done", true).build()));
    assertThat(events.read(KEY)).isEmpty();
  }

  @Test
  void sparseHiddenAndDescendingIndexesExpireDocuments() {
    List<IndexSpec> variants =
        List.of(
            index("at_1", "at").withSparse(true),
            index("at_1", "at").withHidden(true),
            IndexSpec.implicit("at_1", Part.descending(FieldPath.of("at"))));
    for (IndexSpec variant : variants) {
      LocalCollection events = create(60, "at", _ -> variant);
      events.insert(Document.writer().put("_id", 1).put("at", JUST).build());
      assertThat(events.read(KEY)).as("%s", variant).isEmpty();
      engine.drop(NAME);
    }
  }

  @Test
  void earliestDeadlineOfSeveralIndexesCounts() {
    CollectionSpec spec =
        CollectionSpec.mongo().withIndex(index("a_1", "a")).withIndex(index("b_1", "b"));
    LocalCollection events =
        engine.create(
            NAME, spec.withTimeToLive(spec.timeToLive().withIndex("a_1", 60).withIndex("b_1", 10)));
    events.insert(
        Document.writer()
            .put("_id", 1)
            .put("a", Value.date(START))
            .put("b", Value.date(START + 20_000))
            .build());
    assertThat(events.read(KEY).orElseThrow().deadline()).isEqualTo(START + 30_000);
    assertThat(events.expiry().forecast(START + MINUTE).byRule()).containsOnlyKeys("index:b_1");
  }

  @Test
  void zeroSecondsExpireAtTheDate() {
    LocalCollection events = create(0, "at", index -> index);
    events.insert(Document.writer().put("_id", 1).put("at", Value.date(START + 1)).build());
    assertThat(events.read(KEY)).isPresent();
    clock.advance(Duration.ofMillis(1));
    assertThat(events.read(KEY)).isEmpty();
  }

  @Test
  void maximumTtlIs68Years() {
    LocalCollection events = create(2_147_483_647, "at", index -> index);
    events.insert(Document.writer().put("_id", 1).put("at", Value.date(START)).build());
    clock.advance(Duration.ofSeconds(2_147_483_647).minusMillis(1));
    assertThat(events.read(KEY)).isPresent();
    clock.advance(Duration.ofMillis(1));
    assertThat(events.read(KEY)).isEmpty();
  }

  @Test
  void laterDateKeepsADocumentFromTheSweep() {
    LocalCollection events = create(60, "at", index -> index);
    events.insert(Document.writer().put("_id", 1).put("at", LATER).build());
    events.write(
        new Write.Replace(Document.writer().put("_id", 1).put("at", Value.date(START)).build()));
    clock.advance(Duration.ofSeconds(1));
    engine.workUntilIdle();
    assertThat(events.read(KEY).orElseThrow().deadline()).isEqualTo(START + MINUTE);
  }

  @Test
  void dateBelowTheSweptRangeIsSwept() {
    LocalCollection events = create(60, "at", index -> index);
    events.insert(Document.writer().put("_id", 1).put("at", PAST).build());
    engine.workUntilIdle();
    events.insert(Document.writer().put("_id", 2).put("at", Value.date(0)).build());
    engine.workUntilIdle();
    assertThat(engine.sweepStats().documents()).isEqualTo(2);
  }

  @Test
  void ttlTakesEffectWhenItsIndexIsBuilt() {
    LocalCollection events = engine.create(NAME, CollectionSpec.mongo());
    events.insert(Document.writer().put("_id", 1).put("at", PAST).build());
    events.alter(
        spec ->
            spec.withIndex(index("at_1", "at"))
                .withTimeToLive(spec.timeToLive().withIndex("at_1", 60)));
    assertThat(events.read(KEY).orElseThrow().deadline()).isEqualTo(Deadline.NEVER);
    engine.workUntilIdle();
    assertThat(events.read(KEY)).isEmpty();
  }

  @Test
  void ttlOnAnExistingIndexTakesEffectAtOnce() {
    LocalCollection events =
        engine.create(NAME, CollectionSpec.mongo().withIndex(index("at_1", "at")));
    events.insert(Document.writer().put("_id", 1).put("at", PAST).build());
    events.alter(spec -> spec.withTimeToLive(spec.timeToLive().withIndex("at_1", 60)));
    assertThat(events.read(KEY)).isEmpty();
  }

  @Test
  void onlyDatesSince1970ExpireById() {
    CollectionSpec spec = CollectionSpec.mongo();
    LocalCollection events = engine.create(NAME, spec.withTimeToLive(spec.timeToLive().withId(60)));
    for (Value id : List.of(PAST, JUST, LATER, Value.date(-1), Value.objectId(new byte[12]))) {
      events.insert(Document.writer().put("_id", id).build());
    }
    assertThat(events.read(DocumentKey.of(PAST))).isEmpty();
    assertThat(events.read(DocumentKey.of(JUST))).isEmpty();
    assertThat(events.usage().documents()).isEqualTo(3);
  }

  /** Without the cleanup, every record would be compared with the mark of each dropped index. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lanesOfDroppedIndexesAreRemovedWithTheirMarks(boolean drops) {
    MemoryStore store = MemoryStore.withFilters();
    EngineSettings settings =
        EngineSettings.standard(clock::now).withBackground(false).withDropInCompaction(drops);
    Namespace name = new Namespace("mongo", "toggled");
    try (LocalEngine toggling = LocalEngine.open(store, clock, settings)) {
      LocalCollection events = toggling.create(name, CollectionSpec.mongo().withDefaultTtl(100));
      for (int i = 0; i < 1000; i++) {
        toggle(toggling, events, i);
        assertThat(events.state().lanes()).hasSizeLessThan(12);
        assertThat(events.owners().getFirst().sweptLanes().marks()).hasSizeLessThan(12);
        assertThat(storedMarks(events)).isLessThan(12);
        assertThat(events.usage().documents()).isEqualTo(2L * Math.min(i + 1, 9));
        assertThat(events.read(key(i * 4))).isEmpty();
      }
      Audit.check(toggling, events);
      clock.advance(Duration.ofSeconds(101));
      toggling.workUntilIdle();
      assertThat(expiries(events)).hasSize(4000).doesNotHaveDuplicates();
    }
    try (LocalEngine again = LocalEngine.open(store.reopen(), clock, settings)) {
      LocalCollection events = again.collection(name);
      assertThat(events.usage().documents()).isZero();
      assertThat(events.check(false).wrong()).isZero();
    }
  }

  @Test
  void readerSeesNoDocumentWhoseMarkIsRemoved() {
    HookedStore store = new HookedStore(MemoryStore.withFilters());
    try (LocalEngine toggling = LocalEngine.open(store, clock, oneByOne())) {
      LocalCollection events = toggling.create(NAME, CollectionSpec.mongo());
      events.alter(spec -> spec.withIndex(index("at_1", "at")));
      events.alter(spec -> spec.withTimeToLive(spec.timeToLive().withIndex("at_1", 1)));
      events.insert(Document.writer().put("_id", 1).put("at", JUST).build());
      toggling.workUntilIdle();
      events.alter(spec -> spec.withoutIndex("at_1"));
      store.afterNextRead(toggling::workUntilIdle);

      assertThat(events.read(KEY)).isEmpty();
      assertThat(events.state().lanes()).isEmpty();
    }
  }

  /** A header may still list a place in the lane that had the number before. */
  @Test
  void laneNumberIsReusedAfterItsCleanup() {
    try (LocalEngine toggling = LocalEngine.open(MemoryStore.withFilters(), clock, oneByOne())) {
      LocalCollection events =
          toggling.create(NAME, CollectionSpec.mongo().withIndex(index("n_1", "n")));
      toggle(toggling, events, 0);
      toggling
          .registry()
          .replace(
              events,
              (state, _) -> state.withLanes(state.lanes(), state.coverSince(), Short.MAX_VALUE));
      toggle(toggling, events, 1);
      assertThat(events.state().lanes()).isEmpty();

      clock.advance(Duration.ofSeconds(10_000));
      events.alter(spec -> spec.withIndex(index("due_1", "due")));
      events.alter(spec -> spec.withTimeToLive(spec.timeToLive().withIndex("due_1", 1)));
      toggling.workUntilIdle();
      assertThat(events.state().lanes()).hasSize(1);
      assertThat(events.state().lanes().getFirst().number()).isEqualTo(Lane.FIRST_EXPLICIT);
      assertThat(events.usage().documents()).isEqualTo(4);
      Value at = events.read(key(1)).orElseThrow().document().field("at");
      events.write(new Write.Replace(Document.writer().put("_id", 1).put("due", at).build()));
      clock.advance(Duration.ofSeconds(2));
      toggling.workUntilIdle();
      assertThat(events.read(key(1))).isEmpty();
      assertThat(events.usage().documents()).isEqualTo(3);
      assertThat(events.check(false).wrong()).isZero();
    }
  }

  private EngineSettings oneByOne() {
    return EngineSettings.standard(clock::now)
        .withBackground(false)
        .withSlice(1)
        .withRetiredLanes(1);
  }

  private static DocumentKey key(int id) {
    return DocumentKey.of(Value.of(id));
  }

  /** Creates a TTL index, expires half of the documents by it, and drops it, in 11 seconds. */
  private void toggle(LocalEngine toggling, LocalCollection events, int life) {
    events.alter(spec -> spec.withIndex(index("at_1", "at")));
    events.alter(spec -> spec.withTimeToLive(spec.timeToLive().withIndex("at_1", 1)));
    toggling.workUntilIdle();
    for (int i = 0; i < 4; i++) {
      long at = clock.now() + (i % 2 == 0 ? 0 : 1_000_000);
      events.insert(Document.writer().put("_id", life * 4 + i).put("at", Value.date(at)).build());
    }
    clock.advance(Duration.ofSeconds(2));
    toggling.workUntilIdle();
    events.alter(spec -> spec.withoutIndex("at_1"));
    clock.advance(Duration.ofSeconds(9));
    toggling.workUntilIdle();
  }

  private static int storedMarks(LocalCollection events) {
    int marks = 0;
    try (Scan scan =
        events
            .owners()
            .getFirst()
            .shard()
            .scan(Space.META, Range.prefix(new byte[] {'S'}), Direction.UP)) {
      while (scan.next()) {
        marks++;
      }
    }
    return marks;
  }

  private static List<DocumentKey> expiries(LocalCollection events) {
    return events.feeds().getFirst().read(0, Integer.MAX_VALUE).stream()
        .filter(change -> change.kind() == Change.Kind.EXPIRE)
        .map(Change::key)
        .toList();
  }

  private LocalCollection create(
      long seconds, String path, java.util.function.UnaryOperator<IndexSpec> options) {
    CollectionSpec spec = CollectionSpec.mongo().withIndex(options.apply(index("at_1", path)));
    return engine.create(NAME, spec.withTimeToLive(spec.timeToLive().withIndex("at_1", seconds)));
  }

  private static IndexSpec index(String name, String path) {
    return IndexSpec.implicit(name, Part.ascending(FieldPath.of(path)));
  }

  private static Arguments expired(String what, Value value) {
    return Arguments.of(what, value, false);
  }

  private static Arguments live(String what, Value value) {
    return Arguments.of(what, value, true);
  }

  private static Value array(Value... values) {
    return Value.array(List.of(values));
  }

  private static Value object(String name, Value value) {
    return Value.of(Document.writer().put(name, value).build());
  }
}
