package dev.mayfly.query;

import static dev.mayfly.query.testing.Docs.arr;
import static dev.mayfly.query.testing.Docs.doc;
import static dev.mayfly.query.testing.Docs.path;
import static dev.mayfly.query.testing.Docs.val;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.query.testing.RandomQueries;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeedExtension.class)
final class MatcherTest {
  private static final int ROUNDS = 60_000;

  @Test
  void matchAgreesWithTheNaiveReadingOfTheRules(Random random) {
    agrees(Mode.MATCH, RandomQueries.bson(random));
  }

  @Test
  void sqlAgreesWithTheNaiveReadingOfTheRules(Random random) {
    agrees(Mode.SQL, RandomQueries.bson(random));
  }

  private static void agrees(Mode mode, RandomQueries queries) {
    NaiveMatcher naive = new NaiveMatcher(mode);
    for (int i = 0; i < ROUNDS; i++) {
      Filter filter = queries.filter(3);
      Matcher matcher = filter.matcher(mode);
      for (int j = 0; j < 5; j++) {
        Document document = queries.document();
        assertThat(matcher.matches(document))
            .as("%s of %s", filter, document)
            .isEqualTo(naive.matches(filter, document));
      }
    }
  }

  @Test
  void anElementIsEnoughAndTheWholeArrayCountsToo() {
    assertThat(match(eq("a", 2), doc("a", arr(1, 2)))).isTrue();
    assertThat(match(eq("a", arr(1, 2)), doc("a", arr(1, 2)))).isTrue();
    assertThat(match(eq("a", arr(1, 2)), doc("a", arr(arr(1, 2))))).isTrue();
    assertThat(match(eq("a", 2), doc("a", arr(arr(1, 2))))).isFalse();
  }

  @Test
  void twoConditionsMayBeMetByTwoElementsUnlessOneElementIsAskedFor() {
    Filter both =
        new Filter.And(List.of(compare("a", Operator.GT, 4), compare("a", Operator.LT, 2)));
    Filter one =
        new Filter.ElementMatch(
            path("a"),
            new Filter.And(List.of(compare("", Operator.GT, 4), compare("", Operator.LT, 2))));
    assertThat(match(both, doc("a", arr(1, 5)))).isTrue();
    assertThat(match(one, doc("a", arr(1, 5)))).isFalse();
  }

  @Test
  void aNumberInAPathIsAPlaceOrAName() {
    assertThat(match(eq("a.0", 7), doc("a", arr(7, 8)))).isTrue();
    assertThat(match(eq("a.1", 7), doc("a", arr(7, 8)))).isFalse();
    assertThat(match(eq("a.0", 7), doc("a", doc("0", 7)))).isTrue();
    assertThat(match(eq("a.0", 7), doc("a", arr(doc("0", 7))))).isTrue();
    assertThat(match(eq("a.0.b", 7), doc("a", arr(doc("b", 7), doc("b", 8))))).isTrue();
  }

  @Test
  void nullStandsForMissingButNotForElementsWithoutFields() {
    assertThat(match(eq("a", Value.NULL), doc())).isTrue();
    assertThat(match(eq("a", Value.NULL), doc("a", Value.UNDEFINED))).isTrue();
    assertThat(match(eq("a.b", Value.NULL), doc("a", 1))).isTrue();
    assertThat(match(eq("a.b", Value.NULL), doc("a", arr(1, 2)))).isFalse();
    assertThat(match(eq("a.b", Value.NULL), doc("a", arr(doc("b", 1), doc())))).isTrue();
    assertThat(match(eq("a", Value.NULL), doc("a", arr()))).isFalse();
    assertThat(match(compare("a", Operator.GTE, Value.NULL), doc())).isTrue();
    assertThat(match(compare("a", Operator.GT, Value.NULL), doc())).isFalse();
  }

  @Test
  void comparisonStaysInsideItsBracketExceptAtTheEnds() {
    assertThat(match(compare("a", Operator.LT, 5), doc("a", "4"))).isFalse();
    assertThat(match(compare("a", Operator.LT, 5), doc("a", 4.5))).isTrue();
    assertThat(match(compare("a", Operator.LT, 5), doc("a", Double.NaN))).isFalse();
    assertThat(match(eq("a", Double.NaN), doc("a", Double.NaN))).isTrue();
    assertThat(match(compare("a", Operator.GT, Value.MIN_KEY), doc("a", "4"))).isTrue();
    assertThat(match(compare("a", Operator.GT, Value.MIN_KEY), doc())).isTrue();
    assertThat(match(compare("a", Operator.LT, Value.MIN_KEY), doc("a", 1))).isFalse();
  }

  @Test
  void notEqualFailsAsSoonAsOneElementIsEqual() {
    assertThat(match(compare("a", Operator.NE, 1), doc("a", arr(1, 2)))).isFalse();
    assertThat(match(compare("a", Operator.NE, 3), doc("a", arr(1, 2)))).isTrue();
    assertThat(match(compare("a", Operator.NE, 3), doc())).isTrue();
  }

  @Test
  void theOrderOfFieldsCountsInMatchAndNotInSql() {
    Filter filter = eq("a", doc("x", 1, "y", 2));
    Document swapped = doc("a", doc("y", 2, "x", 1));
    assertThat(match(filter, swapped)).isFalse();
    assertThat(sql(filter, swapped)).isTrue();
  }

  @Test
  void sqlKeepsOnlyWhatIsTrueNotWhatIsUndefined() {
    Filter less = compare("a", Operator.LT, 5);
    assertThat(sql(less, doc("a", "x"))).isFalse();
    assertThat(sql(new Filter.Not(less), doc("a", "x"))).isFalse();
    assertThat(sql(new Filter.Not(eq("a", 5)), doc("a", "x"))).isTrue();
    assertThat(sql(new Filter.Not(eq("a", 5)), doc())).isFalse();
    assertThat(sql(compare("a", Operator.NE, Value.NULL), doc())).isFalse();
    assertThat(sql(new Filter.Or(List.of(less, eq("b", 1))), doc("a", "x", "b", 1))).isTrue();
    assertThat(sql(compare("a", Operator.LTE, arr(1)), doc("a", arr(1)))).isFalse();
  }

  @Test
  void sqlDoesNotLookIntoArrays() {
    assertThat(sql(eq("a", 1), doc("a", arr(1)))).isFalse();
    assertThat(sql(eq("a.0", 1), doc("a", arr(1)))).isTrue();
    assertThat(sql(eq("a.b", 1), doc("a", arr(doc("b", 1))))).isFalse();
    Filter exists = new Filter.ElementMatch(path("a"), eq("b", 1));
    assertThat(sql(exists, doc("a", arr(doc("b", 1))))).isTrue();
    assertThat(sql(new Filter.Not(exists), doc())).isTrue();
  }

  @Test
  void aTypeIsThatOfAnElementOrOfTheArray() {
    assertThat(match(type("a", Type.INT32), doc("a", arr(1)))).isTrue();
    assertThat(match(type("a", Type.ARRAY), doc("a", arr(1)))).isTrue();
    assertThat(sql(type("a", Type.INT32), doc("a", arr(1)))).isFalse();
    assertThat(sql(new Filter.Not(type("a", Type.INT32)), doc())).isTrue();
  }

  @Test
  void aPrefixDoesNotReachBeyondTheText() {
    Document document = doc("a", "x", "b", "y");
    assertThat(match(new Filter.Prefix(path("a"), "x"), document)).isTrue();
    assertThat(match(new Filter.Prefix(path("a"), "x\0"), document)).isFalse();
    assertThat(match(new Filter.Prefix(path("a"), "x\0\u0002b\0"), document)).isFalse();
  }

  private static boolean match(Filter filter, Document document) {
    return filter.matcher(Mode.MATCH).matches(document);
  }

  private static boolean sql(Filter filter, Document document) {
    return filter.matcher(Mode.SQL).matches(document);
  }

  private static Filter eq(String path, Object value) {
    return compare(path, Operator.EQ, value);
  }

  private static Filter compare(String path, Operator operator, Object value) {
    return new Filter.Compare(path(path), operator, val(value));
  }

  private static Filter type(String path, Type type) {
    return new Filter.OfType(path(path), Set.of(type));
  }
}
