package dev.mayfly.engine.index;

import static dev.mayfly.query.testing.Docs.arr;
import static dev.mayfly.query.testing.Docs.doc;
import static dev.mayfly.query.testing.Docs.path;
import static dev.mayfly.query.testing.Docs.val;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.index.IndexException.Reason;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.testing.RandomQueries;
import dev.mayfly.value.Document;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(SeedExtension.class)
final class IndexKeysTest {
  private static final IndexSpec A = IndexSpec.implicit("i", up("a"));
  private static final IndexSpec AB = IndexSpec.implicit("i", up("a.b"));
  private static final IndexSpec COMPOUND = IndexSpec.implicit("i", up("a"), up("b"));

  @ParameterizedTest(name = "{0}")
  @MethodSource("singleFields")
  void keysOfASingleField(
      String what, IndexSpec spec, Document document, List<Object> values, long arrays) {
    List<String> expected =
        values.stream().map(value -> hex(key(Order.MONGO, value))).sorted().toList();
    assertThat(keys(spec, document)).as(what).isEqualTo(expected);
    assertThat(new IndexKeys(spec).extract(document, (_, _) -> {})).as(what).isEqualTo(arrays);
  }

  static Stream<Arguments> singleFields() {
    return Stream.of(
        of("a scalar", A, doc("a", 1), List.of(1), 0),
        of("an object", A, doc("a", doc("b", 1)), List.of(doc("b", 1)), 0),
        of("missing", A, doc("b", 1), List.of(Value.MISSING), 0),
        of("null", A, doc("a", Value.NULL), List.of(Value.NULL), 0),
        of("an array", A, doc("a", arr(3, 1, 2)), List.of(1, 2, 3), 1),
        of("equal elements once", A, doc("a", arr(1, 1.0, 1L)), List.of(1), 1),
        of("an empty array", A, doc("a", arr()), List.of(Value.UNDEFINED), 1),
        of("an array in an array", A, doc("a", arr(arr(1, 2), 3)), List.of(3, arr(1, 2)), 1),
        of("an empty array in an array", A, doc("a", arr(arr())), List.of(arr()), 1),
        of("BSON's undefined", A, doc("a", Value.UNDEFINED), List.of(Value.UNDEFINED), 1),
        of("a path", AB, doc("a", doc("b", 1)), List.of(1), 0),
        of("a path through nothing", AB, doc(), List.of(Value.MISSING), 0),
        of("a path through a scalar", AB, doc("a", 1), List.of(Value.MISSING), 0),
        of("a path through objects", AB, objects(), List.of(1, 2, Value.MISSING), 1),
        of("a path through scalars", AB, doc("a", arr(1, 2)), List.of(Value.MISSING), 1),
        of("a path through no element", AB, doc("a", arr()), List.of(Value.MISSING), 1),
        of("a path to arrays in objects", AB, arraysInObjects(), List.of(1, 2, 3), 1),
        of("a path to an empty array", AB, doc("a", doc("b", arr())), List.of(Value.UNDEFINED), 1),
        of("an array in the way twice", AB, nestedObjects(), List.of(Value.MISSING), 1),
        of("a place", at("a.1"), doc("a", arr(5, 6)), List.of(6), 1),
        of("a place beyond the end", at("a.1"), doc("a", arr(5)), List.of(Value.MISSING), 1),
        of("a place that is an array", at("a.0"), doc("a", arr(arr(1))), List.of(arr(1)), 1),
        of("a number as a name", at("a.0"), doc("a", doc("0", 5)), List.of(5), 0),
        of("sparse without the field", A.withSparse(true), doc("b", 1), List.of(), 0),
        of("sparse with null", A.withSparse(true), doc("a", Value.NULL), List.of(Value.NULL), 0),
        of("sparse with some", AB.withSparse(true), objects(), List.of(1, 2), 1),
        of("unique without the field", A.withUnique(true), doc(), List.of(Value.NULL), 0),
        of("unique with it", A.withUnique(true), doc("a", 1), List.of(1), 0),
        of("sparse and unique", sparseUnique(), doc(), List.of(), 0),
        of("partial, passing", partial(), doc("a", 5), List.of(5), 0),
        of("partial, failing", partial(), doc("a", 3), List.of(), 0),
        of("partial by an element", partial(), doc("a", arr(3, 5)), List.of(3, 5), 1));
  }

  private static Arguments of(
      String what, IndexSpec spec, Document document, List<?> values, long arrays) {
    return Arguments.of(what, spec, document, values, arrays);
  }

  private static Document objects() {
    return doc("a", arr(doc("b", 1), doc("c", 9), doc("b", 2)));
  }

  private static Document arraysInObjects() {
    return doc("a", arr(doc("b", arr(1, 2)), doc("b", 3)));
  }

  private static Document nestedObjects() {
    return doc("a", arr(arr(doc("b", 1))));
  }

  private static IndexSpec at(String path) {
    return IndexSpec.implicit("i", up(path));
  }

  private static IndexSpec sparseUnique() {
    return A.withSparse(true).withUnique(true);
  }

  private static IndexSpec partial() {
    return A.withPartial(new Filter.Compare(path("a"), Operator.GT, Value.of(4)));
  }

  @Test
  void arrayInACompoundIndexHasOneKeyPerElement() {
    assertThat(keys(COMPOUND, doc("a", arr(1, 2), "b", "x")))
        .containsExactly(hex(key(Order.MONGO, 1, "x")), hex(key(Order.MONGO, 2, "x")));
    assertThat(new IndexKeys(COMPOUND).extract(doc("b", arr(1), "a", 1), (_, _) -> {}))
        .isEqualTo(0b10);
  }

  @Test
  void partsInOneArrayTakeValuesFromOneElement() {
    IndexSpec spec = IndexSpec.implicit("i", up("a.b"), up("a.c"));
    Document document = doc("a", arr(doc("b", 1, "c", 2), doc("b", 3, "c", 4)));
    assertThat(keys(spec, document))
        .containsExactly(hex(key(Order.MONGO, 1, 2)), hex(key(Order.MONGO, 3, 4)));
  }

  @Test
  void compoundIndexStoresMissingAsNull() {
    assertThat(keys(COMPOUND, doc("b", 1))).containsExactly(hex(key(Order.MONGO, Value.NULL, 1)));
    IndexSpec sparse = COMPOUND.withSparse(true);
    assertThat(keys(sparse, doc("b", 1))).hasSize(1);
    assertThat(keys(sparse, doc("c", 1))).isEmpty();
  }

  @Test
  void stringsEqualUnderACollationHaveOneKey() {
    Collation english = Collation.of(doc("locale", "en", "strength", 2));
    for (Part part : List.of(up("a"), Part.descending(path("a")), Part.wildcard(path("a")))) {
      IndexSpec spec = IndexSpec.implicit("i", part).withCollation(english);
      assertThat(keys(spec, doc("a", "Zoë"))).isEqualTo(keys(spec, doc("a", "ZOË")));
      assertThat(keys(spec, doc("a", "Zoë"))).isNotEqualTo(keys(spec, doc("a", "Zoe")));
      assertThat(keys(spec, doc("a", 5)))
          .isEqualTo(keys(spec.withCollation(Collation.SIMPLE), doc("a", 5)));
    }
  }

  @Test
  void parallelArraysAreRejectedBeforeTheFirstKey() {
    IndexSpec spec = IndexSpec.implicit("i", up("c"), up("a.b"), up("d.e"));
    Document document = doc("a", arr(doc("b", arr(1, 2))), "d", doc("e", arr(1)));
    List<byte[]> given = new ArrayList<>();
    assertThatThrownBy(() -> new IndexKeys(spec).extract(document, (key, _) -> given.add(key)))
        .isInstanceOfSatisfying(
            IndexException.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.CANNOT_INDEX_PARALLEL_ARRAYS));
    assertThat(given).isEmpty();
  }

  @Test
  void arrayIndexThatIsAlsoAFieldNameIsRejected() {
    Document document = doc("a", arr(doc("0", 1)));
    assertThatThrownBy(() -> keys(at("a.0"), document))
        .isInstanceOfSatisfying(
            IndexException.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.AMBIGUOUS_FIELD_NAME));
  }

  @Test
  void descendingPartsSortInReverse(Random random) {
    RandomQueries queries = RandomQueries.bson(random);
    IndexSpec spec = IndexSpec.implicit("i", Part.descending(path("a")), up("b"));
    for (int i = 0; i < 2_000; i++) {
      Value one = queries.value(0);
      Value other = queries.value(0);
      String first = keys(spec, doc("a", one, "b", 1)).getFirst();
      String second = keys(spec, doc("a", other, "b", 1)).getFirst();
      assertThat(Integer.signum(first.compareTo(second)))
          .isEqualTo(-Integer.signum(Order.MONGO.compare(one, other)));
    }
  }

  @Test
  void explicitPathsLeadToOneScalarOrNothing() {
    IndexSpec spec = IndexSpec.explicit("i", up("a"), up("b"));
    assertThat(keys(spec, doc("a", 1, "b", arr(1, 2))))
        .containsExactly(hex(key(Order.COSMOS, 1, Value.MISSING)));
    assertThat(keys(spec, doc("a", doc("x", 1), "b", Value.NULL)))
        .containsExactly(hex(key(Order.COSMOS, Value.MISSING, Value.NULL)));
  }

  @Test
  void implicitWildcardContainsLeavesWithoutArrayIndexes() {
    IndexSpec spec = IndexSpec.implicit("i", Part.wildcard(path("")));
    Document document =
        doc(
            "x", doc("y", 1, "z", doc()),
            "list", arr(1, doc("y", 2), arr(3)),
            "none", arr(),
            "dotted.name", 4);
    assertThat(keys(spec, document))
        .containsExactlyInAnyOrder(
            entry(Order.MONGO, "x\0y", 1),
            entry(Order.MONGO, "x\0z", doc()),
            entry(Order.MONGO, "list", 1),
            entry(Order.MONGO, "list\0y", 2),
            entry(Order.MONGO, "list", arr(3)),
            entry(Order.MONGO, "none", Value.UNDEFINED),
            entry(Order.MONGO, "dotted.name", 4));
  }

  @Test
  void explicitWildcardHasEntriesForObjectsAndArrays() {
    IndexSpec spec = IndexSpec.explicit("i", Part.wildcard(path("")));
    Document document = doc("x", doc("y", 1), "list", arr(1, doc("y", 2)), "gone", Value.UNDEFINED);
    assertThat(keys(spec, document))
        .containsExactlyInAnyOrder(
            entry(Order.COSMOS, "x", doc()),
            entry(Order.COSMOS, "x\0y", 1),
            entry(Order.COSMOS, "list", arr()),
            entry(Order.COSMOS, "list\0[]", 1),
            entry(Order.COSMOS, "list\0[]", doc()),
            entry(Order.COSMOS, "list\0[]\0y", 2));
  }

  @Test
  void wildcardContainsOnlyPathsBelowIts() {
    IndexSpec spec = IndexSpec.implicit("i", Part.wildcard(path("a.b")));
    Document document = doc("a", arr(doc("b", 1, "c", 2), doc("b", doc("d", 3))), "ab", 4);
    assertThat(keys(spec, document))
        .containsExactlyInAnyOrder(entry(Order.MONGO, "a\0b", 1), entry(Order.MONGO, "a\0b\0d", 3));
  }

  @Test
  void mostPreciseScopeDecides() {
    IndexSpec spec =
        IndexSpec.explicit("i", Part.wildcard(path("")))
            .withScopes(
                Scope.include(path("")),
                Scope.exclude(path("food")),
                Scope.include(path("food.ingredients")),
                Scope.excludeLeaf(path("food.ingredients.salt")),
                Scope.exclude(path("tags.[]")));
    Document ingredients = doc("salt", 1, "sugar", doc("kind", 2));
    Document document =
        doc("food", doc("name", 0, "ingredients", ingredients), "tags", arr(5), "other", 3);
    assertThat(keys(spec, document))
        .containsExactlyInAnyOrder(
            entry(Order.COSMOS, "food\0ingredients", doc()),
            entry(Order.COSMOS, "food\0ingredients\0sugar", doc()),
            entry(Order.COSMOS, "food\0ingredients\0sugar\0kind", 2),
            entry(Order.COSMOS, "tags", arr()),
            entry(Order.COSMOS, "other", 3));
  }

  @Test
  void leafScopeOverridesItsSubtreeAndIndexesAbsence() {
    IndexSpec spec =
        IndexSpec.explicit("i", Part.wildcard(path("")))
            .withScopes(
                Scope.exclude(path("")), Scope.exclude(path("a")), Scope.includeLeaf(path("a")));
    assertThat(keys(spec, doc("a", 1, "b", 2))).containsExactly(entry(Order.COSMOS, "a", 1));
    assertThat(keys(spec, doc("a", doc("b", 1)))).containsExactly(entry(Order.COSMOS, "a", doc()));
    assertThat(keys(spec, doc("b", 2))).containsExactly(entry(Order.COSMOS, "a", Value.MISSING));
  }

  @Test
  void compoundWildcardCombinesEntriesWithOtherParts() {
    IndexSpec spec = IndexSpec.implicit("i", up("t"), Part.wildcard(path("a")));
    String prefix = hex(key(Order.MONGO, "tenant"));
    assertThat(keys(spec, doc("t", "tenant", "a", doc("x", 1, "y", 2))))
        .containsExactly(
            prefix + entry(Order.MONGO, "a\0x", 1), prefix + entry(Order.MONGO, "a\0y", 2));
    assertThat(keys(spec, doc("t", "tenant"))).isEmpty();
  }

  @Test
  void extractorIsReusable(Random random) {
    RandomQueries queries = RandomQueries.bson(random);
    IndexKeys reused = new IndexKeys(COMPOUND);
    for (int i = 0; i < 5_000; i++) {
      Document document = queries.document();
      assertThat(outcome(reused, document)).isEqualTo(outcome(new IndexKeys(COMPOUND), document));
    }
  }

  private static Object outcome(IndexKeys keys, Document document) {
    try {
      return keys(keys, document);
    } catch (IndexException refused) {
      return refused.reason();
    }
  }

  private static List<String> keys(IndexSpec spec, Document document) {
    return keys(new IndexKeys(spec), document);
  }

  private static List<String> keys(IndexKeys index, Document document) {
    List<String> keys = new ArrayList<>();
    index.extract(document, (buffer, length) -> keys.add(hex(Arrays.copyOf(buffer, length))));
    assertThat(keys).isSorted().doesNotHaveDuplicates();
    return keys;
  }

  private static Part up(String path) {
    return Part.ascending(path(path));
  }

  private static byte[] key(Order order, Object... components) {
    KeyWriter key = new KeyWriter();
    for (Object component : components) {
      key.append(val(component), order);
    }
    return key.bytes();
  }

  private static String entry(Order order, String path, Object value) {
    return hex(key(order, path, value));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
