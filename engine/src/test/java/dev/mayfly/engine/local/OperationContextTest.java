package dev.mayfly.engine.local;

import static dev.mayfly.engine.model.Counters.counter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.Transaction;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.expiry.Clock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An operation has one instant: here the clock moves by a second with every look. */
final class OperationContextTest {
  private static final long START = 1_700_000_000_000L;
  private static final long SECOND = 1_000;
  private static final DocumentKey FIRST = DocumentKey.of(Value.of(1));
  private static final Query ALL = Query.of(Filter.all(), Mode.MATCH);

  private final TickingClock clock = new TickingClock();
  private final LocalEngine engine =
      LocalEngine.open(
          MemoryStore.withFilters(), clock, EngineSettings.standard(() -> 0).withBackground(false));

  /** A clock that moves by a second with every look. */
  private static final class TickingClock implements Clock {
    private long millis = START;

    @Override
    public long now() {
      millis += SECOND;
      return millis;
    }

    @Override
    public boolean isManual() {
      return true;
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private LocalCollection things(int ttlSeconds) {
    return engine.create(
        new Namespace("db", "things"), CollectionSpec.mongo().withDefaultTtl(ttlSeconds));
  }

  private OperationContext operation() {
    return OperationContext.begin(engine::now);
  }

  private static List<WriteOutcome> write(
      LocalCollection things, OperationContext operation, Write write) {
    return things
        .write(operation, List.of(write), Grouping.ATOMIC, Durability.SYNCED, null)
        .outcomes();
  }

  private static long size(Cursor cursor) {
    long size = 0;
    try (cursor) {
      while (cursor.next()) {
        size++;
      }
    }
    return size;
  }

  /** Returns how many looks at the clock an action makes. */
  private long looks(Runnable action) {
    long before = clock.millis;
    action.run();
    return (clock.millis - before) / SECOND;
  }

  @Test
  void everythingInAnOperationHappensAtItsInstant() {
    LocalCollection things = things(1);
    OperationContext operation = operation();
    Filter every = new Filter.Compare(FieldPath.of("_id"), Operator.GTE, Value.of(0));
    assertThat(
            looks(
                () -> {
                  assertThat(write(things, operation, new Write.Insert(counter(1, 0))))
                      .singleElement()
                      .isInstanceOf(WriteOutcome.Inserted.class);
                  assertThat(things.read(operation, FIRST).orElseThrow().writtenAt())
                      .isEqualTo(operation.now());
                  assertThat(size(things.query(operation, ALL))).isEqualTo(1);
                  assertThat(size(things.records(operation, List.of()))).isEqualTo(1);
                  assertThat(things.count(operation, every)).isEqualTo(1);
                  assertThat(things.usage(operation).documents()).isEqualTo(1);
                  things.explain(operation, ALL);
                  assertThat(write(things, operation, new Write.Delete(FIRST)))
                      .singleElement()
                      .isInstanceOf(WriteOutcome.Deleted.class);
                }))
        .isZero();
    assertThat(things.read(FIRST)).isEmpty();
  }

  @Test
  void reportsOnExpiryAreAsOfTheInstantOfTheOperation() {
    LocalCollection things = things(3);
    OperationContext operation = operation();
    write(things, operation, new Write.Insert(counter(1, 0)));
    ExpiryService expiry = things.expiry(operation);
    assertThat(
            looks(
                () -> {
                  assertThat(expiry.explain(List.of(FIRST)).getFirst().state())
                      .isEqualTo(ExpiryService.Life.State.LIVE);
                  assertThat(expiry.forecast(operation.now() + 3 * SECOND).total().documents())
                      .isEqualTo(1);
                  assertThat(expiry.backlog().documents()).isZero();
                  assertThat(expiry.soonest("", 1, () -> false).documents()).hasSize(1);
                  assertThat(expiry.nextDeadlines()).hasSize(1);
                  assertThat(expiry.neverExpiring(10).sampled()).isEqualTo(1);
                }))
        .isZero();
    // these also depend on how far the sweep may go, by confirmed time
    assertThat(looks(() -> expiry.whatIf(spec -> spec.withDefaultTtl(1)))).isOne();
    assertThat(looks(expiry::undoPreview)).isOne();
    assertThat(looks(() -> things.expiry().explain(List.of(FIRST)))).isOne();
    assertThat(looks(() -> things.expiry().forecast(clock.millis))).isOne();
    OperationContext later = operation();
    assertThat(things.expiry(later).explain(List.of(FIRST)).getFirst().state())
        .isEqualTo(ExpiryService.Life.State.EXPIRED);
  }

  @Test
  void callWithoutAContextLooksOnce() {
    LocalCollection things = things(60);
    assertThat(looks(() -> things.insert(counter(1, 0)))).isOne();
    assertThat(looks(() -> things.read(FIRST))).isOne();
    assertThat(looks(() -> size(things.query(ALL)))).isOne();
    assertThat(looks(() -> things.count(Filter.all()))).isOne();
    assertThat(looks(things::usage)).isOne();
    assertThat(looks(() -> things.write(new Write.Delete(FIRST)))).isOne();
  }

  @Test
  void laterOperationSeesWhatHasExpiredSince() {
    LocalCollection things = things(2);
    OperationContext before = operation();
    write(things, before, new Write.Insert(counter(1, 0)));
    assertThat(things.read(operation(), FIRST)).isPresent();
    OperationContext at = operation();
    assertThat(at.now()).isEqualTo(before.now() + 2 * SECOND);
    assertThat(things.read(at, FIRST)).isEmpty();
    assertThat(size(things.query(at, ALL))).isZero();
    assertThat(things.read(before, FIRST)).isPresent();
  }

  @Test
  void cursorIsRenewedIfTheSweepHasPassedItsInstant() {
    LocalCollection things = things(2);
    OperationContext before = operation();
    write(things, before, new Write.Insert(counter(1, 0)));
    long instant = before.now();
    assertThat(size(things.query(before, ALL))).isEqualTo(1);
    engine.workUntilIdle();
    assertThat(size(things.query(before, ALL))).isZero();
    assertThat(before.now()).isGreaterThan(instant);
  }

  @Test
  void openCursorHoldsTheSweepAtTheInstantOfItsOperation() {
    LocalCollection things = things(2);
    OperationContext operation = operation();
    write(things, operation, new Write.Insert(counter(1, 0)));
    try (Cursor cursor = things.query(operation, ALL)) {
      engine.workUntilIdle();
      assertThat(size(things.query(operation, ALL))).isEqualTo(1);
      assertThat(cursor.next()).isTrue();
    }
    engine.workUntilIdle();
    assertThat(engine.sweepStats().documents()).isEqualTo(1);
  }

  @Test
  void commandsOfATransactionLookOnceAndItsCommitOnceMore() {
    LocalCollection things = things(60);
    OperationContext first = operation();
    Transaction transaction = engine.begin(first, TransactionId.NONE);
    assertThat(transaction.now()).isEqualTo(first.now());
    assertThat(
            looks(
                () -> {
                  transaction.write(first, things, List.of(new Write.Insert(counter(1, 0))));
                  assertThat(transaction.read(first, things, FIRST)).isPresent();
                  assertThat(size(transaction.query(first, things, ALL))).isEqualTo(1);
                  assertThat(transaction.open(first)).isTrue();
                  assertThat(transaction.wrote()).isTrue();
                }))
        .isZero();
    OperationContext last = operation();
    assertThat(looks(() -> transaction.commit(last, Durability.SYNCED))).isOne();
    assertThat(things.read(FIRST).orElseThrow().writtenAt()).isEqualTo(last.now());
  }
}
