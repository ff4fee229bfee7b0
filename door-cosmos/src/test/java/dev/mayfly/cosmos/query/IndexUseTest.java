package dev.mayfly.cosmos.query;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Queries use indexes, and report which index they used. */
final class IndexUseTest {
  private static final String SPATIAL =
      ",'indexingPolicy':{'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/lines/*'}],"
          + "'spatialIndexes':[{'path':'/at/*','types':['Point','Polygon']}]}";
  private static final String HERE = "{'type':'Point','coordinates':[%s,47]}";

  /** Sixty items, each of which has some tags, some lines and a place. */
  private static Shop filled(String definition) {
    Shop shop = new Shop(definition);
    for (int i = 0; i < 60; i++) {
      shop.with(
          "{'id':'%1$d','p':'p%2$d','n':%1$d,'m':%3$d,'tags':['t%3$d','all',%1$d],"
                  .formatted(i, i % 3, i % 10)
              + "'lines':[{'sku':'s%d','parts':[{'no':%d}]},{'sku':'none','parts':[]}],"
                  .formatted(i % 20, i)
              + "'at':%s}".formatted(HERE.formatted(i)));
    }
    return shop;
  }

  /** What a query has found, looked at and used. */
  private record Page(int found, long examined, List<String> used, List<String> missing) {}

  private static Page page(Shop shop, String sql, String... headers) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.addAll(List.of(HeaderNames.POPULATE_QUERY_METRICS, "true"));
    all.addAll(List.of(HeaderNames.POPULATE_INDEX_METRICS, "true"));
    int found = shop.page(sql.replace('\'', '"'), null, all.toArray(String[]::new)).size();
    String metrics = Objects.requireNonNull(shop.header(HeaderNames.QUERY_METRICS));
    Document use =
        Json.parse(
            Base64.getDecoder().decode(shop.header(HeaderNames.INDEX_METRICS)), Limits.COSMOS);
    return new Page(
        found,
        Long.parseLong(metrics.replaceAll(".*retrievedDocumentCount=(\\d+).*", "$1")),
        specs(use, "UtilizedSingleIndexes"),
        specs(use, "PotentialSingleIndexes"));
  }

  private static List<String> specs(Document use, String list) {
    List<String> specs = new ArrayList<>();
    Fields each = use.field(list).asDocument().fields();
    while (each.next()) {
      specs.add(each.value().asDocument().field("IndexSpec").asString());
    }
    return specs;
  }

  private static void leads(Shop shop, String condition, int found, int examined, String... used) {
    Page page = page(shop, "SELECT c.id FROM c WHERE " + condition);
    assertThat(page).as(condition).isEqualTo(new Page(found, examined, List.of(used), List.of()));
  }

  @Test
  void aLongInListUsesTheIndex() {
    String list = IntStream.range(40, 20_000).mapToObj(Integer::toString).collect(joining(","));
    try (Shop shop = filled("")) {
      Page in = page(shop, "SELECT * FROM c WHERE c.n IN (" + list + ")");
      assertThat(in).isEqualTo(new Page(20, 20, List.of("/n/?"), List.of()));
      assertThat(page(shop, "SELECT * FROM c WHERE c.n NOT IN (" + list + ")").found())
          .isEqualTo(40);
    }
  }

  @Test
  void arrayElementsUseTheIndex() {
    try (Shop shop = filled("")) {
      leads(shop, "ARRAY_CONTAINS(c.tags, 't7')", 6, 6, "/tags/[]/?");
      leads(
          shop, "ARRAY_CONTAINS(c.tags, 't7') AND ARRAY_CONTAINS(c.tags, 17)", 1, 1, "/tags/[]/?");
      leads(shop, "EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 't7')", 6, 6, "/tags/[]/?");
      leads(
          shop,
          "EXISTS(SELECT VALUE l FROM l IN c.lines WHERE l.sku = 's3')",
          3,
          3,
          "/lines/[]/sku/?");
      leads(
          shop,
          "EXISTS(SELECT VALUE p FROM l IN c.lines JOIN p IN l.parts WHERE p.no < 2)",
          2,
          2,
          "/lines/[]/parts/[]/no/?");
      leads(
          shop,
          "ARRAY_CONTAINS(c.lines, {'sku': 's3'}, true) AND c.m >= 0",
          3,
          3,
          "/lines/[]/sku/?");
    }
  }

  @Test
  void anItemWithSeveralMatchingElementsIsFoundOnce() {
    try (Shop shop = filled("")) {
      String any = "EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t >= 't7' OR t < 30)";
      Page page = page(shop, "SELECT c.id FROM c WHERE " + any);
      assertThat(page.found()).isEqualTo(18 + 21);
      assertThat(page.used()).containsExactly("/tags/[]/?");
      String[] few = {HeaderNames.MAX_ITEM_COUNT, "4"};
      assertThat(shop.all("SELECT VALUE c.id FROM c WHERE " + any.replace('\'', '"'), few))
          .hasSize(39)
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void joinsUseAnIndexForTheirConditions() {
    try (Shop shop = filled("")) {
      assertThat(page(shop, "SELECT c.id FROM c JOIN l IN c.lines WHERE l.sku = 's3'"))
          .isEqualTo(new Page(3, 3, List.of("/lines/[]/sku/?"), List.of()));
      assertThat(page(shop, "SELECT VALUE l FROM l IN c.lines WHERE l.sku = 's3'"))
          .isEqualTo(new Page(3, 3, List.of("/lines/[]/sku/?"), List.of()));
      assertThat(
              page(
                  shop,
                  "SELECT c.id FROM c JOIN (SELECT VALUE t FROM t IN c.tags WHERE t = 't2') x"))
          .isEqualTo(new Page(6, 6, List.of("/tags/[]/?"), List.of()));
    }
  }

  @Test
  void orOnDifferentPathsUsesTheIndex() {
    try (Shop shop = filled("")) {
      leads(shop, "c.n = 7 OR c.m = 3", 7, 7, "/n/?", "/m/?");
      leads(shop, "c.n < 2 OR ARRAY_CONTAINS(c.tags, 't1')", 7, 7, "/n/?", "/tags/[]/?");
      leads(shop, "(c.n = 7 AND c.p = 'p1') OR (c.m = 3 AND c.n > 50)", 2, 7, "/n/?", "/m/?");
      Page scan = page(shop, "SELECT c.id FROM c WHERE c.n = 7 OR LENGTH(c.p) = 3");
      assertThat(scan).isEqualTo(new Page(1, 60, List.of(), List.of()));
    }
  }

  @Test
  void equalityIsPreferredToARange() {
    try (Shop shop = filled("")) {
      leads(shop, "c.n > 3 AND c.m = 3", 5, 6, "/m/?");
      leads(shop, "STARTSWITH(c.p, 'p') AND c.m IN (3, 4)", 12, 12, "/m/?");
    }
  }

  @Test
  void spatialConditionsUseTheSpatialIndex() {
    try (Shop shop = filled(SPATIAL)) {
      shop.with("{'id':'not','p':'a','at':{'type':'Point','coordinates':[300,0]}}");
      String here = HERE.formatted(20.01);
      Page near = page(shop, "SELECT c.id FROM c WHERE ST_DISTANCE(c.at, " + here + ") < 30000");
      assertThat(near.found()).isEqualTo(1);
      assertThat(near.examined()).isLessThan(10);
      assertThat(near.used()).containsExactly("/at/?");
      String area =
          "{'type':'Polygon','coordinates':[[[9.5,46],[12.5,46],[12.5,48],[9.5,48],[9.5,46]]]}";
      Page within = page(shop, "SELECT c.id FROM c WHERE ST_WITHIN(c.at, " + area + ")");
      assertThat(within.found()).isEqualTo(3);
      assertThat(within.examined()).isLessThan(20);
      Page across = page(shop, "SELECT c.id FROM c WHERE ST_INTERSECTS(" + area + ", c.at)");
      assertThat(across.found()).isEqualTo(3);
      assertThat(across.examined()).isLessThan(20);
    }
  }

  @Test
  void excludedPathsAreReportedAndScanned() {
    try (Shop shop = filled(SPATIAL)) {
      assertThat(page(shop, "SELECT c.id FROM c JOIN l IN c.lines WHERE l.sku = 's3'"))
          .isEqualTo(new Page(3, 60, List.of(), List.of("/lines/[]/sku/?")));
    }
  }

  /** Items that were written a second apart. */
  private static Shop aged(String definition) {
    Shop shop = new Shop(definition);
    for (int i = 0; i < 20; i++) {
      shop.with("{'id':'%d','p':'p%d','n':%d}".formatted(i, i % 3, i));
      shop.clock.advance(Duration.ofSeconds(1));
    }
    return shop;
  }

  @Test
  void timestampsAreIndexedUnderEveryPolicy() {
    String nothing =
        ",'indexingPolicy':{'includedPaths':[],'excludedPaths':[{'path':'/*'}],"
            + "'compositeIndexes':[[{'path':'/p'},{'path':'/_ts','order':'descending'}]]}";
    for (String definition : List.of("", nothing)) {
      try (Shop shop = aged(definition)) {
        leads(shop, "c._ts >= 1700000015", 5, 5, "/_ts/?");
        leads(shop, "c._ts BETWEEN 1700000003 AND 1700000004", 2, 2, "/_ts/?");
        assertThat(shop.all("SELECT VALUE c.n FROM c WHERE NOT (c._ts > 1700000000)"))
            .containsExactly("0");
        String[] few = {HeaderNames.MAX_ITEM_COUNT, "3"};
        List<String> newest = shop.all("SELECT VALUE c.n FROM c ORDER BY c._ts DESC", few);
        assertThat(newest).hasSize(20).startsWith("19", "18", "17").endsWith("1", "0");
        Page page = page(shop, "SELECT TOP 3 c.n FROM c ORDER BY c._ts");
        assertThat(page.found()).isEqualTo(3);
        assertThat(page.examined()).isLessThanOrEqualTo(4);
      }
    }
  }

  @Test
  void aWriteUpdatesCompositeIndexesWithTimestamps() {
    String composite =
        ",'indexingPolicy':{'includedPaths':[{'path':'/*'}],'excludedPaths':[],"
            + "'compositeIndexes':[[{'path':'/p'},{'path':'/_ts','order':'descending'}]]}";
    try (Shop shop = aged(composite)) {
      shop.replace("{'id':'4','p':'p1','n':44}");
      leads(shop, "c._ts = 1700000004", 0, 0, "/_ts/?");
      leads(shop, "c._ts = 1700000020", 1, 1, "/_ts/?");
      assertThat(shop.all("SELECT VALUE c.n FROM c ORDER BY c.p DESC, c._ts"))
          .startsWith("2", "5", "8")
          .endsWith("12", "15", "18");
      assertThat(shop.all("SELECT VALUE c.n FROM c WHERE c.p = \"p1\" ORDER BY c.p, c._ts DESC"))
          .startsWith("44", "19", "16");
      shop.restart();
      leads(shop, "c._ts = 1700000020", 1, 1, "/_ts/?");
    }
  }

  /** Twelve hundred items of which few are rare. */
  private static Shop crowded() {
    Shop shop = new Shop("");
    for (int i = 0; i < 1200; i++) {
      shop.with(
          "{'id':'%1$d','p':'p%2$d','n':%3$d,'kind':'%4$s','all':true}"
              .formatted(i, i % 2, 1200 - i, i % 200 == 0 ? "rare" : "common"));
    }
    return shop;
  }

  @Test
  void fewItemsAreSortedInsteadOfScannedInOrder() {
    try (Shop shop = crowded()) {
      String rare = "SELECT VALUE c.n FROM c WHERE c.kind = 'rare' ORDER BY c.n";
      assertThat(page(shop, rare)).isEqualTo(new Page(6, 6, List.of("/kind/?"), List.of()));
      String[] few = {HeaderNames.MAX_ITEM_COUNT, "2"};
      assertThat(shop.all(rare.replace('\'', '"'), few))
          .containsExactly("200", "400", "600", "800", "1000", "1200");
      Page part = page(shop, rare.replace("WHERE", "WHERE c.p = 'p0' AND"));
      assertThat(part).isEqualTo(new Page(6, 6, List.of("/kind/?"), List.of()));
      Page many = page(shop, "SELECT TOP 5 c.n FROM c WHERE c.all = true ORDER BY c.n DESC");
      assertThat(many).isEqualTo(new Page(5, 5, List.of("/n/?"), List.of()));
    }
  }

  @Test
  void aContinuationKeepsItsOrderWhenThePlanChanges() {
    try (Shop shop = crowded()) {
      String sql = "SELECT VALUE c.n FROM c WHERE c.kind = \"common\" ORDER BY c.n";
      String[] few = {HeaderNames.MAX_ITEM_COUNT, "3"};
      assertThat(shop.page(sql, null, few)).containsExactly("1", "2", "3");
      String on = shop.continuation();
      for (int i = 0; i < 1190; i++) {
        shop.replace("{'id':'%1$d','p':'p%2$d','n':%3$d}".formatted(i, i % 2, 1200 - i));
      }
      assertThat(shop.page(sql, on, few)).containsExactly("4", "5", "6");
    }
  }

  @Test
  void idsAreIndexedUnderEveryPolicy() {
    String nothing = ",'indexingPolicy':{'includedPaths':[],'excludedPaths':[{'path':'/*'}]}";
    for (String definition : List.of("", nothing)) {
      try (Shop shop = filled(definition)) {
        leads(shop, "c.id = '17'", 1, 1, "/id/?");
        leads(shop, "STARTSWITH(c.id, '5')", 11, 11, "/id/?");
        String[] few = {HeaderNames.MAX_ITEM_COUNT, "7"};
        assertThat(shop.all("SELECT VALUE c.id FROM c ORDER BY c.id DESC", few))
            .hasSize(60)
            .startsWith("\"9\"", "\"8\"", "\"7\"", "\"6\"", "\"59\"")
            .isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(page(shop, "SELECT TOP 3 c.id FROM c ORDER BY c.id").examined()).isEqualTo(3);
      }
    }
  }
}
