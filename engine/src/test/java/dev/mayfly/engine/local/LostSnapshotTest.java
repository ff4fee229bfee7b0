package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Transaction;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A read whose documents are removed meanwhile fails, and never returns fewer documents. */
final class LostSnapshotTest {
  private static final Namespace NAME = new Namespace("db", "things");
  private static final FieldPath X = FieldPath.of("x");
  private static final int COUNT = 20;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private LocalEngine engine;
  private LocalCollection things;

  @BeforeEach
  void open() {
    engine =
        LocalEngine.open(
            MemoryStore.withFilters(),
            clock,
            EngineSettings.standard(clock::now).withBackground(false));
    things =
        engine.create(
            NAME,
            CollectionSpec.mongo()
                .withIndex(IndexSpec.implicit("x_1", Part.ascending(X)))
                .withDefaultTtl(60));
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      writes.add(new Write.Insert(Document.writer().put("_id", i).put("x", i).build()));
    }
    things.write(writes, Grouping.ORDERED, Durability.LOGGED);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Cursor begun(Filter filter) {
    Cursor cursor = things.query(Query.of(filter, things.spec().dialect().mode()));
    assertThat(cursor.next()).isTrue();
    return cursor;
  }

  private static Filter byIndex() {
    return new Filter.Compare(X, Operator.GTE, Value.of(0));
  }

  private static void fails(ThrowingCallable call, Reason reason) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private static int rest(Cursor cursor) {
    int rest = 0;
    while (cursor.next()) {
      rest++;
    }
    return rest;
  }

  @Test
  void cursorsOnADroppedCollectionFail() {
    try (Cursor scan = begun(Filter.all());
        Cursor walk = begun(byIndex())) {
      engine.drop(NAME);
      engine.workUntilIdle();
      fails(scan::next, Reason.DROPPED);
      fails(walk::next, Reason.DROPPED);
    }
  }

  @Test
  void transactionsOnADroppedCollectionFail() {
    DocumentKey first = DocumentKey.of(Value.of(0));
    try (Transaction view = engine.view(60_000);
        LocalTransaction transaction = engine.begin()) {
      assertThat(view.read(things, first)).isPresent();
      assertThat(transaction.read(things, first)).isPresent();
      try (Cursor cursor =
          view.query(things, Query.of(Filter.all(), things.spec().dialect().mode()))) {
        assertThat(cursor.next()).isTrue();
        engine.drop(NAME);
        engine.workUntilIdle();
        fails(cursor::next, Reason.DROPPED);
      }
      fails(() -> view.read(things, first), Reason.SNAPSHOT_TOO_OLD);
      fails(() -> view.count(things, Filter.all()), Reason.SNAPSHOT_TOO_OLD);
      fails(() -> transaction.read(things, first), Reason.WRITE_CONFLICT);
    }
  }

  @Test
  void collectionReplacedByARenameIsDropped() {
    Namespace other = new Namespace("db", "other");
    engine.create(other, CollectionSpec.mongo());
    try (Cursor scan = begun(Filter.all())) {
      engine.rename(other, NAME, true);
      fails(scan::next, Reason.DROPPED);
    }
  }

  @Test
  void cursorIsCompleteWhileTheSweepWaitsForIt() {
    try (Cursor scan = begun(Filter.all())) {
      clock.advance(Duration.ofMinutes(9));
      engine.workUntilIdle();
      assertThat(rest(scan)).isEqualTo(COUNT - 1);
    }
  }

  @Test
  void cursorOlderThanTheSweepFails() {
    try (Cursor scan = begun(Filter.all());
        Cursor walk = begun(byIndex())) {
      clock.advance(Duration.ofMinutes(12));
      engine.workUntilIdle();
      fails(scan::next, Reason.SNAPSHOT_TOO_OLD);
      fails(walk::next, Reason.SNAPSHOT_TOO_OLD);
    }
  }

  @Test
  void cursorWithoutASweepHasNoTimeLimit() {
    things.alter(spec -> spec.withTimeToLive(TimeToLive.NONE));
    try (Cursor scan = begun(Filter.all())) {
      clock.advance(Duration.ofHours(5));
      engine.workUntilIdle();
      assertThat(rest(scan)).isEqualTo(COUNT - 1);
    }
  }

  @Test
  void sortedCursorNeedsNoSnapshot() {
    Query sorted =
        Query.of(Filter.all(), things.spec().dialect().mode())
            .orderedBy(Sort.descending(FieldPath.of("y")));
    try (Cursor cursor = things.query(sorted)) {
      assertThat(cursor.next()).isTrue();
      clock.advance(Duration.ofMinutes(12));
      engine.workUntilIdle();
      assertThat(rest(cursor)).isEqualTo(COUNT - 1);
    }
  }
}
