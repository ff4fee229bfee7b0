package dev.mayfly.cosmos;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.cosmos.testing.Desk;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.engine.Namespace;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ContainersTest {
  private static final String FEED = "/dbs/sales/colls";
  private static final String ORDERS = FEED + "/orders";
  private static final String KEY = "\"partitionKey\": {\"paths\": [\"/customerId\"]}";

  private final Desk desk = Desk.open();

  @BeforeEach
  void makeDatabase() {
    desk.post("/dbs", "{\"id\": \"sales\"}");
  }

  @AfterEach
  void close() {
    desk.close();
  }

  private Answer make(String properties) {
    return desk.post(FEED, "{\"id\": \"orders\"" + properties + "}");
  }

  private Answer replace(String properties, String... headers) {
    return desk.put(ORDERS, "{\"id\": \"orders\"" + properties + "}", headers);
  }

  private Collection collection() {
    return desk.store().collection(new Namespace("cosmos:sales", "orders"));
  }

  @Test
  void rulesThatTheEngineChangedAreReported() {
    Answer made = make(", \"defaultTtl\": 60, " + KEY);
    collection().alter(spec -> spec.withDefaultTtl(90));
    Answer read = desk.get(ORDERS);
    assertThat(read.at("defaultTtl")).isEqualTo(Value.of(90L));
    assertThat(read.string("_etag")).isNotEqualTo(made.string("_etag"));
    Answer stale = replace(", \"defaultTtl\": 60, " + KEY, "if-match: " + made.string("_etag"));
    assertThat(stale.status()).isEqualTo(412);
    assertThat(collection().spec().timeToLive().defaultSeconds()).isEqualTo(90);
    Answer fresh = replace(", \"defaultTtl\": 30, " + KEY, "if-match: " + read.string("_etag"));
    assertThat(fresh.status()).isEqualTo(200);
    assertThat(desk.get(ORDERS).at("defaultTtl")).isEqualTo(Value.of(30L));
  }

  @Test
  void aContainerIsCreatedReadListedAndDeleted() {
    Answer made = make(", " + KEY);
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.string("_self"))
        .isEqualTo(desk.get("/dbs/sales").string("_self") + "colls/" + made.string("_rid") + "/");
    Answer read = desk.get(ORDERS);
    assertThat(read.body()).isEqualTo(made.body());
    assertThat(read.header("x-ms-alt-content-path")).isEqualTo("dbs/sales");
    assertThat(read.header("etag")).isEqualTo(made.string("_etag"));
    assertThat(desk.get("/" + made.string("_self")).body()).isEqualTo(made.body());
    assertThat(desk.get(FEED).list("DocumentCollections")).containsExactly(made.body());
    assertThat(desk.delete(ORDERS).status()).isEqualTo(204);
    assertThat(desk.get(ORDERS).status()).isEqualTo(404);
  }

  @Test
  void aContainerNeedsADatabaseAndAUniqueId() {
    Answer lost = desk.post("/dbs/none/colls", "{\"id\": \"orders\"}");
    assertThat(lost.status()).isEqualTo(404);
    assertThat(lost.header("x-ms-substatus")).isEqualTo("1003");
    make("");
    assertThat(make("").status()).isEqualTo(409);
  }

  @Test
  void containersSurviveARestart() {
    Document made = make(", \"defaultTtl\": 60, " + KEY).body();
    desk.restart();
    assertThat(desk.get(ORDERS).body()).isEqualTo(made);
  }

  @Test
  void deletingADatabaseDeletesItsContainers() {
    make("");
    desk.delete("/dbs/sales");
    makeDatabase();
    assertThat(desk.get(FEED).list("DocumentCollections")).isEmpty();
    assertThat(make("").status()).isEqualTo(201);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"paths":["/a"]}                                        | Hash      | 1
          {"paths":["/a"],"kind":"Hash","version":"V2"}           | Hash      | 2
          {"paths":["/a"],"version":2}                            | Hash      | 2
          {"paths":["/a/b"],"kind":"hash","version":1}            | Hash      | 1
          {"paths":["/a","/b"],"kind":"MultiHash","version":"V2"} | MultiHash | 2
          {"paths":["/a","/b","/c"],"kind":"MultiHash"}           | MultiHash | 2
          """)
  void allFormsOfPartitionKeyDefinitionsAreParsed(String sent, String kind, int version) {
    Answer made = make(", \"partitionKey\": " + sent);
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.string("partitionKey.kind")).isEqualTo(kind);
    Value returned = made.at("partitionKey.version");
    assertThat(returned.isMissing() ? 1 : returned.asInt()).isEqualTo(version);
    String paths = Json.write(made.at("partitionKey.paths"));
    assertThat(sent).startsWith("{\"paths\":" + paths);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ", \"partitionKey\": null"})
  void aContainerWithoutAKeyHasASystemPartitionKey(String without) {
    assertThat(Json.write(make(without).at("partitionKey")))
        .isEqualTo(
            "{\"paths\":[\"/_partitionKey\"],\"kind\":\"Hash\",\"version\":2,"
                + "\"systemKey\":true}");
  }

  @Test
  void oldClientsDoNotSeeSystemPartitionKeys() {
    String older = "x-ms-version: 2018-06-18";
    Answer made = desk.post(FEED, "{\"id\": \"orders\"}", older);
    assertThat(made.at("partitionKey").isMissing()).isTrue();
    assertThat(desk.get(FEED + "/orders", older).at("partitionKey").isMissing()).isTrue();
    assertThat(
            desk.get(FEED, older)
                .list("DocumentCollections")
                .getFirst()
                .field("partitionKey")
                .isMissing())
        .isTrue();
    Answer replaced = desk.put(FEED + "/orders", made.text(), older);
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(desk.get(FEED + "/orders").at("partitionKey.systemKey").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"partitionKey\": 1",
        "\"partitionKey\": {}",
        "\"partitionKey\": {\"paths\": []}",
        "\"partitionKey\": {\"paths\": [\"a\"]}",
        "\"partitionKey\": {\"paths\": [\"/a\", \"/b\"], \"kind\": \"Hash\"}",
        "\"partitionKey\": {\"paths\": [\"/a\"], \"kind\": \"Sort\"}",
        "\"partitionKey\": {\"paths\": [\"/a\"], \"version\": 3}",
        "\"indexingPolicy\": {\"indexingMode\": \"eager\"}",
        "\"indexingPolicy\": 5",
        "\"indexingPolicy\": {\"indexingMode\": 1}",
        "\"indexingPolicy\": {\"automatic\": \"yes\"}",
        "\"indexingPolicy\": {\"includedPaths\": \"/*\"}",
        "\"indexingPolicy\": {\"excludedPaths\": {\"path\": \"/a/*\"}}",
        "\"indexingPolicy\": {\"compositeIndexes\": {}}",
        "\"indexingPolicy\": {\"compositeIndexes\": [[{\"path\": \"/a\", \"order\": \"up\"},"
            + " {\"path\": \"/b\"}]]}",
        "\"indexingPolicy\": {\"spatialIndexes\": [{\"path\": \"/a/*\", \"types\": [\"Circle\"]}]}",
        "\"indexingPolicy\": {\"spatialIndexes\": [\"/a/*\"]}",
        "\"uniqueKeyPolicy\": [{\"paths\": [\"/a\"]}]",
        "\"mayflyGraceSeconds\": \"60\"",
        "\"mayflyGraceSeconds\": -1",
        "\"mayfly\": 5",
        "\"mayfly\": {\"ttlFormat\": \"seconds\"}",
        "\"mayfly\": {\"ttlUnit\": \"seconds\"}",
        "\"mayfly\": {\"sliding\": true}",
        "\"defaultTtl\": 5, \"mayfly\": {\"sliding\": 5}",
        "\"defaultTtl\": 5, \"mayfly\": {\"sliding\": {\"slackSeconds\": 0}}",
        "\"mayfly\": {\"maxBytes\": 0}",
        "\"mayfly\": {\"maxDocuments\": \"5\"}",
        "\"mayfly\": {\"evict\": \"soonest\"}",
        "\"mayfly\": {\"onExpire\": 5}",
        "\"mayfly\": {\"onExpire\": {\"moveTo\": 5}}",
        "\"mayfly\": {\"onExpire\": {\"moveTo\": \"cosmos:no.such\"}}",
        "\"mayfly\": {\"onExpire\": {\"files\": \"x\"}}",
        "\"mayfly\": {\"onExpire\": {\"post\": \"http://localhost/\"}}",
        "\"mayfly\": {\"maxBytes\": 5, \"evict\": \"oldest\"}",
        "\"defaultTtl\": 5, \"ttlPropertyPath\": \"/a\", \"mayfly\": {\"ttlFormat\": 5}",
        "\"defaultTtl\": 5, \"ttlPropertyPath\": \"/a\", \"mayfly\": {\"ttlFormat\": \"date\"}",
        "\"changeFeedPolicy\": 5",
        "\"changeFeedPolicy\": {\"retentionDuration\": \"PT1H\"}",
        "\"uniqueKeyPolicy\": {\"uniqueKeys\": {\"paths\": [\"/a\"]}}",
        "\"indexingPolicy\": {\"includedPaths\": [{\"path\": \"/a/?\"}]}",
        "\"indexingPolicy\": {\"includedPaths\": [{\"path\": \"/*\"}, {\"path\": \"/a\"}]}",
        "\"indexingPolicy\": {\"compositeIndexes\": [[{\"path\": \"/a\"}]]}",
        "\"uniqueKeyPolicy\": {\"uniqueKeys\": [{\"paths\": []}]}",
      })
  void anInvalidContainerDefinitionIsRejected(String property) {
    Answer refused = make(", " + property);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.string("code")).isEqualTo("BadRequest");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/id ds", "/a/[]", "/a/", "//a", "/", "", "/*", "/a/?", "/a.b", "/a+b", "id", "/'a", "/'a'b"
      })
  void partitionKeyPathsHaveValidCharacters(String path) {
    String key = ", \"partitionKey\": {\"paths\": [\"" + path + "\", \"/id2\"]}";
    assertThat(make(key).string("message"))
        .contains(
            "The partition key component definition path '" + path + "' could not be accepted",
            "Partition key paths must contain only valid characters and not contain a trailing"
                + " slash or wildcard character.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/\\\"id ds\\\"", "/\\\"a.b\\\"/c", "/a-b", "/$pk", "/_a1", "/größe"})
  void aPartitionKeyPathIsReturnedAsItWasSent(String path) {
    Answer made = make(", \"partitionKey\": {\"paths\": [\"" + path + "\"]}");
    assertThat(made.status()).as(made.text()).isEqualTo(201);
    assertThat(Json.write(made.at("partitionKey.paths"))).isEqualTo("[\"" + path + "\"]");
    desk.restart();
    assertThat(desk.get(ORDERS).body()).isEqualTo(made.body());
    assertThat(desk.put(ORDERS, made.text()).status()).isEqualTo(200);
  }

  private static String spatial(String type, String properties) {
    return """
    , "geospatialConfig": {"type": "%s"}, "indexingPolicy": {"spatialIndexes":
        [{"path": "/at/*"%s}]}\
    """
        .formatted(type, properties);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          Geometry  |            | Required parameter 'boundingBox' for 'Geometry' collection
          Geography | 0 0 10 10  | Incorrect parameter 'boundingBox' specified for 'Geography'
          Geometry  | 0 0 0 10   | 'xmax' must be greater than the value of parameter 'xmin'
          Geometry  | 0 10 10 10 | 'ymax' must be greater than the value of parameter 'ymin'
          """)
  void aBoundingBoxBelongsToGeometry(String type, @Nullable String box, String text) {
    String properties = TYPES + (box == null ? "" : box(box));
    assertThat(make(spatial(type, properties)).string("message")).contains(text);
    make("");
    assertThat(replace(spatial(type, properties)).string("message")).contains(text);
  }

  private static final String TYPES = ", \"types\": [\"Point\"]";

  /** From four numbers. */
  private static String box(String sides) {
    String[] side = sides.split(" ", -1);
    return ", \"boundingBox\": {\"xmin\": %s, \"ymin\": %s, \"xmax\": %s, \"ymax\": %s}"
        .formatted(side[0], side[1], side[2], side[3]);
  }

  @ParameterizedTest
  @CsvSource({"Geography,", "Geometry, 0 0 10 10"})
  void aSpatialIndexHasAllGeometryTypes(String type, @Nullable String box) {
    Answer made = make(spatial(type, TYPES + (box == null ? "" : box(box))));
    assertThat(made.status()).as(made.text()).isEqualTo(201);
    assertThat(made.string("geospatialConfig.type")).isEqualTo(type);
    String index = Json.write(made.at("indexingPolicy.spatialIndexes.0"));
    assertThat(index)
        .startsWith("{\"path\":\"/at/*\",")
        .contains("\"types\":[\"Point\",\"LineString\",\"Polygon\",\"MultiPolygon\"]");
    assertThat(index.contains("\"xmax\":10")).isEqualTo(box != null);
    desk.restart();
    assertThat(desk.get(ORDERS).body()).isEqualTo(made.body());
    assertThat(desk.put(ORDERS, made.text()).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ", \"types\": []"})
  void aSpatialIndexNeedsTypes(String types) {
    assertThat(make(spatial("Geography", types)).string("message"))
        .contains(
            "The spatial data types array cannot be empty. Assign at least one spatial type for"
                + " the 'types' array for the path '/at/*'");
  }

  @Test
  void aGeospatialTypeIsGeographyOrGeometry() {
    assertThat(make(", \"geospatialConfig\": {\"type\": \"Flat\"}").status()).isEqualTo(400);
    assertThat(make(", \"geospatialConfig\": 5").status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({"-1", "1", "3600", "2147483647"})
  void theDefaultTtlIsStored(String ttl) {
    assertThat(make(", \"defaultTtl\": " + ttl).at("defaultTtl")).hasToString(ttl);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-10", "-2", "2147483648", "1.5", "\"60\"", "true", "[]"})
  void anInvalidDefaultTtlIsRejected(String ttl) {
    Answer refused = make(", \"defaultTtl\": " + ttl);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.string("message"))
        .contains("The input ttl '", "is invalid. Ensure to provide a nonzero positive integer");
    make("");
    assertThat(replace(", \"defaultTtl\": " + ttl).status()).isEqualTo(400);
  }

  @Test
  void aMissingOrNullDefaultTtlIsOff() {
    assertThat(make("").at("defaultTtl").isMissing()).isTrue();
    assertThat(replace(", \"defaultTtl\": null").at("defaultTtl").isMissing()).isTrue();
    replace(", \"defaultTtl\": 60");
    assertThat(replace("").at("defaultTtl").isMissing()).isTrue();
    assertThat(collection().spec().timeToLive().hasDefault()).isFalse();
  }

  @Test
  void aTtlPropertyPathNeedsADefaultTtl() {
    assertThat(make(", \"ttlPropertyPath\": \"/created\"").status()).isEqualTo(400);
    Answer made = make(", \"defaultTtl\": 60, \"ttlPropertyPath\": \"/created\"");
    assertThat(made.string("ttlPropertyPath")).isEqualTo("/created");
    assertThat(collection().spec().timeToLive().property()).isEqualTo("created");
  }

  @Test
  void theTtlFormatIsKeptByReplacementsThatDoNotHaveIt() {
    String path = ", \"defaultTtl\": 60, \"ttlPropertyPath\": \"/created\"";
    String format = ", \"mayfly\": {\"ttlFormat\": \"milliseconds\"}";
    assertThat(make(path + format).at("mayfly").toString())
        .isEqualTo("{\"ttlFormat\":\"milliseconds\"}");
    assertThat(replace(path).at("mayfly").toString()).isEqualTo("{\"ttlFormat\":\"milliseconds\"}");
    assertThat(collection().spec().timeToLive().propertyFormat())
        .isEqualTo(TimeFormat.MILLISECONDS);
    assertThat(replace(path + ", \"mayfly\": {}").at("mayfly").isMissing()).isTrue();
    assertThat(replace(path + format).at("mayfly").isMissing()).isFalse();
    assertThat(replace("").at("mayfly").isMissing()).isTrue();
  }

  @Test
  void indexingModeNoneAndDefaultTtlExcludeEachOther() {
    String none = ", \"indexingPolicy\": {\"indexingMode\": \"none\", \"automatic\": false}";
    String text =
        "Indexing mode value cannot be 'none' when 'defaultTtl' is specified in the collection";
    assertThat(make(none + ", \"defaultTtl\": 60").string("message")).contains(text);
    assertThat(make(none).status()).isEqualTo(201);
    assertThat(replace(none + ", \"defaultTtl\": -1").string("message")).contains(text);
    assertThat(replace(", \"defaultTtl\": 60").status()).isEqualTo(200);
    assertThat(replace(none + ", \"defaultTtl\": 60").string("message")).contains(text);
  }

  @Test
  void noIndexingIsNotAutomatic() {
    assertThat(
            make(", \"indexingPolicy\": {\"indexingMode\": \"none\", \"automatic\": true}")
                .string("message"))
        .contains("cannot be 'none' when automatic indexing is specified as 'true'.");
  }

  @Test
  void policiesAreReturnedAsTheyWereSent() {
    Answer made =
        make(
            """
            , "indexingPolicy": {"indexingMode": "Consistent", "automatic": true,
                "includedPaths": [{"path": "/*"}], "excludedPaths": [{"path": "/big/*"}],
                "compositeIndexes": [[{"path": "/a", "order": "ascending"},
                                      {"path": "/b", "order": "descending"}]]},
              "computedProperties": [{"name": "low", "query": "SELECT VALUE LOWER(c.n) FROM c"}],
              "analyticalStorageTtl": -1,
              "uniqueKeyPolicy": {"uniqueKeys": [{"paths": ["/mail"]}]}\
            """);
    assertThat(made.string("indexingPolicy.indexingMode")).isEqualTo("consistent");
    assertThat(made.list("computedProperties")).hasSize(1);
    assertThat(made.at("analyticalStorageTtl").asInt()).isEqualTo(-1);
    assertThat(made.string("conflictResolutionPolicy.mode")).isEqualTo("LastWriterWins");
    assertThat(made.string("geospatialConfig.type")).isEqualTo("Geography");
    assertThat(collection().spec().indexes()).hasSize(4);
  }

  @Test
  void aReplacementCannotChangeFixedProperties() {
    make(", " + KEY + ", \"uniqueKeyPolicy\": {\"uniqueKeys\": [{\"paths\": [\"/mail\"]}]}");
    assertThat(replace(", \"partitionKey\": {\"paths\": [\"/other\"]}").string("message"))
        .contains("partition key cannot be changed");
    assertThat(replace(", \"uniqueKeyPolicy\": {\"uniqueKeys\": []}").string("message"))
        .contains("The unique index cannot be modified");
    assertThat(replace("").status()).isEqualTo(200);
  }

  @Test
  void aReplacementKeepsThroughputAndChangeFeed() {
    desk.post(FEED, "{\"id\": \"orders\"}", "x-ms-offer-throughput: 1000");
    FeedSpec kept = new FeedSpec(ChangeImageMode.BOTH, 1_000, 1_000);
    collection().alter(spec -> spec.withFeed(kept));
    replace(", \"defaultTtl\": 60");
    assertThat(collection().spec().feed()).isEqualTo(kept);
    assertThat(collection().spec().throughput()).isEqualTo(1000);
  }

  @Test
  void aReplacementChecksIfMatch() {
    String etag = make("").string("_etag");
    Answer replaced = replace(", \"defaultTtl\": 60", "if-match: " + etag);
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(replaced.string("_etag")).isNotEqualTo(etag);
    assertThat(replace("", "if-match: " + etag).status()).isEqualTo(412);
  }

  @Test
  void javaReplacesAContainerByItsRids() {
    Answer made = make(", " + KEY);
    String self = made.string("_self");
    Answer replaced =
        desk.put(
            "/" + self.substring(0, self.length() - 1),
            "{\"id\": \"orders\", \"defaultTtl\": 90, " + KEY + "}");
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(desk.get(ORDERS).at("defaultTtl").asInt()).isEqualTo(90);
  }

  private void insert(int count) {
    for (int i = 0; i < count; i++) {
      collection().insert(Document.writer().put("id", "i" + i).build());
    }
  }

  @Test
  void aReplacementReportsHowManyItemsItExpires() {
    make("");
    insert(3);
    desk.advance(Duration.ofSeconds(100));
    assertThat(replace(", \"defaultTtl\": 1000").header("x-mayfly-expire-now")).isEqualTo("0");
    assertThat(replace(", \"defaultTtl\": 10").header("x-mayfly-expire-now")).isEqualTo("3");
    assertThat(collection().usage().documents()).isZero();
  }

  @Test
  void aReplacementBeyondTheExpiryLimitIsRejected() {
    make("");
    insert(3);
    desk.advance(Duration.ofSeconds(100));
    Answer refused = replace(", \"defaultTtl\": 10", "x-mayfly-max-expire-now: 2");
    assertThat(refused.status()).isEqualTo(412);
    assertThat(refused.header("x-mayfly-expire-now")).isEqualTo("3");
    assertThat(desk.get(ORDERS).at("defaultTtl").isMissing()).isTrue();
    assertThat(collection().usage().documents()).isEqualTo(3);
    assertThat(replace(", \"defaultTtl\": 10", "x-mayfly-max-expire-now: 3").status())
        .isEqualTo(200);
  }

  @Test
  void whatIfAndUndoOfATtlChange() {
    make(", \"mayflyGraceSeconds\": 3600");
    insert(3);
    desk.advance(Duration.ofSeconds(100));
    String shorter = "{\"id\": \"orders\", \"defaultTtl\": 10, \"mayflyGraceSeconds\": 3600}";
    Answer foreseen = desk.post(ORDERS + "/whatif", shorter);
    assertThat(foreseen.at("expiresNow.items").asInt()).isEqualTo(3);
    assertThat(collection().usage().documents()).isEqualTo(3);
    desk.put(ORDERS, shorter);
    Answer undone = desk.post(ORDERS + "/undo", "");
    assertThat(undone.at("restored").asInt()).isEqualTo(3);
    assertThat(desk.get(ORDERS).at("defaultTtl").isMissing()).isTrue();
    assertThat(desk.post(ORDERS + "/undo", "").status()).isEqualTo(412);
  }

  @Test
  void theForecastCountsItemsByPeriod() {
    make(", \"defaultTtl\": 600");
    insert(3);
    Answer forecast = desk.get(ORDERS + "/forecast");
    assertThat(forecast.list("forecast"))
        .extracting(one -> one.field("items").asInt())
        .containsExactly(0, 3, 3, 3);
    assertThat(desk.get(ORDERS + "/forecast", "x-mayfly-within-seconds: 600").list("forecast"))
        .extracting(one -> one.field("items").asInt())
        .containsExactly(3);
  }

  @Test
  void quotaInfoReportsUsageWithoutExpiredItems() {
    make(", \"defaultTtl\": 10");
    insert(3);
    assertThat(desk.get(ORDERS).header("x-ms-resource-usage")).isEmpty();
    assertThat(
            desk.get(ORDERS, "x-ms-documentdb-populatequotainfo: true")
                .header("x-ms-resource-usage"))
        .contains("documentsCount=3;");
    desk.advance(Duration.ofSeconds(10));
    assertThat(
            desk.get(ORDERS, "x-ms-documentdb-populatequotainfo: True")
                .header("x-ms-resource-usage"))
        .contains("documentsCount=0;");
  }

  @Test
  void indexBuildsReportTheirProgress() {
    make(", \"indexingPolicy\": {\"excludedPaths\": [{\"path\": \"/*\"}]}");
    insert(3);
    assertThat(desk.get(ORDERS).header("x-ms-documentdb-collection-index-transformation-progress"))
        .isEqualTo("100");
    assertThat(replace("").header("x-ms-documentdb-collection-index-transformation-progress"))
        .isNotEqualTo("100");
    collection().awaitBuilt("paths");
    assertThat(desk.get(ORDERS).header("x-ms-documentdb-collection-index-transformation-progress"))
        .isEqualTo("100");
  }

  @Test
  void aLazyIndexReportsItsProgress() {
    make(", \"indexingPolicy\": {\"indexingMode\": \"lazy\"}, \"defaultTtl\": 10");
    assertThat(desk.get(ORDERS).header("x-ms-documentdb-collection-lazy-indexing-progress"))
        .isEqualTo("100");
  }

  @Test
  void partitionStatisticsAreReturnedOnRequest() {
    make(", " + KEY);
    insert(3);
    assertThat(desk.get(ORDERS).at("statistics").isMissing()).isTrue();
    Answer read = desk.get(ORDERS, "x-ms-documentdb-populatepartitionstatistics: true");
    Document range = read.list("statistics").getFirst();
    assertThat(range.field("id").asString()).isEqualTo("0");
    assertThat(range.field("documentCount").asInt()).isEqualTo(3);
    assertThat(range.field("sizeInKB").asInt()).isEqualTo(1);
  }

  @Test
  void thereAreNoConflicts() {
    make(", " + KEY);
    String key = "x-ms-documentdb-partitionkey: [\"x\"]";
    assertThat(desk.get(ORDERS + "/conflicts").list("Conflicts")).isEmpty();
    assertThat(desk.get(ORDERS + "/conflicts/c", key).status()).isEqualTo(404);
    assertThat(desk.delete(ORDERS + "/conflicts/c", key).status()).isEqualTo(404);
    assertThat(desk.delete(ORDERS + "/conflicts/c").status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /\\"a' b*()\\"/\\"c/d\\"   | /"a' b*()"/"c/d"
          /'a\\" b*()'/'c/d'       | /'a" b*()'/"c/d"
          """)
  void stepsOfPathsMayBeQuoted(String sent, String returned) {
    Answer made = make(", \"partitionKey\": {\"paths\": [\"" + sent + "\"]}");
    assertThat(made.string("partitionKey.paths.0")).isEqualTo(returned);
    desk.restart();
    assertThat(desk.get(ORDERS).string("partitionKey.paths.0")).isEqualTo(returned);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"includedPaths":[{"path":"/*"}]}                                  | 1
          {"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/a/*"}]} | 2
          {"excludedPaths":[{"path":"/*"},{"path":"/\\"_etag\\"/?"}]}        | 2
          {"includedPaths":[{"path":"/*"},{"path":"/\\"_etag\\"/?"}]}        | 0
          {"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/_etag/?"}]} | 1
          {"indexingMode":"none"}                                            | 0
          """)
  void thePolicyExcludesTheEtagByDefault(String policy, int excluded) {
    Answer made = make(", \"indexingPolicy\": " + policy);
    assertThat(Json.write(made.at("indexingPolicy.excludedPaths")).split("path", -1))
        .hasSize(excluded + 1);
  }

  @Test
  void thereIsOnePartitionKeyRangeWithAnEtag() {
    String self = make("").string("_self");
    for (String place : new String[] {ORDERS, "/" + self.substring(0, self.length() - 1)}) {
      Answer ranges = desk.get(place + "/pkranges", "a-im: Incremental feed");
      assertThat(ranges.list("PartitionKeyRanges")).hasSize(1);
      assertThat(ranges.list("PartitionKeyRanges").getFirst().field("maxExclusive").asString())
          .isEqualTo("FF");
      Answer again =
          desk.get(
              place + "/pkranges",
              "a-im: Incremental feed",
              "if-none-match: " + ranges.header("etag"));
      assertThat(again.status()).isEqualTo(304);
      assertThat(again.header("etag")).isEqualTo(ranges.header("etag"));
    }
  }

  @Test
  void anotherIntendedContainerRidFailsWith1024() {
    String old = make("").string("_rid");
    desk.delete(ORDERS);
    make("");
    Answer refused = desk.get(ORDERS, "x-ms-cosmos-intended-collection-rid: " + old);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.header("x-ms-substatus")).isEqualTo("1024");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'name': 'x'}",
        "'x'",
        "{'name': '', 'query': 'SELECT VALUE c.a FROM c'}",
        "{'name': '_ts', 'query': 'SELECT VALUE c.a FROM c'}",
        "{'name': 'x', 'query': 'SELECT VALUE'}",
        "{'name': 'x', 'query': 'SELECT c.a FROM c'}",
        "{'name': 'x', 'query': 'SELECT VALUE c.a FROM c WHERE c.a > 1'}",
        "{'name': 'x', 'query': 'SELECT DISTINCT VALUE c.a FROM c'}",
        "{'name': 'x', 'query': 'SELECT VALUE c FROM c IN t.a'}",
        "{'name': 'x', 'query': 'SELECT VALUE COUNT(1) FROM c'}",
        "{'name': 'x', 'query': 'SELECT VALUE nothing(1) FROM c'}",
        "{'name': 'x', 'query': 'SELECT VALUE c.a + RAND() FROM c'}",
        "{'name': 'x', 'query': 'SELECT VALUE ST_ISVALID(c.a) FROM c'}",
        "{'name': 'x', 'query': 'SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.a) FROM c'}",
        "{'name': 'x', 'query': 'SELECT VALUE udf.f(c.a) FROM c'}",
        "{'name': 'x', 'query': 'SELECT VALUE c.a FROM c'}, {'name': 'x', 'query': 'SELECT VALUE"
            + " c.b FROM c'}"
      })
  void anInvalidComputedPropertyIsRejected(String properties) {
    String body =
        "{\"id\": \"orders\", \"computedProperties\": [%s]}"
            .formatted(properties.replace('\'', '"'));
    Answer refused = desk.post("/dbs/sales/colls", body);
    assertThat(refused.status()).as(refused.text()).isEqualTo(400);
    make("");
    assertThat(desk.put(ORDERS, body).status()).isEqualTo(400);
  }

  @Test
  void aContainerHasAtMostTwentyComputedProperties() {
    String one = "{\"name\": \"x%d\", \"query\": \"SELECT VALUE LOWER(c.a) FROM c\"}";
    String twenty = IntStream.range(0, 20).mapToObj(one::formatted).collect(joining(","));
    String body = "{\"id\": \"orders\", \"computedProperties\": [%s]}";
    String more = twenty + "," + one.formatted(20);
    assertThat(desk.post("/dbs/sales/colls", body.formatted(more)).status()).isEqualTo(400);
    assertThat(desk.post("/dbs/sales/colls", body.formatted(twenty)).status()).isEqualTo(201);
  }
}
