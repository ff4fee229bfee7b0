package dev.mayfly.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.index.CatalogDocuments;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many rule changes within one grace, and rules at their limits. */
final class ManyRuleChangesTest {
  private static final Namespace NAME = new Namespace("db", "things");
  private static final int CHANGES = 1_000;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final MemoryStore store = MemoryStore.withFilters();
  private LocalEngine engine;

  @BeforeEach
  void open() {
    engine =
        LocalEngine.open(store, clock, EngineSettings.standard(clock::now).withBackground(false));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private static CollectionSpec withGrace() {
    return CollectionSpec.mongo()
        .withTimeToLive(
            TimeToLive.NONE.withDefault(864_000).withGrace(Duration.ofDays(7).toMillis()));
  }

  @Test
  void thousandRuleChangesStayCheapAndCanBeUndone() {
    LocalCollection things = engine.create(NAME, withGrace());
    things.insert(Document.writer().put("_id", 1).build());
    for (int i = 1; i <= CHANGES; i++) {
      clock.advance(Duration.ofMinutes(1));
      int seconds = i % 2 == 0 ? 3_600 : 7_200;
      things.alter(spec -> spec.withDefaultTtl(seconds));
    }
    assertThat(things.state().history()).hasSize(CHANGES);
    assertThat(things.state().toDocument().length()).isLessThan(CHANGES * 500);
    assertThat(things.compiled().schedule().marks().size()).isLessThan(5);
    assertThat(CollectionState.of(things.state().toDocument())).isEqualTo(things.state());
    assertThat(things.usage().documents()).isZero();
    engine.close();
    open();
    LocalCollection again = engine.collection(NAME);
    while (again.usage().documents() == 0) {
      again.expiry().undo();
    }
    assertThat(again.read(DocumentKey.of(Value.of(1)))).isPresent();
  }

  @Test
  void historyOfEarlierVersionsIsDecoded() {
    LocalCollection things = engine.create(NAME, withGrace());
    things.alter(spec -> spec.withDefaultTtl(3_600));
    clock.advance(Duration.ofHours(2));
    things.alter(spec -> spec.withDefaultTtl(7_200));
    things.alter(spec -> spec.withDefaultTtl(60));
    PreviousRules last = things.state().history().getLast();
    List<Watermark> then = things.state().watermarks(last);
    assertThat(then).hasSize(1);
    Document earlier =
        Document.writer()
            .put("until", last.until())
            .put("sequence", last.sequence())
            .put("ttl", last.timeToLive().toDocument())
            .put("watermarks", CatalogDocuments.array(then, Watermark::toDocument))
            .build();
    assertThat(PreviousRules.of(earlier)).isEqualTo(last);
  }

  @ParameterizedTest
  @ValueSource(longs = {2_147_483_648L, 18_446_744_073_709_552L, Long.MAX_VALUE, -1})
  void ttlAndGraceAreLimited(long tooMuch) {
    assertThatThrownBy(() -> TimeToLive.NONE.withId(tooMuch))
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_SPEC));
    long millis = tooMuch < 0 ? tooMuch : Math.max(tooMuch, TimeToLive.MAX_GRACE_MILLIS + 1);
    assertThatThrownBy(() -> TimeToLive.NONE.withGrace(millis))
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_SPEC));
  }

  @Test
  void storedTtlBeyondTheLimitIsReduced() {
    Document stored =
        Document.writer()
            .put("default", TimeToLive.OFF)
            .put("property", "")
            .put("strict", false)
            .put("id", Long.MAX_VALUE)
            .put("grace", Long.MAX_VALUE)
            .startDocument("indexes")
            .end()
            .build();
    TimeToLive read = TimeToLive.of(stored);
    assertThat(read.idSeconds()).isEqualTo(TimeToLive.MAX_SECONDS);
    assertThat(read.graceMillis()).isEqualTo(TimeToLive.MAX_GRACE_MILLIS);
  }

  @Test
  void maximumTtlDoesNotOverflow() {
    TimeToLive longest =
        TimeToLive.NONE.withId(TimeToLive.MAX_SECONDS).withGrace(TimeToLive.MAX_GRACE_MILLIS);
    LocalCollection things = engine.create(NAME, CollectionSpec.mongo().withTimeToLive(longest));
    Value last = Value.date(Long.MAX_VALUE - 1);
    things.insert(Document.writer().put("_id", last).build());
    clock.advance(Duration.ofDays(1));
    engine.workUntilIdle();
    assertThat(things.read(DocumentKey.of(last))).isPresent();
    assertThat(things.expiry().forecast(Long.MAX_VALUE - 1).total().documents()).isZero();
  }
}
