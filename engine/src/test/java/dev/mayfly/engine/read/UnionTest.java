package dev.mayfly.engine.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Explanation.Access;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.local.LocalTransaction;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Hint;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Unions: an {@code $or} whose members all have an index. */
@ExtendWith(SeedExtension.class)
final class UnionTest {
  private static final FieldPath A = FieldPath.of("a");
  private static final FieldPath B = FieldPath.of("b");
  private static final FieldPath C = FieldPath.of("c");
  private static final FieldPath ID = FieldPath.of("_id");
  private static final int DOCUMENTS = 200;
  private static final int VALUES = 12;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final LocalEngine engine =
      LocalEngine.open(
          MemoryStore.withFilters(),
          clock,
          EngineSettings.standard(clock::now).withBackground(false));
  private final LocalCollection things =
      engine.create(
          new Namespace("test", "things"),
          CollectionSpec.mongo()
              .withIndex(IndexSpec.implicit("a_1", Part.ascending(A)))
              .withIndex(IndexSpec.implicit("b_-1", Part.descending(B)).withSparse(true)));
  private final List<Document> all = new ArrayList<>();

  @BeforeEach
  void fill(Random random) {
    for (int i = 0; i < DOCUMENTS; i++) {
      Document document =
          Document.writer()
              .put("_id", i)
              .put("a", value(random))
              .put("b", random.nextInt(3) == 0 ? Value.MISSING : value(random))
              .put("c", random.nextInt(3))
              .build();
      things.insert(document);
      all.add(document);
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private static Value value(Random random) {
    return random.nextInt(4) == 0
        ? Value.array(List.of(number(random), number(random)))
        : number(random);
  }

  private static Value number(Random random) {
    return Value.of(random.nextInt(VALUES));
  }

  private static Filter condition(Random random) {
    FieldPath path = List.of(A, B, ID).get(random.nextInt(3));
    int bound = path.equals(ID) ? DOCUMENTS : VALUES;
    Operator operator = List.of(Operator.EQ, Operator.GT, Operator.LTE).get(random.nextInt(3));
    return new Filter.Compare(path, operator, Value.of(random.nextInt(bound)));
  }

  private static Filter either(Random random) {
    List<Filter> members = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(3); i++) {
      Filter member = condition(random);
      boolean narrower = random.nextInt(3) == 0;
      members.add(narrower ? Filter.and(List.of(member, Filter.equal(C, Value.of(1)))) : member);
    }
    return new Filter.Or(members);
  }

  private List<Integer> expected(Filter filter) {
    Matcher matcher = filter.matcher(Mode.MATCH);
    return all.stream().filter(matcher::matches).map(one -> one.field("_id").asInt()).toList();
  }

  private static List<Integer> ids(Cursor cursor) {
    List<Integer> ids = new ArrayList<>();
    try (cursor) {
      while (cursor.next()) {
        ids.add(cursor.document().field("_id").asInt());
      }
    }
    return ids;
  }

  @Test
  void unionReturnsEachDocumentOnce(Random random) {
    int unions = 0;
    for (int i = 0; i < 200; i++) {
      Filter filter =
          random.nextBoolean()
              ? either(random)
              : Filter.and(List.of(either(random), Filter.equal(C, Value.of(1))));
      Query query = Query.of(filter, Mode.MATCH);
      unions += things.explain(query).access() instanceof Access.Union ? 1 : 0;
      assertThat(ids(things.query(query)))
          .as("%s", filter)
          .containsExactlyInAnyOrderElementsOf(expected(filter));
      assertThat(ids(things.query(query.orderedBy(Sort.ascending(ID)))))
          .isEqualTo(expected(filter));
    }
    assertThat(unions).isGreaterThan(50);
  }

  @Test
  void unionReturnsWritesOfTheTransaction(Random random) {
    try (LocalTransaction transaction = engine.begin()) {
      transaction.write(things, List.of(new Write.Delete(DocumentKey.of(Value.of(3)))));
      Document changed = Document.writer().put("_id", 5).put("a", 1).put("b", 1).build();
      transaction.write(things, List.of(new Write.Replace(changed)));
      all.set(5, changed);
      all.remove(3);
      for (int i = 0; i < 30; i++) {
        Filter filter = either(random);
        assertThat(ids(transaction.query(things, Query.of(filter, Mode.MATCH))))
            .containsExactlyInAnyOrderElementsOf(expected(filter));
      }
    }
  }

  @Test
  void unionCanBeResumed(Random random) {
    Query query = Query.of(either(random), Mode.MATCH);
    List<Integer> whole = ids(things.query(query));
    List<Integer> parts = new ArrayList<>();
    byte[] place = new byte[0];
    boolean more = true;
    while (more) {
      try (Cursor cursor = place.length == 0 ? things.query(query) : things.resume(query, place)) {
        more = cursor.next();
        if (more) {
          parts.add(cursor.document().field("_id").asInt());
          place = cursor.place();
        }
      }
    }
    assertThat(parts).isEqualTo(whole);
  }

  @Test
  void conditionWithoutAnIndexMakesAScan() {
    Filter filter =
        new Filter.Or(List.of(Filter.equal(A, Value.of(1)), Filter.equal(C, Value.of(1))));
    assertThat(things.explain(Query.of(filter, Mode.MATCH)).access())
        .isEqualTo(new Access.Scan(false));
  }

  @Test
  void sortWithALimitUsesTheIndexInOrder() {
    Filter filter =
        new Filter.Or(List.of(Filter.equal(A, Value.of(1)), Filter.equal(B, Value.of(1))));
    Query sorted = Query.of(filter, Mode.MATCH).orderedBy(Sort.descending(ID));
    assertThat(things.explain(sorted).access()).isInstanceOf(Access.Union.class);
    assertThat(things.explain(sorted.limitedTo(3)).access()).isInstanceOf(Access.Index.class);
    assertThat(things.explain(sorted.withHint(new Hint.Natural(false))).access())
        .isEqualTo(new Access.Scan(false));
  }
}
