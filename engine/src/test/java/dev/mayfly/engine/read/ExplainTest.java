package dev.mayfly.engine.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Explanation.Access;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.index.ValueRange;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Hint;
import dev.mayfly.query.Mode;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ExplainTest {
  private static final FieldPath ID = FieldPath.of("_id");
  private static final FieldPath N = FieldPath.of("n");
  private static final FieldPath S = FieldPath.of("s");
  private static final IndexSpec BY_N = IndexSpec.implicit("n_1", Part.ascending(N));
  private static final IndexSpec BY_N_S =
      IndexSpec.implicit("n_1_s_-1", Part.ascending(N), Part.descending(S));

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final LocalEngine engine =
      LocalEngine.open(
          MemoryStore.withFilters(),
          clock,
          EngineSettings.standard(clock::now).withBackground(false));

  @AfterEach
  void close() {
    engine.close();
  }

  private LocalCollection filled(CollectionSpec spec) {
    LocalCollection things = engine.create(new Namespace("test", "things"), spec);
    for (int i = 0; i < 20; i++) {
      int id = i * 7 % 20;
      things.insert(
          Document.writer().put("_id", id).put("n", id % 5).put("s", "text " + id).build());
    }
    return things;
  }

  private static Query query(Filter filter) {
    return Query.of(filter, Mode.MATCH);
  }

  private static Filter compare(FieldPath path, Operator operator, Value value) {
    return new Filter.Compare(path, operator, value);
  }

  private static List<Integer> ids(Cursor cursor) {
    List<Integer> ids = new ArrayList<>();
    while (cursor.next()) {
      ids.add(cursor.document().field("_id").asInt());
    }
    return ids;
  }

  private static List<Integer> ids(LocalCollection collection, Query query) {
    try (Cursor cursor = collection.query(query)) {
      return ids(cursor);
    }
  }

  @Test
  void queryByIdIsAPointRead() {
    LocalCollection things = filled(CollectionSpec.mongo());
    try (Cursor cursor = things.query(query(Filter.equal(ID, Value.of(3))))) {
      assertThat(ids(cursor)).containsExactly(3);
      assertThat(cursor.explain()).isEqualTo(new Explanation(new Access.Point(), false, 0, 1, 1));
    }
  }

  @Test
  void queryByAnIdDocumentIsAPointRead() {
    LocalCollection things = engine.create(new Namespace("test", "d"), CollectionSpec.mongo());
    Document id = Document.writer().put("a", 1).put("b", "x").build();
    things.insert(Document.writer().put("_id", id).build());
    Query query = query(Filter.equal(ID, Value.of(id)));
    assertThat(things.explain(query).access()).isEqualTo(new Access.Point());
    try (Cursor cursor = things.query(query)) {
      assertThat(cursor.next()).isTrue();
    }
  }

  @Test
  void explainContainsTheBoundsOfEachPart() {
    LocalCollection things = filled(CollectionSpec.mongo().withIndex(BY_N_S));
    Query query =
        query(
            Filter.and(
                List.of(
                    Filter.equal(N, Value.of(2)),
                    compare(S, Operator.GT, Value.of("text 2")),
                    compare(S, Operator.LTE, Value.of("text 7")))));
    Access.Index access = (Access.Index) things.explain(query).access();
    assertThat(access.index()).isEqualTo(BY_N_S);
    assertThat(access.backward()).isFalse();
    assertThat(access.multikey()).isFalse();
    assertThat(access.bounds())
        .containsExactly(
            List.of(new ValueRange(Value.of(2), true, Value.of(2), true)),
            List.of(new ValueRange(Value.of("text 2"), false, Value.of("text 7"), true)));
    try (Cursor cursor = things.query(query)) {
      assertThat(ids(cursor)).containsExactly(7);
      assertThat(cursor.explain().keysExamined()).isEqualTo(1);
      assertThat(cursor.explain().documentsExamined()).isEqualTo(1);
    }
  }

  @Test
  void openBoundsAreTheBoundsOfTheType() {
    LocalCollection things = filled(CollectionSpec.mongo().withIndex(BY_N));
    assertThat(bounds(things, compare(N, Operator.GTE, Value.of(3))))
        .containsExactly(
            new ValueRange(Value.of(3), true, Value.of(Double.POSITIVE_INFINITY), true));
    assertThat(bounds(things, compare(N, Operator.LT, Value.of(3))))
        .containsExactly(
            new ValueRange(Value.of(Double.NEGATIVE_INFINITY), true, Value.of(3), false));
    assertThat(bounds(things, new Filter.In(N, List.of(Value.of(4), Value.of(1)))))
        .containsExactly(
            new ValueRange(Value.of(1), true, Value.of(1), true),
            new ValueRange(Value.of(4), true, Value.of(4), true));
  }

  private static List<ValueRange> bounds(LocalCollection things, Filter filter) {
    return ((Access.Index) things.explain(query(filter)).access()).bounds().getFirst();
  }

  @Test
  void idsAreExplainedAsTheIdIndex() {
    LocalCollection things = filled(CollectionSpec.mongo());
    Query some = query(compare(ID, Operator.GTE, Value.of(15)));
    Access.Index access = (Access.Index) things.explain(some).access();
    assertThat(access.index().name()).isEqualTo("_id_");
    try (Cursor cursor = things.query(some)) {
      assertThat(ids(cursor)).containsExactly(15, 16, 17, 18, 19);
      assertThat(cursor.explain().documentsExamined()).isEqualTo(5);
    }
    Query backward = some.orderedBy(Sort.descending(ID)).limitedTo(2);
    assertThat(things.explain(backward).sorts()).isFalse();
    assertThat(ids(things, backward)).containsExactly(19, 18);
    Query several = query(new Filter.In(ID, List.of(Value.of(9), Value.of(2), Value.of(99))));
    assertThat(ids(things, several)).containsExactly(2, 9);
  }

  @Test
  void hintedIndexIsUsedWithoutBounds() {
    LocalCollection things = filled(CollectionSpec.mongo().withIndex(BY_N));
    Query byN = query(Filter.equal(S, Value.of("text 4"))).withHint(new Hint.Index("n_1"));
    assertThat(((Access.Index) things.explain(byN).access()).bounds().getFirst())
        .containsExactly(ValueRange.ALL);
    assertThat(ids(things, byN)).containsExactly(4);
    Query byId = query(compare(N, Operator.GT, Value.of(3))).withHint(new Hint.Index("_id_"));
    assertThat(ids(things, byId)).containsExactly(4, 9, 14, 19);
    assertThatThrownBy(() -> things.query(byN.withHint(new Hint.Index("nowhere"))))
        .isInstanceOfSatisfying(
            EngineException.class,
            failure -> assertThat(failure.reason()).isEqualTo(EngineException.Reason.BAD_HINT));
  }

  @Test
  void naturalOrderWorksInBothDirections() {
    LocalCollection things = filled(CollectionSpec.mongo().withIndex(BY_N));
    Query up = query(Filter.equal(N, Value.of(1))).withHint(new Hint.Natural(false));
    assertThat(things.explain(up).access()).isEqualTo(new Access.Scan(false));
    Query down = up.withHint(new Hint.Natural(true));
    assertThat(ids(things, down)).isEqualTo(ids(things, up).reversed());
  }

  @Test
  void cappedCollectionIsReadInInsertionOrder() {
    LocalCollection things = filled(CollectionSpec.mongo().withCap(1 << 20, 15));
    things.write(
        new Write.Update(
            DocumentKey.of(Value.of(9)),
            _ -> Document.writer().put("_id", 9).put("s", "new").build()));
    List<Integer> arrived = List.of(15, 2, 9, 16, 3, 10, 17, 4, 11, 18, 5, 12, 19, 6, 13);
    things.insert(Document.writer().put("_id", 100).build());
    List<Integer> left = new ArrayList<>(arrived.subList(1, arrived.size()));
    left.add(100);
    assertThat(ids(things, query(Filter.all()))).isEqualTo(left);
    Query down = query(Filter.all()).withHint(new Hint.Natural(true));
    assertThat(ids(things, down)).isEqualTo(left.reversed());
  }

  @Test
  void tailableCursorResumesAfterTheLastArrival() throws InterruptedException {
    LocalCollection things = filled(CollectionSpec.mongo().withCap(1 << 20, 0));
    Query all = query(Filter.all());
    long last = 0;
    try (Cursor cursor = things.arrivals(all, 0)) {
      while (cursor.next()) {
        assertThat(cursor.arrival()).isGreaterThan(last);
        last = cursor.arrival();
      }
    }
    assertThat(things.awaitArrival(last, Duration.ZERO)).isFalse();
    things.write(new Write.Delete(DocumentKey.of(Value.of(4))));
    assertThat(things.awaitArrival(last, Duration.ZERO)).isFalse();
    things.insert(Document.writer().put("_id", 100).build());
    assertThat(things.awaitArrival(last, Duration.ZERO)).isTrue();
    try (Cursor cursor = things.arrivals(all, last)) {
      assertThat(ids(cursor)).containsExactly(100);
    }
  }

  @Test
  void renameKeepsTheIdOfACollection() {
    LocalCollection things = filled(CollectionSpec.mongo());
    long id = things.id();
    var uuid = things.uuid();
    engine.rename(new Namespace("test", "things"), new Namespace("test", "others"), false);
    LocalCollection renamed = engine.collection(new Namespace("test", "others"));
    assertThat(renamed.id()).isEqualTo(id);
    assertThat(renamed.uuid()).isEqualTo(uuid);
    LocalCollection another =
        engine.create(new Namespace("test", "things"), CollectionSpec.mongo());
    assertThat(another.id()).isNotEqualTo(id);
    assertThat(another.uuid()).isNotEqualTo(uuid);
    assertThat(uuid.version()).isEqualTo(4);
  }

  @Test
  void optionsOfAProtocolAreStored() {
    MemoryStore store = new MemoryStore();
    EngineSettings settings = EngineSettings.standard(clock::now).withBackground(false);
    Namespace name = new Namespace("test", "options");
    Document options = Document.writer().put("validator", "x").build();
    try (LocalEngine first = LocalEngine.open(store, clock, settings)) {
      first.create(name, CollectionSpec.mongo());
      first.collection(name).alter(spec -> spec.withOptions(options));
    }
    try (LocalEngine second = LocalEngine.open(store.reopen(), clock, settings)) {
      assertThat(second.collection(name).spec().options()).isEqualTo(options);
    }
  }
}
