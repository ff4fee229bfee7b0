package dev.mayfly.cosmos.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.sql.compiler.Expression;
import dev.mayfly.sql.compiler.NaiveSql;
import dev.mayfly.sql.compiler.RandomSql;
import dev.mayfly.sql.compiler.Select;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.testing.SeedExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random queries on containers with all kinds of indexing policies, page by page: whatever index
 * they go by, they give what a naive interpretation gives.
 */
@ExtendWith(SeedExtension.class)
final class RandomQueriesTest {
  private static final int CONTAINERS = 80;
  private static final int QUERIES = 60;

  /** An indexing policy, and the paths for which it indexes missing values. */
  private record Policy(String text, List<String> leaves) {}

  private static final List<Policy> POLICIES =
      List.of(
          new Policy("", List.of()),
          policy("{'path':'/*'}", "{'path':'/a/?'}"),
          policy("{'path':'/a/?'},{'path':'/list/[]/?'},{'path':'/o/*'}", "{'path':'/*'}", "a"),
          policy("{'path':'/*'},{'path':'/b/?'}", "{'path':'/list/*'}", "b"),
          policy("{'path':'/b/?'},{'path':'/list/[]/a/?'}", "{'path':'/*'}", "b"));

  private static Policy policy(String included, String excluded, String... leaves) {
    return new Policy(
        ",'indexingPolicy':{'includedPaths':["
            + included
            + "],'excludedPaths':["
            + excluded
            + "],'compositeIndexes':[[{'path':'/a'},{'path':'/b','order':'descending'}]]}",
        List.of(leaves));
  }

  /** A container with items as clients see them. */
  private record Filled(Shop shop, Policy policy, List<Document> items) {
    static Filled at(Random random, RandomSql draw) {
      Policy policy = POLICIES.get(random.nextInt(POLICIES.size()));
      Shop shop = new Shop(policy.text()).lenient();
      for (int i = random.nextInt(25); i >= 0; i--) {
        Document item = draw.item(Document.writer().put("id", "" + i).put("p", "p" + i % 3));
        shop.container().collection().insert(item);
      }
      List<Document> items = new ArrayList<>();
      shop.all("SELECT * FROM c").forEach(item -> items.add(Json.parse(item, Limits.COSMOS)));
      return new Filled(shop, policy, items);
    }

    /** What the query gives, in pages of some size. */
    List<Object> results(Select query, Random random) {
      String size = Integer.toString(1 + random.nextInt(8));
      shop.forgets(random.nextBoolean());
      return shop.all(RandomSql.text(query), HeaderNames.MAX_ITEM_COUNT, size).stream()
          .map(RandomQueriesTest::plain)
          .toList();
    }
  }

  private static Object plain(String json) {
    Document wrapped = Json.parse("{\"v\":" + json + "}", Limits.COSMOS);
    return NaiveSql.rounded(NaiveSql.plain(wrapped.field("v")));
  }

  @Test
  void pagesAgreeWithTheNaiveInterpreter(Random random) {
    RandomSql draw = new RandomSql(random);
    onManyContainers(draw, random, filled -> compare(filled, draw.query(), draw, random));
  }

  /** Runs queries on containers of all kinds; most queries must have results. */
  private static void onManyContainers(
      RandomSql draw, Random random, ToIntFunction<Filled> comparison) {
    int found = 0;
    for (int i = 0; i < CONTAINERS; i++) {
      Filled filled = Filled.at(random, draw);
      try (Shop _ = filled.shop()) {
        for (int n = 0; n < QUERIES; n++) {
          found += comparison.applyAsInt(filled);
        }
      }
    }
    assertThat(found).isGreaterThan(CONTAINERS * QUERIES / 2);
  }

  private static int compare(Filled filled, Select query, RandomSql draw, Random random) {
    List<Object> expected;
    try {
      expected = naive(filled, query);
    } catch (NaiveSql.SeveralRows refused) {
      return 0;
    }
    String description = RandomSql.text(query) + " by " + filled.policy() + " on " + filled.items();
    assertThat(filled.results(query, random))
        .as(description)
        .containsExactlyInAnyOrderElementsOf(expected);
    Select some = draw.limited(query);
    long most = some.top() == null ? count(some.limit()) : count(some.top());
    long left = Math.max(0, expected.size() - (some.top() == null ? count(some.offset()) : 0));
    assertThat(filled.results(some, random))
        .as("%s", RandomSql.text(some) + description)
        .hasSize((int) Math.min(most, left))
        .isSubsetOf(expected);
    return expected.size();
  }

  private static List<Object> naive(Filled filled, Select query) {
    return new NaiveSql(filled.items()).run(query).stream().map(NaiveSql::rounded).toList();
  }

  private static long count(@Nullable Expression amount) {
    return ((Expression.Literal) Objects.requireNonNull(amount)).value().asLong();
  }

  @Test
  void resultsAreOrderedByTheirKeys(Random random) {
    RandomSql draw = new RandomSql(random);
    onManyContainers(draw, random, filled -> compareOrder(filled, draw.ordered(), draw, random));
  }

  private static int compareOrder(Filled filled, Select query, RandomSql draw, Random random) {
    String description = RandomSql.text(query) + " by " + filled.policy() + " on " + filled.items();
    List<Object> expected;
    try {
      expected = naive(filled, query);
    } catch (NaiveSql.SeveralRows refused) {
      return 0;
    }
    boolean shown = filled.policy().leaves().stream().anyMatch(leaf -> isKey(query, leaf));
    List<Object> defined =
        expected.stream().filter(one -> shown || !NaiveSql.isUndefined(key(one))).toList();
    List<Object> actual = filled.results(query, random);
    assertThat(actual).as(description).containsExactlyInAnyOrderElementsOf(defined);
    assertKeys(actual, defined, description);
    Select some = draw.limited(query);
    int from = some.top() == null ? (int) count(some.offset()) : 0;
    long most = some.top() == null ? count(some.limit()) : count(some.top());
    List<Object> stretch = defined.stream().skip(from).limit(most).toList();
    List<Object> part = filled.results(some, random);
    assertThat(part).as("%s", RandomSql.text(some) + description).hasSize(stretch.size());
    assertKeys(part, stretch, RandomSql.text(some) + description);
    return actual.size();
  }

  private static boolean isKey(Select query, String leaf) {
    return query.orderBy().getFirst().value() instanceof Expression.Member(_, String name, _)
        && name.equals(leaf);
  }

  private static Object key(Object result) {
    return NaiveSql.field(result, "k");
  }

  private static void assertKeys(List<Object> actual, List<Object> expected, String description) {
    for (int i = 0; i < actual.size(); i++) {
      assertThat(NaiveSql.compare(key(actual.get(i)), key(expected.get(i))))
          .as(description)
          .isZero();
    }
  }
}
