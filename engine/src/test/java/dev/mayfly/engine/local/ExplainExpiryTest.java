package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.ExpiryService.ChangeAuthor;
import dev.mayfly.engine.ExpiryService.Life;
import dev.mayfly.engine.ExpiryService.NeverExpiring;
import dev.mayfly.engine.ExpiryService.RuleChangeEntry;
import dev.mayfly.engine.ExpiryService.UndoPreview;
import dev.mayfly.engine.Forecast.Series;
import dev.mayfly.engine.Forecast.Series.Spans;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Store;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reasons of expiry, the history of rules, and changes that depend on the rules before. */
final class ExplainExpiryTest {
  private static final long START = 1_700_000_000_000L;
  private static final Namespace NAME = new Namespace("db", "items");

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

  private static DocumentWriter item(int id) {
    return Document.writer().put("_id", id);
  }

  private static CollectionSpec byDate(CollectionSpec spec, Filter filter) {
    return spec.withIndex(
            IndexSpec.implicit("at_1", Part.ascending(FieldPath.of("a.at"))).withPartial(filter))
        .withTimeToLive(spec.timeToLive().withIndex("at_1", 10));
  }

  private static String explain(LocalCollection items, int id) {
    Life life = items.expiry().explain(List.of(DocumentKey.of(Value.of(id)))).getFirst();
    String never = life.never().map(one -> one.never().orElseThrow() + " " + one.why()).orElse("");
    return life.state() == Life.State.LIVE && never.isEmpty()
        ? life.rule() + " +" + (life.deadline() - START)
        : life.state() == Life.State.EXPIRED
            ? "expired " + life.rule() + " +" + (life.deadline() - START) + " " + life.swept()
            : life.state() == Life.State.ABSENT ? "absent" : never;
  }

  private static Document inside(int id, Value at) {
    return item(id).startDocument("a").put("at", at).end().build();
  }

  @Test
  void aTtlIndexNamesTheReason() {
    Filter filter = new Filter.Compare(FieldPath.of("_id"), Operator.LT, Value.of(100));
    LocalCollection items = engine.create(NAME, byDate(CollectionSpec.mongo(), filter));
    items.insert(inside(1, Value.date(START + 5000)));
    items.insert(inside(2, Value.of("tomorrow")));
    items.insert(inside(3, Value.of(7)));
    items.insert(item(4).build());
    items.insert(inside(5, Value.array(List.of(Value.of(1)))));
    items.insert(
        item(6)
            .put("a", Value.array(List.of(Value.of(Document.writer().put("at", 1).build()))))
            .build());
    items.insert(inside(7, Value.NULL));
    items.insert(inside(100, Value.date(START)));
    assertThat(explain(items, 1)).isEqualTo("index:at_1 +15000");
    assertThat(explain(items, 2)).isEqualTo("TYPE `a.at` is a string, not a date.");
    assertThat(explain(items, 3)).isEqualTo("TYPE `a.at` is a number, not a date.");
    assertThat(explain(items, 4)).isEqualTo("MISSING `a.at` is missing.");
    assertThat(explain(items, 5)).isEqualTo("NO_DATE `a.at` is an array without a date.");
    assertThat(explain(items, 6)).isEqualTo("NO_DATE `a.at` leads through an array to no date.");
    assertThat(explain(items, 7)).isEqualTo("TYPE `a.at` is null, not a date.");
    assertThat(explain(items, 100))
        .isEqualTo("FILTER The filter of the index `at_1` does not match.");
    assertThat(explain(items, 9)).isEqualTo("absent");
    NeverExpiring never = items.expiry().neverExpiring(1000);
    assertThat(never.exact()).isTrue();
    assertThat(never.sampled()).isEqualTo(8);
    assertThat(never.documents()).isEqualTo(7);
  }

  @Test
  void anIndexThatIsNotBuiltIsTheReason() {
    LocalCollection items = engine.create(NAME, CollectionSpec.mongo());
    items.insert(inside(1, Value.date(START)));
    items.alter(spec -> byDate(spec, Filter.all()));
    assertThat(explain(items, 1)).startsWith("BUILDING The index `at_1`");
    engine.workUntilIdle();
    assertThat(explain(items, 1)).isEqualTo("index:at_1 +10000");
  }

  @Test
  void theDefaultTtlAndTheOwnTtlNameTheReason() {
    LocalCollection items = engine.create(NAME, CollectionSpec.mongo());
    items.insert(item(1).build());
    items.insert(item(2).put("ttl", -1).build());
    items.insert(item(3).put("ttl", 5).build());
    assertThat(explain(items, 1)).startsWith("NO_RULE");
    assertThat(explain(items, 2)).startsWith("DEFAULT_OFF");
    items.alter(spec -> spec.withDefaultTtl(TimeToLive.NEVER));
    assertThat(explain(items, 1)).startsWith("NO_DEFAULT");
    assertThat(explain(items, 2)).isEqualTo("TTL_NEVER `ttl` is -1.");
    assertThat(explain(items, 3)).isEqualTo("own +5000");
    items.alter(spec -> spec.withTimeToLive(spec.timeToLive().withDefault(9).withProperty("p")));
    assertThat(explain(items, 1)).isEqualTo("MISSING `p` is missing.");
    items.insert(item(4).put("p", "x").build());
    assertThat(explain(items, 4)).isEqualTo("TYPE `p` is a string, not a number.");
  }

  @Test
  void anExpiredDocumentIsExplainedUntilItIsSwept() {
    LocalCollection items = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(5));
    items.insert(item(1).build());
    clock.advance(Duration.ofSeconds(60));
    assertThat(explain(items, 1)).isEqualTo("expired default +5000 false");
    engine.workUntilIdle();
    assertThat(explain(items, 1)).isIn("expired default +5000 true", "absent");
  }

  @Test
  void whilePausedNothingExpires() {
    LocalCollection items = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(5));
    items.insert(item(1).build());
    engine.pauseExpiry();
    assertThat(explain(items, 1)).startsWith("PAUSED");
    engine.resumeExpiry();
    assertThat(explain(items, 1)).isEqualTo("default +5000");
  }

  @Test
  void changesOfRulesAreKeptWithAuthorAndCountAcrossARestart() {
    LocalCollection items = engine.create(NAME, CollectionSpec.mongo());
    items.alter(spec -> spec.withTimeToLive(spec.timeToLive().withGrace(60_000)));
    items.insert(item(1).build());
    items.insert(item(2).build());
    clock.advance(Duration.ofSeconds(10));
    ChangeAuthor.as(
        "mongodb: ada@admin",
        () -> items.expiry().alter(spec -> spec.withDefaultTtl(1), ExpiryService.NO_LIMIT));
    UndoPreview undo = items.expiry().undoPreview().orElseThrow();
    assertThat(undo.restored().documents()).isEqualTo(2);
    assertThat(undo.until()).isEqualTo(clock.now() + 60_000);
    assertThat(undo.to().hasDefault()).isFalse();
    items.expiry().undo();
    assertThat(items.expiry().undoPreview()).isEmpty();
    List<RuleChangeEntry> changes = items.expiry().ruleChanges();
    assertThat(changes).extracting(RuleChangeEntry::number).containsExactly(1, 2, 3);
    assertThat(changes.get(1).documents()).isEqualTo(OptionalLong.of(2));
    assertThat(changes.get(1).by()).isEqualTo("mongodb: ada@admin");
    assertThat(changes.get(1).to().defaultSeconds()).isEqualTo(1);
    assertThat(changes.get(2).undo()).isTrue();
    assertThat(changes.get(2).documents()).isEqualTo(OptionalLong.of(2));
    String tag = items.expiry().rulesTag();
    engine.close();
    engine = open();
    assertThat(engine.collection(NAME).expiry().ruleChanges()).isEqualTo(changes);
    assertThat(engine.collection(NAME).expiry().rulesTag()).isEqualTo(tag);
  }

  @Test
  void onlyTheLatestChangesAreKept() {
    LocalCollection items = engine.create(NAME, CollectionSpec.mongo());
    for (int i = 1; i <= RuleChangeEntry.MAX_KEPT + 3; i++) {
      int seconds = i;
      items.alter(spec -> spec.withDefaultTtl(seconds));
    }
    assertThat(items.expiry().ruleChanges()).hasSize(RuleChangeEntry.MAX_KEPT);
    assertThat(items.expiry().ruleChanges().getFirst().number()).isEqualTo(4);
  }

  @Test
  void aChangeIsRefusedIfTheRulesHaveChanged() {
    LocalCollection items = engine.create(NAME, CollectionSpec.mongo());
    UnaryOperator<CollectionSpec> minute = spec -> spec.withDefaultTtl(60);
    String tag = items.expiry().whatIf(minute, 0).rulesTag();
    items.alter(spec -> spec.withDefaultTtl(7));
    items.alter(spec -> spec.withDefaultTtl(TimeToLive.OFF));
    for (long most : new long[] {0, ExpiryService.NO_LIMIT}) {
      assertThatThrownBy(() -> items.expiry().alter(minute, most, tag))
          .isInstanceOfSatisfying(
              EngineException.class,
              refused -> assertThat(refused.reason()).isEqualTo(Reason.RULES_CHANGED));
    }
    assertThat(items.spec().timeToLive().hasDefault()).isFalse();
    items.expiry().alter(minute, 0, items.expiry().rulesTag());
    assertThat(items.spec().timeToLive().defaultSeconds()).isEqualTo(60);
  }

  @Test
  void aStoppedForecastIsExactUpToWhereItStopped() {
    LocalCollection items = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(-1));
    for (int i = 0; i < 10; i++) {
      items.insert(item(i).put("ttl", 1 + i).build());
    }
    int[] checks = {0};
    Series stopped = items.expiry().forecast(new Spans(2000, 5), () -> ++checks[0] > 3);
    assertThat(stopped.complete()).isFalse();
    assertThat(stopped.exactUntil()).isEqualTo(START + 6000);
    assertThat(stopped.later()).isEmpty();
    Series all = items.expiry().forecast(new Spans(2000, 4), () -> false);
    assertThat(all.spans()).extracting(span -> span.total().documents()).containsOnly(2L);
    assertThat(all.later().orElseThrow().documents()).isEqualTo(2);
  }

  @Test
  void aSampleOfManyDocumentsHasItsSize() {
    LocalCollection items = engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(-1));
    for (int i = 0; i < 500; i++) {
      items.insert(item(i).put("ttl", i % 2 == 0 ? 60 : -1).build());
    }
    NeverExpiring sample = items.expiry().neverExpiring(100);
    assertThat(sample.exact()).isFalse();
    assertThat(sample.sampled()).isBetween(50L, 150L);
    assertThat(sample.documents()).isBetween(1L, sample.sampled() - 1);
    assertThat(sample.never().getFirst().keys()).hasSize(NeverExpiring.EXAMPLES);
    assertThat(items.expiry().countNeverExpiring(() -> false)).hasValue(250);
  }
}
