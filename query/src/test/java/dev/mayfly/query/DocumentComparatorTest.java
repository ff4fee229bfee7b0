package dev.mayfly.query;

import static dev.mayfly.query.testing.Docs.arr;
import static dev.mayfly.query.testing.Docs.doc;
import static dev.mayfly.query.testing.Docs.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DocumentComparatorTest {
  private static final Sort A_UP = Sort.ascending(path("a"));
  private static final Sort A_DOWN = Sort.descending(path("a"));

  @Test
  void ascendingCountsTheSmallestElementDescendingTheLargest() {
    Document low = doc("a", arr(1, 9));
    Document middle = doc("a", 5);
    assertThat(compare(Mode.MATCH, low, middle, A_UP)).isNegative();
    assertThat(compare(Mode.MATCH, low, middle, A_DOWN)).isNegative();
  }

  @Test
  void missingIsNullAndAnEmptyArrayIsLess() {
    assertThat(compare(Mode.MATCH, doc(), doc("a", Value.NULL), A_UP)).isZero();
    assertThat(compare(Mode.MATCH, doc("a", arr()), doc(), A_UP)).isNegative();
    assertThat(compare(Mode.MATCH, doc("a", arr()), doc(), A_DOWN)).isPositive();
    assertThat(compare(Mode.MATCH, doc("a", Value.MIN_KEY), doc("a", arr()), A_UP)).isNegative();
  }

  @Test
  void keysOfOneArrayComeFromOneElement() {
    Sort b = Sort.ascending(path("a.b"));
    Sort c = Sort.ascending(path("a.c"));
    Document document = doc("a", arr(doc("b", 1, "c", 9), doc("b", 2, "c", 0)));
    assertThat(compare(Mode.MATCH, document, doc("a", doc("b", 1, "c", 5)), b, c)).isPositive();
  }

  @Test
  void twoArraysCannotBeSortedByTogether() {
    Document both = doc("a", arr(1), "b", arr(2));
    Sort b = Sort.ascending(path("b"));
    assertThatThrownBy(() -> compare(Mode.MATCH, both, both, A_UP, b))
        .isInstanceOfSatisfying(
            QueryException.class,
            refused ->
                assertThat(refused.reason()).isEqualTo(QueryException.Reason.PARALLEL_ARRAYS));
    assertThat(compare(Mode.SQL, both, both, A_UP, b)).isZero();
  }

  @Test
  void sqlRanksUndefinedNullBooleanNumberStringArrayObject() {
    List<Document> ranked =
        List.of(
            doc(),
            doc("a", Value.NULL),
            doc("a", false),
            doc("a", true),
            doc("a", -1),
            doc("a", 7.5),
            doc("a", "x"),
            doc("a", arr(1)),
            doc("a", doc("x", 1)));
    assertSorts(ranked, Mode.SQL, A_UP);
    assertSorts(ranked.reversed(), Mode.SQL, A_DOWN);
    assertThat(compare(Mode.SQL, doc("a", arr(1)), doc("a", arr(2)), A_UP)).isZero();
  }

  @Test
  void amongSeveralSqlKeysArraysAndObjectsCountAsUndefined() {
    Sort b = Sort.ascending(path("b"));
    Document array = doc("a", arr(1), "b", 2);
    assertThat(compare(Mode.SQL, array, doc("b", 2), A_UP, b)).isZero();
    assertThat(compare(Mode.SQL, array, doc("a", Value.NULL, "b", 1), A_UP, b)).isNegative();
  }

  @Test
  void laterKeysDecideAmongEqualEarlierOnes() {
    List<Document> ranked =
        List.of(
            doc("a", 1, "b", 2), doc("a", 1.0, "b", 1), doc("a", 2, "b", "x"), doc("a", 2, "b", 3));
    assertSorts(ranked, Mode.MATCH, A_UP, Sort.descending(path("b")));
  }

  private static int compare(Mode mode, Document one, Document other, Sort... keys) {
    return new DocumentComparator(List.of(keys), mode).compare(one, other);
  }

  private static void assertSorts(List<Document> expected, Mode mode, Sort... keys) {
    List<Document> documents = new ArrayList<>(expected);
    Collections.rotate(documents, 3);
    documents.sort(new DocumentComparator(List.of(keys), mode));
    assertThat(documents).isEqualTo(expected);
  }
}
