package dev.mayfly.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Store;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule changes: they apply to live documents at once, and expired documents stay expired. */
final class RuleChangeTest {
  private static final long START = 1_700_000_000_000L;
  private static final Namespace NAME = new Namespace("db", "items");
  private static final DocumentKey OLD = DocumentKey.of("x", "old");
  private static final DocumentKey NEW = DocumentKey.of("x", "new");

  private final ManualClock clock = new ManualClock(START);
  private final Store store = MemoryStore.withFilters();
  private LocalEngine engine = open();

  private LocalEngine open() {
    return LocalEngine.open(
        store, clock, EngineSettings.standard(clock::now).withBackground(false));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  /** One document is 30 s old at the change, another 10 s; 100 s later both may have expired. */
  @ParameterizedTest(name = "default {0} becomes {1}")
  @CsvSource({
    // before, after, live before: old new, live at the change: old new, 100 s later: old new
    "off, 20, true, true, false, true, false, false",
    "off, -1, true, true, true, true, true, true",
    "40, 20, true, true, false, true, false, false",
    "20, 40, false, true, false, true, false, false",
    "20, 1000, false, true, false, true, false, true",
    "20, -1, false, true, false, true, false, true",
    "20, off, false, true, false, true, false, true",
    "5, off, false, false, false, false, false, false",
    "-1, 5, true, true, false, false, false, false",
  })
  void expiredDocumentsStayExpired(
      String before,
      String after,
      boolean oldBefore,
      boolean newBefore,
      boolean oldAt,
      boolean newAt,
      boolean oldLater,
      boolean newLater) {
    LocalCollection items =
        engine.create(NAME, withDefault(before).apply(CollectionSpec.cosmos("p")));
    items.insert(item("old"));
    clock.advance(Duration.ofSeconds(20));
    items.insert(item("new"));
    clock.advance(Duration.ofSeconds(10));
    assertLive(items, oldBefore, newBefore);
    Usage expired = items.expiry().whatIf(withDefault(after));
    assertThat(expired.documents())
        .isEqualTo((oldBefore && !oldAt ? 1 : 0) + (newBefore && !newAt ? 1 : 0));
    items.alter(withDefault(after));
    assertLive(items, oldAt, newAt);
    engine.close();
    engine = open();
    assertLive(engine.collection(NAME), oldAt, newAt);
    clock.advance(Duration.ofSeconds(100));
    assertLive(engine.collection(NAME), oldLater, newLater);
    engine.workUntilIdle();
    assertLive(engine.collection(NAME), oldLater, newLater);
  }

  private static UnaryOperator<CollectionSpec> withDefault(String seconds) {
    long value = seconds.equals("off") ? TimeToLive.OFF : Long.parseLong(seconds);
    return spec -> spec.withDefaultTtl(value);
  }

  private static void assertLive(LocalCollection items, boolean old, boolean young) {
    assertThat(items.read(OLD).isPresent()).as("old").isEqualTo(old);
    assertThat(items.read(NEW).isPresent()).as("new").isEqualTo(young);
    assertThat(items.usage().documents()).isEqualTo((old ? 1 : 0) + (young ? 1 : 0));
  }

  @Test
  void documentWrittenAfterAChangeFollowsTheNewRule() {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p").withDefaultTtl(20));
    items.insert(item("old"));
    clock.advance(Duration.ofSeconds(20));
    items.alter(withDefault("1000"));
    assertThat(items.read(OLD)).isEmpty();
    items.insert(item("old"));
    clock.advance(Duration.ofSeconds(999));
    engine.workUntilIdle();
    assertThat(items.read(OLD)).isPresent();
  }

  @Test
  void oldDateWrittenAfterAChangeFollowsTheNewTtl() {
    LocalCollection events = events(10);
    events.alter(spec -> spec.withTimeToLive(spec.timeToLive().withGrace(60_000)));
    events.alter(spec -> ttl(spec, 1000));
    events.insert(event(START - 20_000));
    clock.advance(Duration.ofSeconds(30));
    engine.workUntilIdle();
    assertThat(events.usage().documents()).isEqualTo(1);
    assertThat(engine.sweepStats().documents()).isZero();
  }

  @Test
  void droppedTtlIndexKeepsExpiredDocumentsExpired() {
    LocalCollection events = events(10);
    events.insert(event(START - 20_000));
    events.insert(event(START));
    events.alter(spec -> spec.withoutIndex("at_1"));
    assertThat(events.usage().documents()).isEqualTo(1);
    clock.advance(Duration.ofSeconds(1000));
    engine.workUntilIdle();
    assertThat(events.usage().documents()).isEqualTo(1);
    assertThat(engine.sweepStats().documents()).isEqualTo(1);
  }

  @Test
  void replacedTtlIndexKeepsExpiredDocumentsExpired() {
    LocalCollection events = events(10);
    events.insert(event(START - 20_000));
    events.alter(spec -> spec.withIndexes(List.of(index("other"))));
    assertThat(events.usage()).isEqualTo(Usage.NONE);
    engine.workUntilIdle();
    assertThat(events.usage()).isEqualTo(Usage.NONE);
    assertThat(engine.sweepStats().documents()).isEqualTo(1);
  }

  @Test
  void rulesSurviveARestart() {
    CollectionSpec spec = CollectionSpec.mongo().withIndex(index("at"));
    TimeToLive rules =
        new TimeToLive(
            30, "made", true, Map.of("at_1", 10L), TimeToLive.OFF, Map.of(), Map.of(), 5_000);
    engine.create(NAME, spec.withTimeToLive(rules));
    engine.close();
    engine = open();
    assertThat(engine.collection(NAME).spec().timeToLive()).isEqualTo(rules);
    engine.collection(NAME).alter(next -> next.withTimeToLive(TimeToLive.NONE.withId(7)));
    engine.close();
    engine = open();
    assertThat(engine.collection(NAME).spec().timeToLive()).isEqualTo(TimeToLive.NONE.withId(7));
  }

  @Test
  void expiryIsReportedWithItsDeadline() {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p").withDefaultTtl(20));
    items.insert(item("old"));
    clock.advance(Duration.ofSeconds(30));
    items.alter(withDefault("2147483647"));
    engine.workUntilIdle();
    Change end = items.feeds().getFirst().read(0, 10).getLast();
    assertThat(end.kind()).isEqualTo(Change.Kind.EXPIRE);
    assertThat(end.deadline()).isEqualTo(START + 20_000);
  }

  private LocalCollection events(long seconds) {
    return engine.create(NAME, ttl(CollectionSpec.mongo().withIndex(index("at")), seconds));
  }

  private static CollectionSpec ttl(CollectionSpec spec, long seconds) {
    return spec.withTimeToLive(spec.timeToLive().withIndex("at_1", seconds));
  }

  private static IndexSpec index(String path) {
    return IndexSpec.implicit("at_1", Part.ascending(FieldPath.of(path)));
  }

  private static Document event(long at) {
    return Document.writer().put("_id", at).put("at", Value.date(at)).build();
  }

  private static Document item(String id) {
    return Document.writer().put("id", id).put("p", "x").build();
  }
}
