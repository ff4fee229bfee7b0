package dev.mayfly.cosmos.query;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Queries on a container, page by page. */
@ExtendWith(SeedExtension.class)
final class RunQueryTest {
  private static final String[] TWO = {HeaderNames.MAX_ITEM_COUNT, "2"};

  private static Shop filled() {
    Shop shop = new Shop();
    for (int i = 0; i < 9; i++) {
      shop.with(
          "{'id':'"
              + i
              + "','p':'p"
              + i % 3
              + "','n':"
              + i
              + ",'tags':['x','y"
              + i % 2
              + "','z']}");
    }
    return shop;
  }

  private static String[] numbers(int from, int to) {
    List<String> all = new ArrayList<>();
    for (int i = from; i < to; i++) {
      all.add(Integer.toString(i));
    }
    return all.toArray(String[]::new);
  }

  @Test
  void selectStarReturnsSystemProperties() {
    try (Shop shop = new Shop().with("{'id':'1','p':'a'}")) {
      Document item = Json.parse(shop.all("SELECT * FROM c").getFirst(), Limits.COSMOS);
      assertThat(item.field("_ts").asLong()).isEqualTo(1_700_000_000L);
      assertThat(item.field("_rid").asString()).isNotEmpty();
      assertThat(item.field("_self").asString()).startsWith("dbs/");
      assertThat(shop.all("SELECT c._ts, c._rid FROM c"))
          .containsExactly("{\"_ts\":1700000000,\"_rid\":" + Json.write(item.field("_rid")) + "}");
      assertThat(shop.all("SELECT VALUE c.id FROM c WHERE c._ts = 1700000000")).hasSize(1);
      assertThat(shop.all("SELECT VALUE c.id FROM c WHERE c._ts > 1700000000")).isEmpty();
    }
  }

  @Test
  void queryPagesHaveTheRequestedSize() {
    try (Shop shop = filled()) {
      assertThat(shop.page("SELECT VALUE c.n FROM c", null, TWO)).hasSize(2);
      assertThat(shop.header(HeaderNames.ITEM_COUNT)).isEqualTo("2");
      assertThat(shop.continuation()).isNotNull();
      assertThat(shop.all("SELECT VALUE c.n FROM c", TWO)).containsExactlyInAnyOrder(numbers(0, 9));
      assertThat(shop.all("SELECT VALUE c.n FROM c ORDER BY c.n", TWO))
          .containsExactly(numbers(0, 9));
      assertThat(shop.page("SELECT VALUE c.n FROM c", null)).hasSize(9);
      assertThat(shop.continuation()).isNull();
    }
  }

  @Test
  void aJoinContinuesWithinAnItem() {
    try (Shop shop = filled()) {
      String sql = "SELECT c.n, t FROM c JOIN t IN c.tags ORDER BY c.n";
      List<String> whole = shop.all(sql);
      assertThat(whole).hasSize(27);
      for (String size : new String[] {"1", "2", "4", "5", "26"}) {
        assertThat(shop.all(sql, HeaderNames.MAX_ITEM_COUNT, size)).isEqualTo(whole);
      }
    }
  }

  @Test
  void deletesBetweenPagesDoNotSkipRows() {
    try (Shop shop = new Shop(",'defaultTtl':-1")) {
      shop.with("{'id':'1','p':'a','ttl':5,'t':[1,2,3]}", "{'id':'2','p':'a','t':[4,5,6]}");
      String sql = "SELECT VALUE t FROM c JOIN t IN c.t";
      assertThat(shop.page(sql, null, TWO)).containsExactly("1", "2");
      shop.clock.advance(Duration.ofSeconds(5));
      assertThat(shop.page(sql, shop.continuation(), TWO)).containsExactly("4", "5");
      assertThat(shop.page(sql, shop.continuation(), TWO)).containsExactly("6");
    }
  }

  @Test
  void expiredItemsAreInNoResultCountOrPage() {
    try (Shop shop = new Shop(",'defaultTtl':10")) {
      shop.with("{'id':'1','p':'a','n':1}");
      shop.clock.advance(Duration.ofSeconds(5));
      shop.with("{'id':'2','p':'a','n':2}", "{'id':'3','p':'b','n':3}");
      assertThat(shop.page("SELECT VALUE c.n FROM c ORDER BY c.n DESC", null, TWO))
          .containsExactly("3", "2");
      String next = shop.continuation();
      shop.clock.advance(Duration.ofSeconds(5));
      assertThat(shop.page("SELECT VALUE c.n FROM c ORDER BY c.n DESC", next, TWO)).isEmpty();
      assertThat(shop.all("SELECT VALUE COUNT(1) FROM c")).containsExactly("2");
      assertThat(shop.all("SELECT VALUE COUNT(1) FROM c WHERE c.n < 9")).containsExactly("2");
      assertThat(shop.all("SELECT VALUE SUM(c.n) FROM c")).containsExactly("5");
    }
  }

  @Test
  void continuationsSurviveARestart() {
    try (Shop shop = filled()) {
      String sql = "SELECT VALUE c.n FROM c WHERE c.n > 0 ORDER BY c.n";
      assertThat(shop.page(sql, null, TWO)).containsExactly("1", "2");
      String next = shop.continuation();
      shop.restart();
      assertThat(shop.page(sql, next, TWO)).containsExactly("3", "4");
    }
  }

  @Test
  void aContinuationOfAnotherQueryIsRefused() {
    try (Shop shop = filled()) {
      shop.page("SELECT * FROM c", null, TWO);
      String next = Objects.requireNonNull(shop.continuation());
      assertThatThrownBy(() -> shop.page("SELECT VALUE c.n FROM c", next))
          .isInstanceOf(CosmosException.class);
      assertThatThrownBy(() -> shop.page("SELECT * FROM c", "nonsense"))
          .isInstanceOf(CosmosException.class);
      assertThatThrownBy(() -> shop.page("SELECT * FROM c", next.substring(4)))
          .isInstanceOf(CosmosException.class);
    }
  }

  @Test
  void topAndOffsetLimitApplyAcrossPages() {
    try (Shop shop = filled()) {
      assertThat(shop.all("SELECT TOP 5 VALUE c.n FROM c ORDER BY c.n", TWO))
          .containsExactly("0", "1", "2", "3", "4");
      assertThat(shop.all("SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 3 LIMIT 5", TWO))
          .containsExactly("3", "4", "5", "6", "7");
      assertThat(shop.all("SELECT VALUE t FROM c JOIN t IN c.tags ORDER BY c.n OFFSET 4 LIMIT 2"))
          .containsExactly("\"y1\"", "\"z\"");
      assertThat(shop.all("SELECT TOP 0 * FROM c")).isEmpty();
      assertThat(shop.all("SELECT * FROM c OFFSET 100 LIMIT 5")).isEmpty();
      assertThat(shop.all("SELECT * FROM c ORDER BY c.n OFFSET 7 LIMIT 5", TWO)).hasSize(2);
    }
  }

  @Test
  void distinctAndGroupByContinueAcrossPages() {
    try (Shop shop = filled()) {
      assertThat(shop.all("SELECT DISTINCT VALUE t FROM c JOIN t IN c.tags", TWO))
          .containsExactlyInAnyOrder("\"x\"", "\"y0\"", "\"y1\"", "\"z\"");
      assertThat(shop.all("SELECT c.p, COUNT(1) AS n FROM c GROUP BY c.p", TWO))
          .containsExactlyInAnyOrder(
              "{\"p\":\"p0\",\"n\":3}", "{\"p\":\"p1\",\"n\":3}", "{\"p\":\"p2\",\"n\":3}");
      assertThat(shop.all("SELECT DISTINCT VALUE c.n % 2 FROM c ORDER BY c.n"))
          .containsExactly("0", "1");
    }
  }

  @Test
  void thePartitionKeyLimitsAQuery() {
    try (Shop shop = filled()) {
      assertThat(
              shop.all(
                  "SELECT VALUE c.n FROM c ORDER BY c.n", HeaderNames.PARTITION_KEY, "[\"p1\"]"))
          .containsExactly("1", "4", "7");
      assertThat(shop.all("SELECT VALUE COUNT(1) FROM c", HeaderNames.PARTITION_KEY, "[\"p1\"]"))
          .containsExactly("3");
      shop.with("{'id':'none'}", "{'id':'null','p':null}");
      assertThat(shop.all("SELECT VALUE c.id FROM c", HeaderNames.PARTITION_KEY, "[{}]"))
          .containsExactly("\"none\"");
      assertThat(shop.all("SELECT VALUE c.id FROM c", HeaderNames.PARTITION_KEY, "[null]"))
          .containsExactly("\"null\"");
    }
  }

  @Test
  void rangesOfEffectiveKeysPartitionTheResults() {
    try (Shop shop = filled()) {
      List<String> low =
          shop.all("SELECT VALUE c.n FROM c", HeaderNames.START_EPK, "", HeaderNames.END_EPK, "1F");
      List<String> high =
          shop.all(
              "SELECT VALUE c.n FROM c", HeaderNames.START_EPK, "1F", HeaderNames.END_EPK, "FF");
      List<String> both = new ArrayList<>(low);
      both.addAll(high);
      assertThat(both).containsExactlyInAnyOrder(numbers(0, 9));
      assertThat(
              shop.all(
                  "SELECT VALUE COUNT(1) FROM c",
                  HeaderNames.START_EPK,
                  "1F",
                  HeaderNames.END_EPK,
                  "FF"))
          .containsExactly(Integer.toString(high.size()));
    }
  }

  @Test
  void orderByNeedsAnIndex() {
    String policy =
        ",'indexingPolicy':{'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/x/*'}],"
            + "'compositeIndexes':[[{'path':'/a','order':'ascending'},"
            + "{'path':'/b','order':'descending'}]]}";
    try (Shop shop = new Shop(policy)) {
      shop.with(
          "{'id':'1','p':'a','a':1,'b':1,'x':3}",
          "{'id':'2','p':'a','a':1,'b':2,'x':2}",
          "{'id':'3','p':'a','a':0,'x':1}");
      String ids = "SELECT VALUE c.id FROM c ORDER BY ";
      assertThat(shop.all(ids + "c.a, c.b DESC")).containsExactly("\"3\"", "\"2\"", "\"1\"");
      assertThat(shop.all(ids + "c.a DESC, c.b")).containsExactly("\"1\"", "\"2\"", "\"3\"");
      refused(shop, ids + "c.x", "order-by item is excluded");
      refused(shop, ids + "c.a, c.b", "corresponding composite index");
      refused(shop, ids + "c.b DESC, c.a", "corresponding composite index");
      shop.lenient();
      assertThat(shop.all(ids + "c.x", TWO)).containsExactly("\"3\"", "\"2\"", "\"1\"");
      assertThat(shop.all(ids + "c.a, c.b", TWO)).containsExactly("\"3\"", "\"1\"", "\"2\"");
    }
  }

  private static void refused(Shop shop, String sql, String text) {
    assertThatThrownBy(() -> shop.all(sql))
        .isInstanceOfSatisfying(
            CosmosException.class,
            refusal -> {
              assertThat(refusal.status().number()).isEqualTo(400);
              assertThat(refusal.text()).contains(text);
            });
  }

  @Test
  void orderByOmitsItemsWithoutAnIndexEntry() {
    String[] items = {
      "{'id':'1','p':'a','k':1}", "{'id':'2','p':'a'}", "{'id':'3','p':'a','k':null}"
    };
    String sql = "SELECT VALUE c.id FROM c ORDER BY c.k";
    try (Shop shop = new Shop().with(items)) {
      assertThat(shop.all(sql)).containsExactly("\"3\"", "\"1\"");
    }
    String explicit = ",'indexingPolicy':{'includedPaths':[{'path':'/*'},{'path':'/k/?'}]}";
    try (Shop shop = new Shop(explicit).with(items)) {
      assertThat(shop.all(sql)).containsExactly("\"2\"", "\"3\"", "\"1\"");
    }
  }

  @Test
  void aSortBeyondTheMemoryLimitFails() {
    String computed =
        ",'computedProperties':[{'name':'lower','query':'SELECT VALUE LOWER(c.s) FROM c'}]";
    try (Shop shop = new Shop(computed)) {
      for (int i = 0; i < 7; i++) {
        shop.with("{'id':'" + i + "','p':'a','s':'" + "x".repeat(1 << 20) + "'}");
      }
      String tenfold = "CONCAT(" + "c.s,".repeat(9) + "c.s)";
      assertThatThrownBy(() -> shop.all("SELECT VALUE " + tenfold + " FROM c ORDER BY c.lower"))
          .isInstanceOf(CosmosException.class)
          .hasMessageContaining("Query exceeded the maximum allowed memory usage of 64 MB.");
    }
  }

  @Test
  void systemAndComputedPropertiesCanBeOrderedBy() {
    String computed =
        ",'computedProperties':[{'name':'lower','query':'SELECT VALUE LOWER(c.s) FROM c'}],"
            + "'indexingPolicy':{'includedPaths':[{'path':'/*'},{'path':'/lower/?'}]}";
    try (Shop shop = new Shop(computed)) {
      shop.with("{'id':'1','p':'a','s':'B'}");
      shop.clock.advance(Duration.ofSeconds(1));
      shop.with("{'id':'2','p':'a','s':'a'}");
      shop.clock.advance(Duration.ofSeconds(1));
      shop.with("{'id':'3','p':'a','s':'C'}");
      assertThat(shop.all("SELECT VALUE c.id FROM c ORDER BY c._ts DESC", TWO))
          .containsExactly("\"3\"", "\"2\"", "\"1\"");
      assertThat(shop.all("SELECT VALUE c.id FROM c ORDER BY c.lower", TWO))
          .containsExactly("\"2\"", "\"1\"", "\"3\"");
      assertThat(shop.all("SELECT VALUE c.id FROM c WHERE c.lower = 'b'")).containsExactly("\"1\"");
      assertThat(shop.all("SELECT * FROM c").getFirst()).doesNotContain("lower");
    }
  }

  @Test
  void rewrittenQueriesOfSdksReturnTheirRows() {
    try (Shop shop = filled()) {
      assertThat(
              shop.all(
                  "SELECT TOP 1 [{\"item\": c.n}] AS orderByItems, {\"n\": c.n} AS payload FROM c"
                      + " WHERE ((c.n > 3) AND (c.n >= 5 OR IS_STRING(c.n) OR IS_ARRAY(c.n) OR"
                      + " IS_OBJECT(c.n))) ORDER BY c.n"))
          .containsExactly("{\"orderByItems\":[{\"item\":5}],\"payload\":{\"n\":5}}");
      assertThat(
              shop.all(
                  "SELECT [{\"item\": c.p}] AS groupByItems, {\"p\": c.p, \"n\": {\"item\":"
                      + " COUNT(1)}} AS payload FROM c GROUP BY c.p OFFSET 0 LIMIT 1"))
          .containsExactly(
              "{\"groupByItems\":[{\"item\":\"p0\"}],"
                  + "\"payload\":{\"p\":\"p0\",\"n\":{\"item\":3}}}");
      assertThat(
              shop.all(
                  "SELECT VALUE [{\"item\": MIN(c.n), \"item2\": {\"min\": MIN(c.n), \"count\":"
                      + " COUNT(c.n)}}] FROM c"))
          .containsExactly("[{\"item\":0,\"item2\":{\"min\":0,\"count\":9}}]");
      assertThat(shop.all("SELECT {\"$1\": {\"item\": COUNT(1)}} AS payload FROM c"))
          .containsExactly("{\"payload\":{\"$1\":{\"item\":9}}}");
    }
  }

  @Test
  void parametersHaveAnyValue() {
    try (Shop shop = filled()) {
      Document body =
          Shop.json(
              "{'query':'SELECT VALUE c.n FROM c WHERE c.tags = @t AND c.n IN (@a, @b) ORDER BY"
                  + " c.n','parameters':[{'name':'@t','value':['x','y1','z']},"
                  + "{'name':'@a','value':1},{'name':'@b','value':2}]}");
      assertThat(shop.page(body, null)).containsExactly("1");
    }
  }

  @Test
  void theQueryPlanIsTrivial() {
    try (Shop shop = filled()) {
      Document plan = shop.plan("SELECT VALUE COUNT(1) FROM c");
      assertThat(plan.field("queryInfo").asDocument().field("hasSelectValue").asBoolean()).isTrue();
      plan = shop.plan("SELECT * FROM c ORDER BY c.n");
      Document info = plan.field("queryInfo").asDocument();
      assertThat(info.field("hasSelectValue").asBoolean()).isFalse();
      assertThat(info.field("orderBy").asDocument().isEmpty()).isTrue();
      assertThat(info.field("rewrittenQuery").asString()).isEmpty();
      assertThat(plan.field("queryRanges").toString()).contains("\"FF\"");
      assertThatThrownBy(() -> shop.plan("SELECT FROM")).isInstanceOf(CosmosException.class);
    }
  }

  @Test
  void queryMetricsAreReturnedOnRequest() {
    try (Shop shop = filled()) {
      shop.page("SELECT * FROM c WHERE c.n > 6", null);
      assertThat(shop.header(HeaderNames.QUERY_METRICS)).isNull();
      shop.page(
          "SELECT * FROM c WHERE c.n > 6",
          null,
          HeaderNames.POPULATE_QUERY_METRICS,
          "true",
          HeaderNames.POPULATE_INDEX_METRICS,
          "true");
      String metrics = Objects.requireNonNull(shop.header(HeaderNames.QUERY_METRICS));
      assertThat(metrics.split(";")).hasSize(16);
      assertThat(metrics).contains("retrievedDocumentCount=2", "outputDocumentCount=2");
      String used =
          new String(
              Base64.getDecoder().decode(shop.header(HeaderNames.INDEX_METRICS)),
              StandardCharsets.UTF_8);
      assertThat(used).contains("\"IndexSpec\":\"/n/?\"");
      assertThat(shop.charged()).isGreaterThan(2);
      shop.page("SELECT * FROM c WHERE c.n > 6", null, HeaderNames.POPULATE_INDEX_USE, "true");
      assertThat(shop.header(HeaderNames.INDEX_METRICS)).startsWith("%7B%22Utilized%22%3A%7B");
    }
  }

  @Test
  void aPageEndsAtFourMegabytes() {
    String policy =
        ",'indexingPolicy':{'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/s/?'}]}";
    try (Shop shop = new Shop(policy)) {
      String text = "x".repeat(1 << 20);
      for (int i = 0; i < 6; i++) {
        shop.with("{'id':'" + i + "','p':'a','s':'" + text + "'}");
      }
      assertThat(shop.page("SELECT * FROM c", null)).hasSize(4);
      assertThat(shop.page("SELECT * FROM c", shop.continuation())).hasSize(2);
    }
  }

  @Test
  void aPageEndsAtItsTimeLimit() {
    for (String sql :
        List.of(
            "SELECT VALUE c.n FROM c",
            "SELECT VALUE c.n FROM c WHERE LOWER(c.p) != 'p9'",
            "SELECT VALUE c.n FROM c JOIN t IN c.tags WHERE t = 'x'",
            "SELECT DISTINCT VALUE c.n FROM c",
            "SELECT VALUE c.n FROM c ORDER BY c._ts")) {
      try (Shop shop = filled().slow()) {
        assertThat(shop.all(sql)).as(sql).containsExactlyInAnyOrder(numbers(0, 9));
        assertThat(shop.pages()).as(sql).isGreaterThan(1);
      }
    }
  }

  @Test
  void queryErrorsHaveTheFormatOfCosmosDb() {
    try (Shop shop = new Shop()) {
      assertThatThrownBy(() -> shop.all("SELECT * FORM c"))
          .isInstanceOfSatisfying(
              CosmosException.class,
              refusal ->
                  assertThat(refusal.text())
                      .startsWith("Message: {\"errors\":[{\"severity\":\"Error\",\"location\":"));
      refused(
          shop.with("{'id':'1','p':'a','t':[1,2]}"),
          "SELECT VALUE (SELECT VALUE t FROM t IN c.t) FROM c",
          "cardinality");
    }
  }

  @Test
  void anAggregateIgnoresOrderBy() {
    try (Shop shop = new Shop(",'indexingPolicy':{'excludedPaths':[{'path':'/x/?'}]}")) {
      shop.with("{'id':'1','p':'a','n':1,'x':1}").with("{'id':'2','p':'a','n':3,'l':[2,4]}");
      assertThat(shop.all("SELECT VALUE AVG(c.n) FROM c ORDER BY c.n, c.x")).containsExactly("2");
      assertThat(shop.all("SELECT COUNT(1) AS n FROM c ORDER BY c.x DESC"))
          .containsExactly("{\"n\":2}");
      assertThat(shop.all("SELECT VALUE SUM(l) FROM c JOIN l IN c.l ORDER BY l"))
          .containsExactly("6");
    }
  }

  @Test
  void theSpatialIndexIncludesTheBoundaryOfADistance(Random random) {
    String spatial = ",'indexingPolicy':{'spatialIndexes':[{'path':'/at/*','types':['Point']}]}";
    String center = "{\"type\":\"Point\",\"coordinates\":[10,5]}";
    try (Shop shop = new Shop(spatial)) {
      for (int i = 0; i < 60; i++) {
        double angle = random.nextDouble(2 * Math.PI);
        double x = 10 + Math.sin(angle);
        double y = 5 + Math.cos(angle);
        shop.with(
            "{'id':'" + i + "','p':'a','at':{'type':'Point','coordinates':[" + x + "," + y + "]}}");
      }
      String distance = "ST_DISTANCE(c.at, " + center + ")";
      for (String rim : shop.all("SELECT VALUE " + distance + " FROM c")) {
        List<String> found = shop.all("SELECT VALUE c.id FROM c WHERE " + distance + " <= " + rim);
        assertThat(found)
            .containsExactlyInAnyOrderElementsOf(
                shop.all("SELECT VALUE c.id FROM c WHERE NOT (" + distance + " > " + rim + ")"))
            .isNotEmpty();
      }
    }
  }

  @Test
  void geometryContainersUseThePlane() {
    String plane =
        ",'geospatialConfig':{'type':'Geometry'},'indexingPolicy':{'spatialIndexes':[{'path':"
            + "'/at/*','types':['Point'],'boundingBox':{'xmin':-9,'ymin':-9,'xmax':999,'ymax':999}}"
            + "]}";
    try (Shop shop = new Shop(plane)) {
      shop.with("{'id':'1','p':'a','at':{'type':'Point','coordinates':[300,400]}}");
      shop.with("{'id':'2','p':'a','at':{'type':'Point','coordinates':[3,4]}}");
      String origin = "{\"type\":\"Point\",\"coordinates\":[0,0]}";
      assertThat(shop.all("SELECT VALUE ST_DISTANCE(c.at, " + origin + ") FROM c ORDER BY c.id"))
          .containsExactly("500", "5");
      assertThat(shop.all("SELECT VALUE c.id FROM c WHERE ST_DISTANCE(c.at, " + origin + ") < 501"))
          .containsExactlyInAnyOrder("\"1\"", "\"2\"");
      String square = "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[0,9],[9,9],[9,0],[0,0]]]}";
      assertThat(shop.all("SELECT VALUE c.id FROM c WHERE ST_WITHIN(c.at, " + square + ")"))
          .containsExactly("\"2\"");
    }
  }

  @Test
  void orderByArrayElementsIsPlannedButNotExecuted() {
    try (Shop shop = new Shop()) {
      for (String sql :
          List.of(
              "SELECT VALUE l.n FROM c JOIN l IN c.l ORDER BY l.n",
              "SELECT VALUE l FROM c JOIN l IN (SELECT VALUE c.l) ORDER BY l")) {
        assertThat(shop.plan(sql).field("queryInfo").isDocument()).isTrue();
        refused(shop, sql, "Order-by over correlated collections is not supported.");
      }
      String computed = "SELECT VALUE c.id FROM c ORDER BY LOWER(c.id)";
      assertThatThrownBy(() -> shop.plan(computed))
          .isInstanceOfSatisfying(
              CosmosException.class, refusal -> assertThat(refusal.text()).contains("2206"));
    }
  }

  @Test
  void unboundedJoinsFail() {
    String many = IntStream.range(0, 20).mapToObj(Integer::toString).collect(joining(","));
    try (Shop shop = new Shop().with("{'id':'1','p':'a','t':[" + many + "]}")) {
      String joins = " JOIN a IN c.t JOIN b IN c.t JOIN d IN c.t JOIN e IN c.t";
      assertThat(shop.all("SELECT VALUE COUNT(1) FROM c" + joins)).containsExactly("160000");
      String more = " JOIN f IN c.t JOIN g IN c.t JOIN h IN c.t JOIN i IN c.t";
      refused(shop, "SELECT VALUE COUNT(1) FROM c" + joins + more, "combinations");
      String exists = "EXISTS(SELECT 1 FROM c" + joins + more + " WHERE a + b < 0)";
      refused(shop, "SELECT * FROM c WHERE " + exists, "combinations");
    }
  }

  @Test
  void otherResourcesAreQueriedInTheSameLanguage() {
    List<Document> resources = List.of(Shop.json("{'id':'a'}"), Shop.json("{'id':'b'}"));
    Document query =
        Shop.json(
            "{'query':'SELECT * FROM root r WHERE r.id = @id',"
                + "'parameters':[{'name':'@id','value':'b'}]}");
    assertThat(new ResourceQueries().select(query, resources, 0))
        .containsExactly(Value.of(Shop.json("{'id':'b'}")));
  }

  private static long examined(Shop shop) {
    String metrics = Objects.requireNonNull(shop.header(HeaderNames.QUERY_METRICS));
    return Long.parseLong(metrics.replaceAll(".*retrievedDocumentCount=(\\d+).*", "$1"));
  }

  @Test
  void theNextPageUsesCachedResults() {
    try (Shop shop = filled().lenient()) {
      String[] headers = {
        HeaderNames.MAX_ITEM_COUNT, "2", HeaderNames.POPULATE_QUERY_METRICS, "true"
      };
      for (String sql :
          List.of(
              "SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n",
              "SELECT VALUE c.n FROM c WHERE c.p IN ('p0', 'p1', 'p2') ORDER BY c.n, c.id",
              "SELECT VALUE c.n FROM c ORDER BY c._rid")) {
        List<String> all = new ArrayList<>(shop.page(sql, null, headers));
        assertThat(examined(shop)).as(sql).isEqualTo(9);
        while (shop.continuation() != null) {
          all.addAll(shop.page(sql, shop.continuation(), headers));
          assertThat(examined(shop)).as(sql).isZero();
        }
        assertThat(all).as(sql).hasSize(9).doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void distinctResultsContinueAfterTheLastPage() {
    try (Shop shop = filled()) {
      String[] headers = {
        HeaderNames.MAX_ITEM_COUNT, "2", HeaderNames.POPULATE_QUERY_METRICS, "true"
      };
      String sql = "SELECT DISTINCT VALUE c.n % 5 FROM c";
      List<String> all = new ArrayList<>(shop.page(sql, null, headers));
      long looks = examined(shop);
      while (shop.continuation() != null) {
        all.addAll(shop.page(sql, shop.continuation(), headers));
        looks += examined(shop);
      }
      assertThat(all).containsExactlyInAnyOrder(numbers(0, 5));
      assertThat(looks).isLessThanOrEqualTo(9 + 3);
    }
  }

  @Test
  void cachedResultsOmitExpiredItems() {
    try (Shop shop = new Shop(",'defaultTtl':-1").lenient()) {
      for (int i = 0; i < 6; i++) {
        shop.with("{'id':'" + i + "','p':'a','n':" + i + ",'ttl':" + (i == 3 ? 10 : 1000) + "}");
      }
      String sorted = "SELECT VALUE c.n FROM c ORDER BY c.n, c.id";
      String grouped = "SELECT VALUE c.n FROM c GROUP BY c.n";
      shop.page(sorted, null, TWO);
      String restSorted = Objects.requireNonNull(shop.continuation());
      shop.page(grouped, null, TWO);
      String restGrouped = Objects.requireNonNull(shop.continuation());
      shop.clock.advance(Duration.ofSeconds(10));
      assertThat(shop.page(sorted, restSorted)).containsExactly("2", "4", "5");
      assertThat(shop.page(grouped, restGrouped)).doesNotContain("3");
      shop.page(sorted, null, TWO);
      String before = Objects.requireNonNull(shop.continuation());
      shop.clock.advance(Duration.ofSeconds(1000));
      assertThat(shop.page(sorted, before)).isEmpty();
    }
  }

  @Test
  void writesInvalidateCachedResults() {
    try (Shop shop = new Shop(",'defaultTtl':-1").lenient()) {
      for (int i = 0; i < 6; i++) {
        shop.with("{'id':'" + i + "','p':'a','n':" + i + ",'ttl':1000}");
      }
      String sorted = "SELECT VALUE c.n FROM c ORDER BY c.n, c.id";
      shop.page(sorted, null, TWO);
      String rest = Objects.requireNonNull(shop.continuation());
      shop.replace("{'id':'3','p':'a','n':3,'ttl':1}");
      shop.clock.advance(Duration.ofSeconds(1));
      assertThat(shop.page(sorted, rest)).containsExactly("2", "4", "5");
    }
  }

  @Test
  void distinctSubqueriesCountSharedValuesOnce() {
    try (Shop shop = new Shop()) {
      for (int i = 0; i < 9; i++) {
        shop.with("{'id':'%d','p':'p','n':%d,'t':[1,1,%d]}".formatted(i, i % 4, i % 2));
      }
      shop.with("{'id':'none','p':'p'}");
      assertThat(shop.all("SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.n FROM c)"))
          .containsExactly("4");
      assertThat(shop.all("SELECT COUNT(1) AS k FROM (SELECT DISTINCT c.n FROM c) AS x"))
          .containsExactly("{\"k\":5}");
      assertThat(shop.all("SELECT VALUE SUM(x) FROM (SELECT DISTINCT VALUE c.n FROM c) x"))
          .containsExactly("6");
      assertThat(
              shop.all("SELECT VALUE COUNT(1) FROM c JOIN (SELECT DISTINCT VALUE t FROM t IN c.t)"))
          .containsExactly("14");
    }
  }
}
