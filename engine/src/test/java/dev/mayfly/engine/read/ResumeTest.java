package dev.mayfly.engine.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Continuation of queries: pages return the same documents as one cursor. */
@ExtendWith(SeedExtension.class)
final class ResumeTest {
  private static final Namespace NAME = new Namespace("cosmos", "items");
  private static final FieldPath A = FieldPath.of("a");
  private static final FieldPath B = FieldPath.of("b");

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

  private LocalCollection items(int shards) {
    CollectionSpec spec =
        CollectionSpec.cosmos("p")
            .withShards(shards)
            .withIndex(IndexSpec.explicit("all", Part.wildcard(FieldPath.of(List.of()))))
            .withIndex(IndexSpec.explicit("both", Part.ascending(A), Part.descending(B)));
    return engine.create(NAME, spec);
  }

  private static void fill(LocalCollection items, int count, Random random) {
    for (int i = 0; i < count; i++) {
      items.insert(
          Document.writer()
              .put("id", "i" + i)
              .put("p", "p" + random.nextInt(7))
              .put("a", random.nextInt(4))
              .put("b", random.nextInt(5))
              .build());
    }
  }

  private static List<Query> queries() {
    Filter some = new Filter.Compare(A, Operator.GTE, Value.of(1));
    Filter exists = new Filter.Exists(A, true);
    Filter both = Filter.and(List.of(Filter.equal(A, Value.of(2)), Filter.equal(B, Value.of(1))));
    Filter in = new Filter.In(A, List.of(Value.of(0), Value.of(3)));
    Filter partition = Filter.equal(FieldPath.of("p"), Value.of("p1"));
    Filter narrowed = Filter.and(List.of(partition, Filter.equal(A, Value.of(2))));
    Filter ranged = Filter.and(List.of(partition, some));
    Filter unindexed = new Filter.Compare(FieldPath.of("c"), Operator.EQ, Value.of(1));
    List<Query> queries = new ArrayList<>();
    for (Filter filter :
        List.of(Filter.all(), some, both, in, partition, narrowed, ranged, unindexed)) {
      queries.add(Query.of(filter, Mode.SQL));
    }
    queries.add(Query.of(exists, Mode.SQL).orderedBy(Sort.ascending(A)));
    queries.add(Query.of(in, Mode.SQL).orderedBy(Sort.descending(A)));
    queries.add(Query.of(Filter.all(), Mode.SQL).orderedBy(Sort.ascending(A), Sort.descending(B)));
    queries.add(Query.of(Filter.all(), Mode.SQL).orderedBy(Sort.descending(A), Sort.ascending(B)));
    queries.add(Query.of(some, Mode.SQL).orderedBy(Sort.ascending(B)));
    queries.add(Query.of(partition, Mode.SQL).orderedBy(Sort.ascending(B), Sort.ascending(A)));
    return queries;
  }

  @Test
  void pagesReturnEachDocumentOnceInOrder(Random random) {
    for (int shards : new int[] {1, 3}) {
      LocalCollection items = items(shards);
      fill(items, 60, random);
      for (Query query : queries()) {
        List<String> whole = ids(items.query(query), Integer.MAX_VALUE);
        assertThat(paged(items, query, random)).as("%s", query).isEqualTo(whole);
      }
      engine.drop(NAME);
    }
  }

  private static List<String> paged(LocalCollection items, Query query, Random random) {
    List<String> ids = new ArrayList<>();
    Cursor cursor = items.query(query);
    boolean ended = false;
    while (!ended) {
      try (Cursor page = cursor) {
        ended = page(page, 1 + random.nextInt(5), ids);
        cursor = items.resume(query, page.place());
      }
    }
    cursor.close();
    return ids;
  }

  private static boolean page(Cursor cursor, int size, List<String> ids) {
    for (int i = 0; i < size; i++) {
      if (!cursor.next()) {
        return true;
      }
      ids.add(cursor.document().field("id").asString());
    }
    return false;
  }

  @Test
  void smallAllowancesReturnTheSameDocuments(Random random) {
    for (int shards : new int[] {1, 3}) {
      LocalCollection items = items(shards);
      fill(items, 60, random);
      for (Query query : queries()) {
        List<String> whole = ids(items.query(query), Integer.MAX_VALUE);
        List<String> found = new ArrayList<>();
        try (Cursor cursor = items.query(query)) {
          Cursor.Progress progress = cursor.advance(1 + random.nextInt(3));
          while (progress != Cursor.Progress.ENDED) {
            if (progress == Cursor.Progress.FOUND) {
              found.add(cursor.document().field("id").asString());
            }
            progress = cursor.advance(1 + random.nextInt(3));
          }
        }
        assertThat(found).as("%s", query).isEqualTo(whole);
      }
      engine.drop(NAME);
    }
  }

  @Test
  void restWithoutADocumentCanBeResumed(Random random) {
    for (int shards : new int[] {1, 3}) {
      LocalCollection items = items(shards);
      fill(items, 60, random);
      for (Query query : queries()) {
        if (items.explain(query).sorts()) {
          continue;
        }
        List<String> found = new ArrayList<>();
        Cursor cursor = items.query(query);
        Cursor.Progress progress = cursor.advance(5);
        while (progress != Cursor.Progress.ENDED) {
          if (progress == Cursor.Progress.FOUND) {
            found.add(cursor.document().field("id").asString());
          }
          byte[] place = cursor.place();
          cursor.close();
          cursor = items.resume(query, place);
          progress = cursor.advance(5);
        }
        cursor.close();
        assertThat(found).as("%s", query).isEqualTo(ids(items.query(query), Integer.MAX_VALUE));
      }
      engine.drop(NAME);
    }
  }

  @Test
  void documentExpiredBetweenPagesIsNotReturned() {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p").withDefaultTtl(10));
    for (int i = 0; i < 10; i++) {
      items.insert(Document.writer().put("id", "i" + i).put("p", "p").put("ttl", 5 + i).build());
    }
    Query all = Query.of(Filter.all(), Mode.SQL);
    byte[] place;
    try (Cursor cursor = items.query(all)) {
      assertThat(cursor.next()).isTrue();
      place = cursor.place();
    }
    clock.advance(Duration.ofSeconds(11));
    assertThat(ids(items.resume(all, place), 100)).containsExactly("i7", "i8", "i9");
  }

  @Test
  void tokenStaysValidWhenItsDocumentIsDeleted() {
    LocalCollection items = items(1);
    fill(items, 20, new Random(1));
    Query ordered = Query.of(new Filter.Exists(A, true), Mode.SQL).orderedBy(Sort.ascending(A));
    List<String> whole = ids(items.query(ordered), 100);
    byte[] place;
    DocumentKey last;
    try (Cursor cursor = items.query(ordered)) {
      for (int i = 0; i < 8; i++) {
        cursor.next();
      }
      place = cursor.place();
      Document document = cursor.document();
      last = new DocumentKey(List.of(document.field("p")), document.field("id"));
    }
    items.write(new Write.Delete(last, Write.ANY_VERSION));
    assertThat(ids(items.resume(ordered, place), 100)).isEqualTo(whole.subList(8, 20));
  }

  @Test
  void tokenKeepsItsPlanWhenABetterIndexExists() {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p"));
    fill(items, 20, new Random(2));
    Query some = Query.of(new Filter.Compare(A, Operator.GTE, Value.of(1)), Mode.SQL);
    List<String> whole = ids(items.query(some), 100);
    byte[] place;
    try (Cursor cursor = items.query(some)) {
      cursor.next();
      place = cursor.place();
    }
    items.alter(spec -> spec.withIndex(IndexSpec.explicit("a", Part.ascending(A))));
    while (engine.work()) {}
    assertThat(items.explain(some).access()).isInstanceOf(Explanation.Access.Index.class);
    assertThat(ids(items.resume(some, place), 100)).isEqualTo(whole.subList(1, whole.size()));
  }

  @Test
  void tokenOfADroppedIndexIsRejected() {
    LocalCollection items = items(1);
    fill(items, 20, new Random(3));
    Query some = Query.of(new Filter.Compare(A, Operator.GTE, Value.of(1)), Mode.SQL);
    byte[] place;
    try (Cursor cursor = items.query(some)) {
      cursor.next();
      place = cursor.place();
    }
    items.alter(
        spec -> {
          CollectionSpec bare = spec;
          for (IndexSpec index : spec.indexes()) {
            bare = bare.withoutIndex(index.name());
          }
          return bare;
        });
    assertThatThrownBy(() -> items.resume(some, place))
        .isInstanceOfSatisfying(
            EngineException.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.BAD_HINT));
  }

  @Test
  void documentWithADuplicateFieldIsReturnedOnce() {
    IndexSpec all = IndexSpec.explicit("all", Part.wildcard(FieldPath.of(List.of())));
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p").withIndex(all));
    items.insert(
        Document.writer().put("id", "i").put("p", "p").put("a", 1).put("b", 0).put("a", 2).build());
    Query some = Query.of(new Filter.Compare(A, Operator.GTE, Value.of(0)), Mode.SQL);
    assertThat(items.explain(some).access()).isInstanceOf(Explanation.Access.Index.class);
    assertThat(ids(items.query(some), 10)).containsExactly("i");
    assertThat(ids(items.query(Query.of(Filter.equal(A, Value.of(1)), Mode.SQL)), 10)).hasSize(1);
  }

  @Test
  void anyTokenBytesAreRejectedOrValid(Random random) {
    LocalCollection items = items(1);
    fill(items, 5, random);
    for (int i = 0; i < 2000; i++) {
      byte[] place = new byte[random.nextInt(30)];
      random.nextBytes(place);
      if (place.length > 1) {
        place[0] = (byte) random.nextInt(2);
        place[1] = (byte) "PRKI-".charAt(random.nextInt(5));
      }
      try (Cursor cursor = items.resume(Query.of(Filter.all(), Mode.SQL), place)) {
        assertThat(ids(cursor, 10)).hasSizeLessThan(6);
      } catch (EngineException refused) {
        assertThat(refused.reason()).isEqualTo(Reason.BAD_HINT);
      }
    }
  }

  private static List<String> ids(Cursor cursor, int most) {
    List<String> ids = new ArrayList<>();
    try (cursor) {
      while (ids.size() < most && cursor.next()) {
        ids.add(cursor.document().field("id").asString());
      }
    }
    return ids;
  }
}
