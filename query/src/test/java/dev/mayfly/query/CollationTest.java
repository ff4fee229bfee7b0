package dev.mayfly.query;

import static dev.mayfly.query.testing.Docs.arr;
import static dev.mayfly.query.testing.Docs.doc;
import static dev.mayfly.query.testing.Docs.path;
import static dev.mayfly.query.testing.Docs.val;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.query.testing.RandomQueries;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SeedExtension.class)
final class CollationTest {
  private static final Collation CASELESS = Collation.of(doc("locale", "en", "strength", 2));

  @ParameterizedTest
  @CsvSource({
    "'{\"locale\":\"en\"}', a, A, -1",
    "'{\"locale\":\"en\",\"strength\":2}', a, A, 0",
    "'{\"locale\":\"en\",\"strength\":1}', résumé, resume, 0",
    "'{\"locale\":\"en\",\"strength\":2}', résumé, resume, 1",
    "'{\"locale\":\"en\",\"strength\":1,\"caseLevel\":true}', a, A, -1",
    "'{\"locale\":\"en\",\"caseFirst\":\"upper\"}', a, A, 1",
    "'{\"locale\":\"en\"}', a10, a9, -1",
    "'{\"locale\":\"en\",\"numericOrdering\":true}', a10, a9, 1",
    "'{\"locale\":\"en\",\"alternate\":\"shifted\"}', a-b, ab, 0",
    "'{\"locale\":\"en\",\"alternate\":\"shifted\",\"maxVariable\":\"space\"}', a-b, ab, -1",
    "'{\"locale\":\"sv\"}', ö, z, 1",
    "'{\"locale\":\"de\"}', ö, z, -1",
    "'{\"locale\":\"fr_CA\"}', cote, côte, -1",
    "'{\"locale\":\"simple\"}', a, B, 1"
  })
  void ordersTextsByItsRules(String settings, String left, String right, int sign) {
    Collation collation = Collation.of(ExtendedJson.parse(settings, Limits.MONGO));
    int byKeys =
        Order.MONGO.compare(collation.fold(Value.of(left)), collation.fold(Value.of(right)));
    assertThat(Integer.signum(byKeys)).isEqualTo(sign);
    assertThat(Integer.signum(collation.compare(left, right))).isEqualTo(sign);
  }

  @Test
  void foldsTextsAtEveryDepthAndNothingElse() {
    Value upper = val(doc("A", arr("X", 1, doc("b", "Y"))));
    Value lower = val(doc("A", arr("x", 1, doc("b", "y"))));
    assertThat(CASELESS.fold(upper)).isEqualTo(CASELESS.fold(lower)).isNotEqualTo(upper);
    assertThat(CASELESS.fold(val(arr(1, 2)))).isEqualTo(val(arr(1, 2)));
    assertThat(Collation.SIMPLE.fold(upper)).isSameAs(upper);
  }

  @Test
  void theStoredFormReadsBackAsTheSameCollation() {
    assertThat(Collation.of(CASELESS.toDocument())).isEqualTo(CASELESS);
    assertThat(Collation.of(Collation.SIMPLE.toDocument())).isEqualTo(Collation.SIMPLE);
    assertThat(Collation.of(doc("locale", "en"))).isNotEqualTo(CASELESS);
  }

  @Test
  void refusesWhatIsNoCollation() {
    for (Document form :
        List.of(
            doc(),
            doc("locale", "xx"),
            doc("locale", "en", "strength", 9),
            doc("locale", "en", "alternate", "never"),
            doc("locale", 1))) {
      assertThatThrownBy(() -> Collation.of(form))
          .as("%s", form)
          .isInstanceOfSatisfying(
              QueryException.class,
              e -> assertThat(e.reason()).isEqualTo(QueryException.Reason.BAD_COLLATION));
    }
  }

  @Test
  void aLeafUnderACollationIgnoresWhatTheCollationIgnores() {
    Filter equal = Filter.collated(CASELESS, Filter.equal(path("a"), Value.of("X")));
    assertThat(match(equal, doc("a", "x"))).isTrue();
    assertThat(match(equal, doc("a", arr("y", "x")))).isTrue();
    assertThat(match(equal, doc("a", "y"))).isFalse();
    Filter among = Filter.collated(CASELESS, new Filter.In(path("a"), List.of(val("X"), val(1))));
    assertThat(match(among, doc("a", "x"))).isTrue();
    assertThat(match(among, doc("a", 1.0))).isTrue();
    Filter unequal =
        Filter.collated(CASELESS, new Filter.Compare(path("a"), Operator.NE, val("X")));
    assertThat(match(unequal, doc("a", "x"))).isFalse();
    assertThat(match(unequal, doc())).isTrue();
  }

  @Test
  void aSortKeyComparesTextsByItsCollation() {
    Sort plain = Sort.ascending(path("a"));
    Document upper = doc("a", "B");
    Document lower = doc("a", "a");
    assertThat(new DocumentComparator(List.of(plain), Mode.MATCH).compare(upper, lower))
        .isNegative();
    List<Sort> caseless = List.of(plain.collated(CASELESS));
    assertThat(new DocumentComparator(caseless, Mode.MATCH).compare(upper, lower)).isPositive();
  }

  @Test
  void aLeafWithoutTextsCarriesNoCollation() {
    Filter leaf = Filter.equal(path("a"), Value.of(1));
    assertThat(Filter.collated(CASELESS, leaf)).isSameAs(leaf);
  }

  @Test
  void everyMatchLiesInTheIntervalsOfFoldedKeys(Random random) {
    RandomQueries queries = RandomQueries.bson(random);
    for (int i = 0; i < 5_000; i++) {
      Filter leaf = queries.leaf(path("a"));
      boolean comparison = leaf instanceof Filter.Compare || leaf instanceof Filter.In;
      Filter filter = comparison && random.nextBoolean() ? Filter.collated(CASELESS, leaf) : leaf;
      Collation index = random.nextBoolean() ? CASELESS : Collation.SIMPLE;
      Intervals intervals = Intervals.of(filter, path("a"), Mode.MATCH, Order.MONGO, true, index);
      Document document = queries.document();
      if (match(filter, document)) {
        assertThat(hasKeyIn(intervals, document, index))
            .as("%s of %s in %s under %s", filter, document, intervals, index)
            .isTrue();
      }
    }
  }

  private static boolean hasKeyIn(Intervals intervals, Document document, Collation index) {
    boolean[] found = {false};
    new Expansion(List.of(path("a")))
        .expand(
            document,
            tuple -> {
              Value folded = index.fold(tuple.value(0));
              byte[] key = Interval.point(folded, Order.MONGO).from();
              found[0] |= intervals.contains(key);
            });
    return found[0];
  }

  private static boolean match(Filter filter, Document document) {
    return filter.matcher(Mode.MATCH).matches(document);
  }
}
