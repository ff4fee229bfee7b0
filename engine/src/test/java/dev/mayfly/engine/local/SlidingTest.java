package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.ExpiryService.NewLife;
import dev.mayfly.engine.ExpiryService.Touch;
import dev.mayfly.engine.ExpiryService.Warnings;
import dev.mayfly.engine.HookedStore;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.TimeToLive.Sliding;
import dev.mayfly.engine.Transaction;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Store;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sliding expiry: documents live for a time after they were last read or written. */
final class SlidingTest {
  private static final long START = 1_700_000_000_250L;
  private static final Namespace NAME = new Namespace("d", "c");
  private static final DocumentKey ONE = DocumentKey.of(Value.of(1));

  /** 100 s after the last use; the slack is 5 s. */
  private static final TimeToLive SESSIONS =
      TimeToLive.NONE.withDefault(100).withSliding(TimeToLive.PROPERTY_RULE);

  private final ManualClock clock = new ManualClock(START);
  private Store store = MemoryStore.withFilters();
  private LocalEngine engine = open();

  private LocalEngine open() {
    return LocalEngine.open(
        store, clock, EngineSettings.standard(clock::now).withBackground(false));
  }

  @AfterEach
  void close() {
    engine.close();
    store.close();
  }

  private LocalCollection create(TimeToLive ttl) {
    IndexSpec used = IndexSpec.implicit("used_1", Part.ascending(FieldPath.of("used")));
    IndexSpec n = IndexSpec.implicit("n_1", Part.ascending(FieldPath.of("n")));
    engine.create(NAME, CollectionSpec.mongo().withIndex(used).withIndex(n).withTimeToLive(ttl));
    return collection();
  }

  private LocalCollection collection() {
    return engine.collection(NAME);
  }

  private static Document document(int id) {
    return Document.writer().put("_id", id).put("n", id % 2).build();
  }

  private static Document used(int id, long date) {
    return Document.writer().put("_id", id).put("used", Value.date(date)).build();
  }

  private void advance(long millis) {
    clock.advance(Duration.ofMillis(millis));
  }

  private static int pending(LocalCollection collection) {
    return collection.owners().getFirst().sliding().pendingTouches();
  }

  private static List<Change> changes(Collection collection) {
    return collection.feeds().getFirst().read(0, 1000);
  }

  @Test
  void aDocumentLivesAfterItsLastReadToTheMillisecond() {
    LocalCollection sessions = create(SESSIONS);
    sessions.insert(document(1));
    for (int i = 0; i < 50; i++) {
      advance(1 + i * 2_000L % 99_000);
      assertThat(sessions.read(ONE)).as("read %s", i).isPresent();
    }
    advance(99_999);
    assertThat(sessions.peek(ONE)).isPresent();
    assertThat(sessions.count(Filter.all())).isEqualTo(1);
    advance(1);
    assertThat(sessions.read(ONE)).isEmpty();
    assertThat(sessions.count(Filter.all())).isZero();
  }

  @Test
  void warningsKnowTouchesInMemory() {
    LocalCollection sessions = create(SESSIONS);
    sessions.insert(document(1));
    advance(2_000);
    assertThat(sessions.read(ONE)).isPresent();
    assertThat(pending(sessions)).isEqualTo(1);
    advance(88_500);
    Warnings before = sessions.expiry().warnings("", 10_000, 5);
    assertThat(before.documents()).isEmpty();
    advance(1_500);
    assertThat(sessions.expiry().warnings(before.next(), 10_000, 5).documents()).hasSize(1);
  }

  @Test
  void everyDecisionAgreesThoughTheTouchIsInMemory() {
    LocalCollection sessions = create(SESSIONS);
    sessions.insert(document(1));
    sessions.insert(document(2));
    advance(2_000);
    assertThat(sessions.read(ONE)).isPresent();
    assertThat(pending(sessions)).as("below the slack").isEqualTo(1);
    advance(99_000);
    assertThat(sessions.usage().documents()).isEqualTo(1);
    assertThat(sessions.peek(ONE)).isPresent();
    assertThat(sessions.count(Filter.equal(FieldPath.of("n"), Value.of(1)))).isEqualTo(1);
    assertThat(sessions.expiry().forecast(clock.now() + 1_000).total().documents()).isEqualTo(1);
    assertThat(sessions.expiry().forecast(clock.now() + 999).total().documents()).isZero();
    engine.workUntilIdle();
    assertThat(sessions.peek(ONE).orElseThrow().deadline()).isEqualTo(START + 102_000);
    advance(1_000);
    assertThat(sessions.usage().documents()).isZero();
    engine.workUntilIdle();
    assertThat(sessions.check(false).wrong()).isZero();
    assertThat(changes(sessions))
        .filteredOn(change -> change.cause() == Change.Cause.DEADLINE)
        .hasSize(2);
  }

  @Test
  void touchesHaveNoVersionAndNoChange() {
    LocalCollection sessions = create(SESSIONS);
    sessions.insert(document(1));
    StoredDocument before = sessions.peek(ONE).orElseThrow();
    int changes = changes(sessions).size();
    for (int i = 0; i < 40; i++) {
      advance(3_000);
      assertThat(sessions.read(ONE)).isPresent();
    }
    StoredDocument after = sessions.peek(ONE).orElseThrow();
    assertThat(after.version()).isEqualTo(before.version());
    assertThat(after.birth()).isEqualTo(before.birth());
    assertThat(after.writtenAt()).isEqualTo(START);
    assertThat(after.deadline()).isGreaterThan(before.deadline());
    assertThat(changes(sessions)).hasSize(changes);
    sessions.write(new Write.Replace(document(1), before.version()));
    assertThat(sessions.peek(ONE).orElseThrow().version()).isGreaterThan(before.version());
    assertThat(sessions.check(false).wrong()).isZero();
  }

  @Test
  void oneTouchPerSlackIsPersisted() {
    LocalCollection sessions = create(SESSIONS);
    sessions.insert(document(1));
    long first = engine.sequence().peek();
    for (int i = 0; i < 10_000; i++) {
      advance(10);
      assertThat(sessions.read(ONE)).isPresent();
    }
    assertThat(engine.sequence().peek() - first)
        .as("100 s of reads, a slack of 5 s")
        .isLessThanOrEqualTo(21);
  }

  @Test
  void aCrashShortensALifeByLessThanTheSlack() {
    HookedStore hooked = new HookedStore(MemoryStore.withFilters());
    engine.close();
    store = hooked;
    engine = open();
    LocalCollection sessions = create(SESSIONS);
    sessions.insert(document(1));
    long last = 0;
    for (int i = 0; i < 100; i++) {
      advance(i * 911L % 40_000);
      assertThat(sessions.read(ONE)).isPresent();
      last = clock.now();
      long stored = storedDeadline();
      assertThat(stored).as("never longer than granted").isLessThanOrEqualTo(last + 100_000);
      assertThat(stored).as("at most the slack").isGreaterThan(last + 95_000);
    }
  }

  /** The deadline that a server would find after a crash. */
  private long storedDeadline() {
    byte[] record =
        java.util.Objects.requireNonNull(collection().owners().getFirst().record(key()));
    return collection().compiled().schedule().deadline(record);
  }

  private byte[] key() {
    return dev.mayfly.engine.storage.PrimaryKey.of(collection().spec(), ONE).bytes();
  }

  @Test
  void aCleanStopPersistsAllTouches() {
    LocalCollection sessions = create(SESSIONS);
    sessions.insert(document(1));
    advance(4_321);
    assertThat(sessions.read(ONE)).isPresent();
    engine.close();
    engine = open();
    assertThat(collection().peek(ONE).orElseThrow().deadline()).isEqualTo(START + 104_321);
  }

  @Test
  void anOwnTtlSlidesToo() {
    LocalCollection sessions = create(SESSIONS);
    sessions.insert(Document.writer().put("_id", 1).put("ttl", 10).build());
    advance(9_999);
    assertThat(sessions.read(ONE)).isPresent();
    advance(9_999);
    assertThat(sessions.read(ONE)).isPresent();
    advance(10_000);
    assertThat(sessions.read(ONE)).isEmpty();
  }

  @Test
  void aWriteCountsAsUseWhateverTheFieldSays() {
    LocalCollection sessions =
        create(TimeToLive.NONE.withIndex("used_1", 100).withSliding("index:used_1"));
    sessions.insert(used(1, START - 50_000));
    assertThat(sessions.peek(ONE).orElseThrow().deadline()).isEqualTo(START + 100_000);
    sessions.write(new Write.Replace(used(1, START + 7_000)));
    assertThat(sessions.peek(ONE).orElseThrow().deadline()).isEqualTo(START + 107_000);
    advance(3_000);
    sessions.read(ONE);
    assertThat(pending(sessions)).as("the field is later than the read").isZero();
    advance(5_000);
    sessions.read(ONE);
    assertThat(sessions.expiry().explain(List.of(ONE)).getFirst().deadline())
        .isEqualTo(START + 108_000);
    sessions.insert(document(2));
    assertThat(sessions.peek(DocumentKey.of(Value.of(2))).orElseThrow().deadline())
        .as("no date")
        .isEqualTo(Deadline.NEVER);
  }

  @Test
  void queriesTouchOnlyByOption() {
    LocalCollection sessions = create(SESSIONS);
    sessions.insert(document(1));
    sessions.insert(document(2));
    advance(60_000);
    Query ones = Query.of(Filter.equal(FieldPath.of("n"), Value.of(1)), Mode.MATCH);
    assertThat(all(sessions, ones)).isEqualTo(1);
    assertThat(sessions.peek(ONE).orElseThrow().deadline()).isEqualTo(START + 100_000);
    Query byId = Query.of(Filter.equal(FieldPath.of("_id"), Value.of(1)), Mode.MATCH);
    assertThat(all(sessions, byId.withoutTouch())).isEqualTo(1);
    assertThat(sessions.peek(ONE).orElseThrow().deadline()).isEqualTo(START + 100_000);
    assertThat(all(sessions, byId)).isEqualTo(1);
    assertThat(sessions.peek(ONE).orElseThrow().deadline()).isEqualTo(START + 160_000);
    sessions.alter(
        spec ->
            spec.withTimeToLive(
                SESSIONS.withSliding(TimeToLive.PROPERTY_RULE, Optional.of(new Sliding(0, true)))));
    advance(10_000);
    assertThat(all(sessions, ones)).isEqualTo(1);
    assertThat(sessions.peek(ONE).orElseThrow().deadline()).isEqualTo(START + 170_000);
    assertThat(sessions.peek(DocumentKey.of(Value.of(2))).orElseThrow().deadline())
        .isEqualTo(START + 100_000);
    assertThat(sessions.count(Filter.equal(FieldPath.of("n"), Value.of(0)))).isEqualTo(1);
    assertThat(sessions.peek(DocumentKey.of(Value.of(2))).orElseThrow().deadline())
        .as("a count reads no document")
        .isEqualTo(START + 100_000);
  }

  private static int all(Collection collection, Query query) {
    int count = 0;
    try (Cursor cursor = collection.query(query)) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void rangesOfTheIndexContainTouchedDocuments() {
    LocalCollection sessions =
        create(TimeToLive.NONE.withIndex("used_1", 100).withSliding("index:used_1"));
    sessions.insert(used(1, START));
    advance(60_000);
    sessions.read(ONE);
    advance(60_000);
    Query range =
        Query.of(
            new Filter.Compare(FieldPath.of("used"), Operator.LT, Value.date(START + 1)),
            Mode.MATCH);
    assertThat(all(sessions, range)).isEqualTo(1);
  }

  @Test
  void anEventLoopDoesNotWaitForAPersistedTouch() {
    LocalCollection sessions = create(SESSIONS);
    sessions.insert(document(1));
    advance(4_000);
    OperationContext loop = OperationContext.begin(engine::now, new PendingCommit());
    assertThat(sessions.read(loop, ONE)).isPresent();
    assertThat(pending(sessions)).isEqualTo(1);
    advance(1_000);
    OperationContext later = OperationContext.begin(engine::now, new PendingCommit());
    assertThatThrownBy(() -> sessions.read(later, ONE)).isInstanceOf(WouldBlock.class);
    assertThat(sessions.read(ONE)).isPresent();
    assertThat(pending(sessions)).isZero();
    OperationContext after = OperationContext.begin(engine::now, new PendingCommit());
    assertThat(sessions.read(after, ONE)).isPresent();
  }

  @Test
  void backgroundWorkPersistsHalfASlackEarly() {
    LocalCollection sessions = create(SESSIONS);
    sessions.insert(document(1));
    advance(2_500);
    sessions.read(ONE);
    assertThat(pending(sessions)).isEqualTo(1);
    advance(100);
    engine.workUntilIdle();
    assertThat(pending(sessions)).isZero();
    assertThat(storedDeadline()).isEqualTo(START + 102_500);
  }

  @Test
  void aTransactionTouchesAndIsNotInConflict() {
    LocalCollection sessions = create(SESSIONS.withDefault(10));
    sessions.insert(document(1));
    advance(1_000);
    try (Transaction transaction = engine.begin()) {
      assertThat(transaction.read(sessions, ONE)).isPresent();
      advance(5_000);
      assertThat(sessions.read(ONE)).as("persists a touch").isPresent();
      advance(8_000);
      transaction.write(sessions, List.of(new Write.Replace(document(1))));
      transaction.commit(Durability.LOGGED);
    }
    assertThat(sessions.peek(ONE).orElseThrow().deadline()).isEqualTo(START + 24_000);
    advance(9_999);
    try (Transaction transaction = engine.begin()) {
      assertThat(transaction.read(sessions, ONE)).isPresent();
    }
    assertThat(sessions.peek(ONE).orElseThrow().deadline()).isEqualTo(clock.now() + 10_000);
  }

  @Test
  void turningItOffEndsGrantedLivesAndUndoRestoresThem() {
    LocalCollection sessions = create(SESSIONS.withGrace(600_000));
    sessions.insert(document(1));
    advance(90_000);
    sessions.read(ONE);
    advance(30_000);
    assertThat(sessions.peek(ONE)).isPresent();
    TimeToLive off = SESSIONS.withGrace(600_000).withSliding("default", Optional.empty());
    assertThat(sessions.expiry().whatIf(spec -> spec.withTimeToLive(off)).documents()).isEqualTo(1);
    sessions.alter(spec -> spec.withTimeToLive(off));
    assertThat(sessions.peek(ONE)).isEmpty();
    sessions.expiry().undo();
    assertThat(sessions.peek(ONE).orElseThrow().deadline()).isEqualTo(START + 190_000);
  }

  @Test
  void turningItOnCountsFromTheLastWrite() {
    LocalCollection sessions = create(TimeToLive.NONE.withDefault(100));
    sessions.insert(document(1));
    advance(40_000);
    sessions.read(ONE);
    sessions.alter(spec -> spec.withTimeToLive(SESSIONS));
    assertThat(sessions.peek(ONE).orElseThrow().deadline()).isEqualTo(START + 100_000);
    sessions.read(ONE);
    assertThat(sessions.peek(ONE).orElseThrow().deadline()).isEqualTo(START + 140_000);
    engine.workUntilIdle();
    assertThat(sessions.check(false).wrong()).isZero();
    advance(99_999);
    assertThat(sessions.usage().documents()).isEqualTo(1);
    advance(1);
    assertThat(sessions.usage().documents()).isZero();
  }

  @Test
  void aShorterTtlAppliesToTouchesInMemory() {
    LocalCollection sessions = create(SESSIONS);
    sessions.insert(document(1));
    advance(4_000);
    sessions.read(ONE);
    sessions.alter(spec -> spec.withTimeToLive(SESSIONS.withDefault(10)));
    advance(9_999);
    assertThat(sessions.peek(ONE)).isPresent();
    advance(1);
    assertThat(sessions.peek(ONE)).isEmpty();
    sessions.alter(spec -> spec.withTimeToLive(SESSIONS));
    assertThat(sessions.peek(ONE)).as("stays expired").isEmpty();
  }

  @Test
  void anExpiredTouchInMemoryStaysExpiredAfterALongerTtl() {
    LocalCollection sessions = create(SESSIONS);
    sessions.insert(document(1));
    advance(4_000);
    sessions.read(ONE);
    advance(100_000);
    sessions.alter(spec -> spec.withTimeToLive(SESSIONS.withDefault(1_000)));
    assertThat(sessions.peek(ONE)).isEmpty();
    assertThat(sessions.usage().documents()).isZero();
  }

  @Test
  void aUniqueKeyIsHeldAsLongAsItsDocumentLives() {
    LocalCollection sessions = create(SESSIONS);
    sessions.alter(
        spec ->
            spec.withIndex(
                IndexSpec.implicit("u", Part.ascending(FieldPath.of("u"))).withUnique(true)));
    engine.workUntilIdle();
    sessions.insert(Document.writer().put("_id", 1).put("u", 7).build());
    advance(3_000);
    sessions.read(ONE);
    advance(99_999);
    Document other = Document.writer().put("_id", 2).put("u", 7).build();
    assertThatThrownBy(() -> sessions.insert(other)).isInstanceOf(EngineException.class);
    advance(1);
    sessions.insert(other);
    assertThat(sessions.count(Filter.all())).isEqualTo(1);
  }

  @Test
  void deadlinesOfASlidingRuleCanOnlyBeRestarted() {
    LocalCollection sessions = create(SESSIONS);
    sessions.insert(document(1));
    advance(50_000);
    Query all = Query.of(Filter.all(), Mode.MATCH);
    assertThatThrownBy(
            () ->
                sessions
                    .expiry()
                    .touch(all, Touch.of(new NewLife.Until(START + 1_000_000)), () -> false))
        .hasMessageContaining("slides");
    sessions.expiry().touch(all, Touch.of(new NewLife.Restarted()), () -> false);
    assertThat(sessions.peek(ONE).orElseThrow().deadline()).isEqualTo(START + 150_000);
  }

  @Test
  void otherRulesStillEndALife() {
    LocalCollection sessions = create(SESSIONS.withIndex("used_1", 150));
    sessions.insert(used(1, START));
    for (int i = 0; i < 3; i++) {
      advance(49_999);
      assertThat(sessions.read(ONE)).isPresent();
    }
    advance(3);
    assertThat(sessions.read(ONE)).isEmpty();
  }
}
