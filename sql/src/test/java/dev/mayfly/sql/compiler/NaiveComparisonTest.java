package dev.mayfly.sql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sql.EvaluationException;
import dev.mayfly.value.Document;
import dev.mayfly.value.testing.SeedExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Random queries give what a naive interpretation of their tree gives. */
@ExtendWith(SeedExtension.class)
final class NaiveComparisonTest {
  private static final int QUERIES = 20_000;

  @Test
  void compiledQueriesAgreeWithTheNaiveInterpreter(Random random) {
    RandomSql draw = new RandomSql(random);
    int compared = 0;
    int results = 0;
    for (int i = 0; i < QUERIES; i++) {
      List<Document> items = new ArrayList<>();
      for (int n = random.nextInt(6); n >= 0; n--) {
        items.add(draw.item());
      }
      Select query = draw.query();
      List<Object> expected;
      try {
        expected = new NaiveSql(items).run(query).stream().map(NaiveSql::rounded).toList();
      } catch (NaiveSql.SeveralRows refused) {
        continue;
      }
      List<Object> actual = compiled(query, items);
      assertThat(actual).as("%s on %s", Printer.print(query), items).isEqualTo(expected);
      compared++;
      results += actual.size();
    }
    assertThat(compared).isGreaterThan(QUERIES / 2);
    assertThat(results).isGreaterThan(QUERIES / 2);
  }

  private static List<Object> compiled(Select query, List<Document> items) {
    try {
      return InMemory.run(query, items, Map.of()).stream()
          .map(NaiveSql::plain)
          .map(NaiveSql::rounded)
          .toList();
    } catch (EvaluationException refused) {
      throw new AssertionError(Printer.print(query) + " on " + items, refused);
    }
  }
}
