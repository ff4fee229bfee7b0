package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.Alarm.Kind;
import dev.mayfly.engine.Alarm.Severity;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.ClockLeap;
import dev.mayfly.engine.ClockLimits;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Namespace;
import dev.mayfly.expiry.Clock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leaps of the wall clock, detected with the monotonic clock. */
final class ClockTest {
  private static final long START = 1_700_000_000_000L;
  private static final long SECOND = 1000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final long YEAR = 365 * DAY;
  private static final Namespace NAME = new Namespace("test", "clock");

  private MemoryStore store = MemoryStore.withFilters();
  private long passed;
  private long wall = START;
  private LocalEngine engine = open();

  private LocalEngine open() {
    Clock clock = () -> wall;
    EngineSettings settings =
        EngineSettings.standard(() -> passed * 1_000_000).withBackground(false);
    return LocalEngine.open(store, clock, settings);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  /** Advances both clocks. */
  private void pass(long millis) {
    passed += millis;
    wall += millis;
  }

  private void restart() {
    engine.close();
    store = store.reopen();
    engine = open();
  }

  private LocalCollection create(long ttlSeconds) {
    return engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(ttlSeconds));
  }

  private LocalCollection collection() {
    return engine.collection(NAME);
  }

  private void insert(String id) {
    collection().insert(Document.writer().put("_id", id).build());
  }

  private boolean there(String id) {
    return collection().read(DocumentKey.of(id)).isPresent();
  }

  private void work() {
    engine.workUntilIdle();
  }

  private long swept() {
    return engine.sweepStats().documents();
  }

  private boolean alarmed() {
    return engine.alarms().count(Kind.CLOCK) == 1;
  }

  private List<Change> changes() {
    FeedReader feed = collection().feeds().getFirst();
    return feed.read(feed.oldest(), Integer.MAX_VALUE);
  }

  private void insertEveryMinute(String prefix, int count) {
    for (int i = 0; i < count; i++) {
      insert(prefix + i);
      pass(MINUTE);
    }
  }

  // ---- changes

  /** A change stream that starts at a time would miss changes. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void changesAreFoundByTimeAfterARevokedLeap(boolean restarts) {
    create(30 * 86_400);
    insertEveryMinute("before", 5);
    wall += YEAR;
    insertEveryMinute("in the leap", 3);
    wall -= YEAR;
    if (restarts) {
      restart();
    }
    insertEveryMinute("after", 40);
    FeedReader feed = collection().feeds().getFirst();
    List<Change> all = changes();
    for (Change one : all) {
      List<Change> since = feed.read(feed.before(one.time()), Integer.MAX_VALUE);
      assertThat(since)
          .containsAll(all.stream().filter(change -> change.time() >= one.time()).toList());
    }
    assertThat(feed.before(engine.now() + 2 * YEAR)).isEqualTo(feed.end());
  }

  @Test
  void changesDuringARevokedLeapAreTrimmedLikeOthers() {
    engine.create(
        NAME, CollectionSpec.mongo().withFeed(new FeedSpec(ChangeImageMode.NONE, HOUR, 1L << 30)));
    insertEveryMinute("before", 5);
    wall += YEAR;
    insertEveryMinute("in the leap", 3);
    wall -= YEAR;
    insertEveryMinute("after", 70);
    work();
    assertThat(changes()).hasSize(59);
  }

  // ---- a leap ahead

  @Test
  void leapForwardHidesExpiredDocumentsAndDeletesNothing() {
    create(30 * 86_400);
    insert("before");
    wall += YEAR;
    assertThat(there("before")).isFalse();
    assertThat(collection().usage().documents()).isZero();
    work();
    assertThat(swept()).isZero();
    assertThat(engine.alarms().raised())
        .singleElement()
        .satisfies(
            alarm -> {
              assertThat(alarm.kind()).isEqualTo(Kind.CLOCK);
              assertThat(alarm.severity()).isEqualTo(Severity.WARNING);
              assertThat(alarm.text())
                  .contains("PT8760H ahead of")
                  .contains("mayfly clock confirm");
            });
  }

  @Test
  void revokedLeapHasNoEffect() {
    create(30 * 86_400);
    insert("before");
    wall += YEAR;
    work();
    assertThat(there("before")).isFalse();
    assertThat(collection().usage().documents()).isZero();
    wall -= YEAR;
    pass(SECOND);
    assertThat(there("before")).isTrue();
    assertThat(collection().usage().documents()).isOne();
    assertThat(collection().expiry().forecast(engine.now() + 31 * DAY).total().documents()).isOne();
    assertThat(alarmed()).isFalse();
    insert("after");
    assertThat(collection().read(DocumentKey.of("after")).orElseThrow().writtenAt())
        .isEqualTo(START + SECOND);
    restart();
    pass(31 * DAY);
    assertThat(there("after")).isFalse();
  }

  @Test
  void sweepContinuesByTheEarlierTimeDuringALeap() {
    create(60);
    insert("first");
    pass(30 * SECOND);
    insert("second");
    wall += HOUR;
    assertThat(there("second")).isFalse();
    pass(31 * SECOND);
    work();
    assertThat(swept()).isOne();
    wall -= HOUR;
    assertThat(there("second")).isTrue();
  }

  @Test
  void leapForwardIsConfirmedAfterATime() {
    create(60);
    insert("first");
    wall += HOUR;
    work();
    pass(10 * MINUTE - 1);
    assertThat(engine.clockLeap()).contains(new ClockLeap(HOUR, 1));
    insert("meanwhile");
    pass(1);
    work();
    assertThat(alarmed()).isFalse();
    assertThat(engine.clockLeap()).isEmpty();
    assertThat(swept()).isOne();
    assertThat(there("meanwhile")).isTrue();
    assertThat(engine.now()).isEqualTo(wall);
  }

  @Test
  void longerLeapIsConfirmedLater() {
    create(60);
    insert("first");
    wall += YEAR;
    work();
    pass(3 * DAY);
    work();
    assertThat(alarmed()).isTrue();
    assertThat(swept()).isOne();
    pass(DAY);
    work();
    assertThat(alarmed()).isFalse();
    assertThat(engine.now()).isEqualTo(wall);
  }

  @Test
  void secondLeapRestartsTheConfirmationTime() {
    create(60);
    insert("first");
    wall += HOUR;
    pass(9 * MINUTE);
    work();
    wall += HOUR;
    pass(9 * MINUTE);
    work();
    assertThat(alarmed()).isTrue();
    assertThat(engine.clockLeap().orElseThrow().millis()).isEqualTo(2 * HOUR);
    pass(10 * MINUTE);
    work();
    assertThat(alarmed()).isFalse();
  }

  @Test
  void operatorCanConfirmALeap() {
    create(60);
    insert("first");
    wall += YEAR;
    work();
    engine.confirmClock();
    work();
    assertThat(swept()).isOne();
    assertThat(alarmed()).isFalse();
  }

  @Test
  void ruleChangeDuringALeapLeavesNoWatermarkOfTheLeap() {
    create(86_400);
    insert("first");
    wall += YEAR;
    assertThat(there("first")).isFalse();
    collection().alter(spec -> spec.withDefaultTtl(2 * 86_400));
    work();
    wall -= YEAR;
    work();
    assertThat(there("first")).isTrue();
    assertThat(swept()).isZero();
  }

  @Test
  void leapDoesNotTrimTheFeed() {
    engine.create(
        NAME, CollectionSpec.mongo().withFeed(new FeedSpec(ChangeImageMode.NONE, HOUR, 1L << 30)));
    insert("first");
    wall += YEAR;
    work();
    assertThat(collection().feeds().getFirst().read(0, 10)).hasSize(1);
    engine.confirmClock();
    work();
    assertThat(collection().feeds().getFirst().oldest()).isPositive();
  }

  @Test
  void transactionBegunInALeapEndsWhenItIsRevoked() {
    create(60);
    wall += YEAR;
    LocalTransaction transaction = engine.begin();
    assertThat(transaction.open()).isTrue();
    wall -= YEAR;
    work();
    assertThat(transaction.open()).isFalse();
  }

  @Test
  void requestUnitsAreRefilledAfterALeap() {
    engine.create(NAME, CollectionSpec.mongo().withThroughput(400));
    wall += YEAR;
    for (int i = 0; i < 20; i++) {
      insert("leap" + i);
    }
    wall -= YEAR;
    for (int i = 0; i < 100; i++) {
      pass(SECOND);
      insert("after" + i);
    }
    assertThat(collection().usage().documents()).isEqualTo(120);
  }

  // ---- back

  @Test
  void timeStandsStillDuringASmallStepBack() {
    create(60);
    insert("first");
    pass(61 * SECOND);
    assertThat(there("first")).isFalse();
    wall -= 4 * MINUTE;
    assertThat(there("first")).isFalse();
    assertThat(engine.now()).isEqualTo(START + 61 * SECOND);
    assertThat(alarmed()).isFalse();
  }

  @Test
  void timeContinuesAfterALeapBackAndNothingIsDeleted() {
    create(60);
    insert("first");
    pass(61 * SECOND);
    engine.pauseSweep();
    assertThat(there("first")).isFalse();
    insert("second");
    wall -= HOUR;
    assertThat(there("first")).isFalse();
    assertThat(alarmed()).isTrue();
    pass(61 * SECOND);
    assertThat(there("second")).isFalse();
    engine.resumeSweep();
    work();
    assertThat(swept()).as("only what had expired before the leap").isOne();
    assertThat(engine.clockLeap()).contains(new ClockLeap(-HOUR, -1));
    wall += HOUR;
    work();
    assertThat(alarmed()).isFalse();
    assertThat(swept()).isEqualTo(2);
  }

  @Test
  void operatorCanConfirmALeapBack() {
    create(60);
    wall -= YEAR;
    insert("first");
    engine.confirmClock();
    assertThat(engine.now()).isEqualTo(wall);
    insert("second");
    assertThat(collection().read(DocumentKey.of("second")).orElseThrow().writtenAt())
        .isEqualTo(wall);
    pass(61 * SECOND);
    assertThat(there("second")).isFalse();
    restart();
    assertThat(alarmed()).isFalse();
    assertThat(engine.now()).isEqualTo(wall);
  }

  // ---- restarts

  @Test
  void restartWithAnEarlierClockRevivesNoDocument() {
    create(60);
    insert("session");
    pass(61 * SECOND);
    assertThat(there("session")).isFalse();
    restart();
    wall -= HOUR;
    restart();
    assertThat(there("session")).isFalse();
    assertThat(collection().usage().documents()).isZero();
    assertThat(alarmed()).isTrue();
    wall += HOUR;
    assertThat(there("session")).isFalse();
    work();
    assertThat(alarmed()).isFalse();
    assertThat(swept()).isOne();
  }

  @Test
  void crashLosesAtMostAFewSecondsOfTime() {
    create(60);
    insert("session");
    pass(61 * SECOND);
    engine.pauseSweep();
    work();
    engine = open();
    wall -= 4 * MINUTE;
    engine = open();
    assertThat(there("session")).isFalse();
    assertThat(alarmed()).isFalse();
  }

  @Test
  void restartAfterALongTimeDeletesOnlyAfterConfirmation() {
    create(60);
    insert("first");
    wall += 8 * HOUR;
    restart();
    assertThat(there("first")).isFalse();
    work();
    assertThat(swept()).isZero();
    assertThat(alarmed()).isTrue();
    insert("second");
    assertThat(there("second")).isTrue();
    pass(10 * MINUTE);
    work();
    assertThat(swept()).isEqualTo(2);
    assertThat(alarmed()).isFalse();
  }

  @Test
  void restartWithAWrongClockThatIsCorrectedDeletesNothing() {
    create(60);
    insert("first");
    wall += YEAR;
    restart();
    work();
    assertThat(there("first")).isFalse();
    wall -= YEAR;
    pass(SECOND);
    assertThat(there("first")).isTrue();
    assertThat(engine.now()).isEqualTo(wall);
  }

  @Test
  void restartForgetsAnUnconfirmedLeap() {
    create(60);
    wall += YEAR;
    insert("first");
    work();
    engine.close();
    wall -= YEAR;
    store = store.reopen();
    engine = open();
    assertThat(engine.now()).isEqualTo(wall);
    assertThat(alarmed()).isFalse();
  }

  // ---- settings

  @Test
  void withoutALimitEveryReadingIsTrusted() {
    engine.close();
    store = store.reopen();
    engine =
        LocalEngine.open(
            store,
            () -> wall,
            EngineSettings.standard(() -> passed * 1_000_000)
                .withBackground(false)
                .withClock(new ClockLimits(0, 0)));
    create(60);
    insert("first");
    wall += YEAR;
    work();
    assertThat(swept()).isOne();
    assertThat(engine.alarms().raised()).isEqualTo(List.of());
  }

  @Test
  void clockDriftIsNotALeap() {
    create(60);
    for (int i = 0; i < 100; i++) {
      pass(HOUR);
      wall += MINUTE;
      work();
      assertThat(engine.now()).isEqualTo(wall);
    }
    assertThat(alarmed()).isFalse();
  }

  private Cursor begun() {
    Cursor cursor = collection().query(Query.of(Filter.all(), Mode.MATCH));
    assertThat(cursor.next()).isTrue();
    return cursor;
  }

  @Test
  void sweepWaitsForCursorsOfALeapThatWasRevoked() {
    engine.create(NAME, CollectionSpec.mongo());
    insert("a");
    insert("b");
    wall += HOUR;
    try (Cursor cursor = begun()) {
      wall -= HOUR;
      collection().alter(spec -> spec.withDefaultTtl(1));
      pass(9 * MINUTE);
      work();
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.next()).isFalse();
    }
    work();
    assertThat(swept()).isEqualTo(2);
  }

  @Test
  void cursorOfALeapThatWasRevokedFailsIfTheSweepHasOutrunIt() {
    create(DAY / SECOND);
    insert("a");
    insert("b");
    wall += HOUR;
    try (Cursor cursor = begun()) {
      wall -= HOUR;
      collection().alter(spec -> spec.withDefaultTtl(1));
      pass(12 * MINUTE);
      work();
      assertThat(swept()).isEqualTo(2);
      assertThatThrownBy(cursor::next)
          .isInstanceOfSatisfying(
              EngineException.class,
              refused -> assertThat(refused.reason()).isEqualTo(Reason.SNAPSHOT_TOO_OLD));
    }
  }
}
