package dev.mayfly.query;

import static dev.mayfly.query.testing.Docs.arr;
import static dev.mayfly.query.testing.Docs.doc;
import static dev.mayfly.query.testing.Docs.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.query.geo.Region;
import dev.mayfly.query.testing.RandomQueries;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(SeedExtension.class)
final class FilterTest {
  @Test
  void theStoredFormReadsBackAsTheSameFilter(Random random) {
    RandomQueries queries = RandomQueries.bson(random);
    for (int i = 0; i < 5_000; i++) {
      Filter filter = queries.filter(4);
      assertThat(Filter.of(filter.toDocument())).isEqualTo(filter);
    }
  }

  @Test
  void stepsThatHoldDotsSurviveStorage() {
    Filter filter = Filter.equal(FieldPath.of(List.of("a.b", "c")), Value.of(1));
    assertThat(Filter.of(filter.toDocument())).isEqualTo(filter);
  }

  @Test
  void equalFiltersHaveEqualForms() {
    Filter one = new Filter.OfType(path("a"), Set.of(Type.STRING, Type.NULL, Type.MIN_KEY));
    Filter same = new Filter.OfType(path("a"), Set.of(Type.MIN_KEY, Type.NULL, Type.STRING));
    assertThat(one.toDocument()).isEqualTo(same.toDocument());
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void nonsenseIsRefusedByName(Document form) {
    assertThatThrownBy(() -> Filter.of(form))
        .isInstanceOfSatisfying(
            QueryException.class,
            refused -> assertThat(refused.reason()).isEqualTo(QueryException.Reason.BAD_FILTER));
  }

  static List<Document> nonsense() {
    return List.of(
        doc(),
        doc("is", 1),
        doc("is", "maybe"),
        doc("is", "and"),
        doc("is", "and", "members", arr(1)),
        doc("is", "not"),
        doc("is", "compare", "path", "a", "operator", "EQ"),
        doc("is", "compare", "path", arr("a"), "operator", "LIKE"),
        doc("is", "compare", "path", arr(1), "operator", "EQ"),
        doc("is", "exists", "path", arr("a")),
        doc("is", "type", "path", arr("a"), "types", arr(0)),
        doc("is", "type", "path", arr("a"), "types", arr(99)),
        doc("is", "size", "path", arr("a"), "elements", "two"));
  }

  @Test
  void conjunctsLookThroughNestedConjunctions() {
    Filter a = Filter.equal(path("a"), Value.of(1));
    Filter b = Filter.equal(path("b"), Value.of(1));
    Filter nested = new Filter.And(List.of(a, new Filter.And(List.of(Filter.all(), b))));
    assertThat(nested.conjuncts()).containsExactly(a, b);
    assertThat(Filter.and(List.of(Filter.all(), nested, a)))
        .isEqualTo(new Filter.And(List.of(a, b)));
    assertThat(Filter.and(List.of())).isEqualTo(Filter.all());
  }

  @Test
  void missingIsNotATypeToAskFor() {
    assertThatThrownBy(() -> new Filter.OfType(path("a"), Set.of(Type.MISSING)))
        .isInstanceOf(QueryException.class);
  }

  @Test
  void aPlaceIsReadBackFromItsForm() {
    Filter near = new Filter.Geo(FieldPath.of("a.b"), Region.ring(1, 2, 0.1, 0.2));

    assertThat(Filter.of(near.toDocument())).isEqualTo(near);
    assertThatThrownBy(
            () ->
                Filter.of(
                    Document.writer()
                        .put("is", "geo")
                        .put("path", Value.array(List.of(Value.of("a"))))
                        .put("region", Document.EMPTY)
                        .build()))
        .isInstanceOf(QueryException.class);
  }
}
