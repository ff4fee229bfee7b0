package dev.mayfly.engine.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Explanation.Access;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.local.LocalTransaction;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Distinctness;
import dev.mayfly.query.Expansion;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Hint;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Skip scans: queries that need one document for each value of an index. */
@ExtendWith(SeedExtension.class)
final class SkipScanTest {
  private static final long START = 1_700_000_000_000L;
  private static final FieldPath A = FieldPath.of("a");
  private static final FieldPath B = FieldPath.of("b");
  private static final FieldPath N = FieldPath.of("n");
  private static final FieldPath INNER = FieldPath.of("o.a");
  private static final Namespace NAME = new Namespace("test", "things");
  private static final Collation LOOSE =
      Collation.of(Document.writer().put("locale", "en").put("strength", 2).build());
  private static final String LONG = "m".repeat(20_000);

  private final ManualClock clock = new ManualClock(START);
  private final LocalEngine engine =
      LocalEngine.open(
          MemoryStore.withFilters(),
          clock,
          EngineSettings.standard(clock::now).withBackground(false));

  @AfterEach
  void close() {
    engine.close();
  }

  private LocalCollection things(IndexSpec... indexes) {
    CollectionSpec spec =
        CollectionSpec.mongo()
            .withIndex(on("t_1", FieldPath.of("t")))
            .withTimeToLive(TimeToLive.NONE.withIndex("t_1", 60));
    for (IndexSpec index : indexes) {
      spec = spec.withIndex(index);
    }
    return engine.create(NAME, spec);
  }

  private static IndexSpec on(String name, FieldPath... paths) {
    Part[] parts = List.of(paths).stream().map(Part::ascending).toArray(Part[]::new);
    return IndexSpec.implicit(name, parts);
  }

  private static Query each(Filter filter, FieldPath path, Collation collation) {
    return Query.of(filter, Mode.MATCH).needing(new Distinctness.OneForEach(path, collation));
  }

  private static Set<String> values(QueryCursor cursor, FieldPath path, Collation collation) {
    Expansion values = new Expansion(List.of(path));
    Set<String> all = new TreeSet<>();
    try (cursor) {
      while (cursor.next()) {
        values.expand(
            cursor.document(),
            tuple -> {
              if (tuple.type(0) != Type.MISSING && tuple.type(0) != Type.UNDEFINED) {
                Value folded = collation.fold(tuple.value(0));
                all.add(HexFormat.of().formatHex(key(folded)));
              }
            });
      }
    }
    return all;
  }

  private static byte[] key(Value value) {
    return new KeyWriter().append(value, Order.MONGO).bytes();
  }

  private static boolean leaps(Explanation explanation) {
    return explanation.access() instanceof Access.Index index && index.skipScan();
  }

  private static Document thing(int id, Value a) {
    return Document.writer().put("_id", id).put("a", a).put("n", id).build();
  }

  @Test
  void oneDocumentPerValueIsRead() {
    LocalCollection things = things(on("a_1", A));
    for (int i = 0; i < 600; i++) {
      things.insert(thing(i, Value.of(i % 3)));
    }
    try (QueryCursor cursor = things.query(each(Filter.all(), A, Collation.SIMPLE))) {
      int found = 0;
      while (cursor.next()) {
        found++;
      }
      assertThat(found).isEqualTo(3);
      assertThat(cursor.documentsExamined()).isEqualTo(3);
      assertThat(cursor.explain().keysExamined()).isEqualTo(3);
      assertThat(leaps(cursor.explain())).isTrue();
    }
  }

  @Test
  void expiredDocumentIsNotReturnedForItsValue() {
    LocalCollection things = things(on("a_1", A));
    for (int i = 0; i < 100; i++) {
      long date = i < 90 ? START : START + 100_000;
      things.insert(
          Document.writer().put("_id", i).put("a", i % 3).put("t", Value.date(date)).build());
    }
    clock.advance(Duration.ofMinutes(1));
    Query query = each(Filter.all(), A, Collation.SIMPLE);
    assertThat(values(things.query(query), A, Collation.SIMPLE)).hasSize(3);
    clock.advance(Duration.ofMinutes(2));
    assertThat(values(things.query(query), A, Collation.SIMPLE)).isEmpty();
    assertThat(leaps(things.explain(query))).isTrue();
  }

  @Test
  void fullScanIsChosenForMostlyDistinctValues() {
    LocalCollection things = things(on("a_1", A));
    for (int i = 0; i < 3_000; i++) {
      things.insert(thing(i, Value.of(i / 2)));
    }
    Query query = each(Filter.all(), A, Collation.SIMPLE);
    assertThat(things.explain(query).access()).isInstanceOf(Access.Scan.class);
    assertThat(leaps(things.explain(query.withHint(new Hint.Index("a_1"))))).isTrue();
    assertThat(values(things.query(query), A, Collation.SIMPLE)).hasSize(1_500);
  }

  @Test
  void skipScanIsChosenForRepeatedValues() {
    LocalCollection things = things(on("a_1", A));
    for (int i = 0; i < 3_000; i++) {
      things.insert(thing(i, Value.of(i % 10)));
    }
    Query query = each(Filter.all(), A, Collation.SIMPLE);
    assertThat(leaps(things.explain(query))).isTrue();
    assertThat(values(things.query(query), A, Collation.SIMPLE)).hasSize(10);
  }

  @Test
  void skippedArraysAreFoundByTheirOtherValues() {
    LocalCollection things = things(on("a_1", A));
    things.insert(thing(1, Value.of(1)));
    things.insert(thing(2, Value.array(List.of(Value.of(1), Value.of(2)))));
    Query one = each(Filter.equal(A, Value.of(1)), A, Collation.SIMPLE);
    assertThat(leaps(things.explain(one))).isFalse();
    assertThat(values(things.query(one), A, Collation.SIMPLE)).hasSize(2);
    Query all = each(Filter.all(), A, Collation.SIMPLE);
    assertThat(leaps(things.explain(all))).isTrue();
    assertThat(values(things.query(all), A, Collation.SIMPLE)).hasSize(2);
  }

  @Test
  void nullIsFoundAfterMissingValues() {
    LocalCollection things = things(on("a_1_n_1", A, N));
    for (int i = 0; i < 20; i++) {
      things.insert(thing(i, i == 19 ? Value.NULL : Value.MISSING));
    }
    Query query = each(Filter.all(), A, Collation.SIMPLE);
    assertThat(leaps(things.explain(query))).isTrue();
    assertThat(values(things.query(query), A, Collation.SIMPLE)).hasSize(1);
  }

  @Test
  void valuesWithTruncatedKeysAreAllFound() {
    LocalCollection things = things(on("a_1", A));
    for (int i = 0; i < 20; i++) {
      things.insert(thing(i, Value.of(LONG + i % 7)));
    }
    Query query = each(Filter.all(), A, Collation.SIMPLE);
    assertThat(leaps(things.explain(query))).isTrue();
    assertThat(values(things.query(query), A, Collation.SIMPLE)).hasSize(7);
  }

  @Test
  void collatedIndexIsUsedWithTheSameCollation() {
    LocalCollection things = things(on("a_1", A).withCollation(LOOSE));
    things.insert(thing(1, Value.of("x")));
    things.insert(thing(2, Value.of("X")));
    Query strict = each(Filter.all(), A, Collation.SIMPLE);
    assertThat(leaps(things.explain(strict))).isFalse();
    assertThat(values(things.query(strict), A, Collation.SIMPLE)).hasSize(2);
    Query loose = each(Filter.all(), A, LOOSE);
    assertThat(leaps(things.explain(loose))).isTrue();
    assertThat(values(things.query(loose), A, LOOSE)).hasSize(1);
  }

  @Test
  void hiddenAndIncompleteIndexesAreNotUsed() {
    Filter some = new Filter.Compare(N, Operator.GT, Value.of(5));
    LocalCollection things =
        things(on("hidden", A).withHidden(true), on("partial", A).withPartial(some));
    for (int i = 0; i < 10; i++) {
      things.insert(thing(i, Value.of(i)));
    }
    Query all = each(Filter.all(), A, Collation.SIMPLE);
    assertThat(leaps(things.explain(all))).isFalse();
    assertThat(values(things.query(all), A, Collation.SIMPLE)).hasSize(10);
    Query those = each(some, A, Collation.SIMPLE);
    assertThat(leaps(things.explain(those))).isTrue();
    assertThat(values(things.query(those), A, Collation.SIMPLE)).hasSize(4);
  }

  @Test
  void wildcardIndexIsNotUsed() {
    LocalCollection things =
        things(IndexSpec.implicit("all", Part.wildcard(FieldPath.of(List.of()))));
    things.insert(thing(1, Value.of(Document.writer().put("p", 1).build())));
    things.insert(thing(2, Value.of(1)));
    Query all = each(Filter.all(), A, Collation.SIMPLE);
    assertThat(leaps(things.explain(all))).isFalse();
    assertThat(values(things.query(all), A, Collation.SIMPLE)).hasSize(2);
  }

  @Test
  void transactionSeesItsWrites() {
    LocalCollection things = things(on("a_1", A));
    for (int i = 0; i < 10; i++) {
      things.insert(thing(i, Value.of(i % 2)));
    }
    Query query = each(Filter.all(), A, Collation.SIMPLE);
    LocalTransaction transaction = engine.begin();
    transaction.write(things, List.of(new Write.Replace(thing(0, Value.of(7)))));
    transaction.write(things, List.of(new Write.Delete(DocumentKey.of(Value.of(2)))));
    things.insert(thing(11, Value.of(8)));
    assertThat(values(transaction.query(things, query), A, Collation.SIMPLE)).hasSize(3);
    transaction.abort();
    assertThat(values(things.query(query), A, Collation.SIMPLE)).hasSize(3);
  }

  @Test
  void valuesEqualThoseOfAScan(Random random) {
    int leaps = 0;
    for (int round = 0; round < 60; round++) {
      LocalCollection things = things(indexes(random));
      fill(things, random);
      clock.advance(Duration.ofSeconds(random.nextInt(90)));
      for (int i = 0; i < 12; i++) {
        FieldPath path = random.nextInt(4) == 0 ? INNER : random.nextBoolean() ? A : B;
        Collation collation = random.nextInt(3) == 0 ? LOOSE : Collation.SIMPLE;
        Query query = each(filter(random), path, collation);
        leaps += leaps(things.explain(query)) ? 1 : 0;
        assertThat(values(things.query(query), path, collation))
            .as("%s by %s", query, things.explain(query))
            .isEqualTo(
                values(things.query(query.withHint(new Hint.Natural(false))), path, collation));
      }
      engine.drop(NAME);
    }
    assertThat(leaps).isGreaterThan(100);
  }

  private static IndexSpec[] indexes(Random random) {
    List<IndexSpec> indexes = new ArrayList<>();
    indexes.add(
        switch (random.nextInt(5)) {
          case 0 -> on("a_1", A);
          case 1 -> IndexSpec.implicit("a_-1", Part.descending(A), Part.ascending(B));
          case 2 -> on("b_1_n_1_a_1", B, N, A).withUnique(true);
          case 3 -> on("o_1_b_1", INNER, B);
          default -> on("a_1_b_1", A, B);
        });
    indexes.add(on("b_1", B));
    return indexes.stream().map(index -> varied(index, random)).toArray(IndexSpec[]::new);
  }

  private static IndexSpec varied(IndexSpec index, Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> index.withSparse(true);
      case 1 -> index.withCollation(LOOSE);
      case 2 -> index.withPartial(new Filter.Compare(N, Operator.GTE, Value.of(20)));
      default -> index;
    };
  }

  private static Filter filter(Random random) {
    FieldPath path = random.nextBoolean() ? A : B;
    return switch (random.nextInt(5)) {
      case 0 -> new Filter.Compare(path, Operator.GTE, Value.of(random.nextInt(4)));
      case 1 -> Filter.equal(path, Value.of(random.nextInt(4)));
      case 2 -> new Filter.Compare(N, Operator.GTE, Value.of(20 + random.nextInt(9)));
      default -> Filter.all();
    };
  }

  private void fill(LocalCollection things, Random random) {
    boolean arrays = random.nextBoolean();
    for (int i = 0; i < 80; i++) {
      Document document =
          Document.writer()
              .put("_id", i)
              .put("n", i)
              .put("a", value(random, arrays))
              .put("b", value(random, false))
              .put("o", Value.of(Document.writer().put("a", value(random, false)).build()))
              .put("t", Value.date(clock.now() - random.nextInt(120_000)))
              .build();
      things.insert(document);
    }
  }

  private static Value value(Random random, boolean arrays) {
    return switch (random.nextInt(arrays ? 12 : 10)) {
      case 0 -> Value.MISSING;
      case 1 -> Value.NULL;
      case 2 -> Value.of(random.nextInt(4) + 0.0);
      case 3 -> Value.of(List.of("x", "X", "y", "").get(random.nextInt(4)));
      case 4 -> Value.of(LONG + random.nextInt(2));
      case 5 -> Value.of(Document.writer().put("p", random.nextInt(2)).build());
      case 10 -> Value.array(List.of());
      case 11 -> Value.array(List.of(value(random, false), value(random, false)));
      default -> Value.of(random.nextInt(4));
    };
  }
}
