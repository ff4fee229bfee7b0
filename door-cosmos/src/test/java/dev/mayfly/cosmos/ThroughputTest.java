package dev.mayfly.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.cosmos.testing.Desk;
import dev.mayfly.engine.Namespace;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Json;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ThroughputTest {
  private final Desk desk = Desk.open();

  @BeforeEach
  void makeDatabase() {
    desk.post("/dbs", "{\"id\": \"sales\"}");
  }

  @AfterEach
  void close() {
    desk.close();
  }

  private Answer make(String... headers) {
    return desk.post("/dbs/sales/colls", "{\"id\": \"orders\"}", headers);
  }

  private Answer offersOf(String where) {
    return desk.post(
        "/offers",
        "{\"query\": \"SELECT * FROM root WHERE " + where + "\"}",
        "content-type: application/query+json",
        "x-ms-documentdb-isquery: true");
  }

  private double limit() {
    return desk.store().collection(new Namespace("cosmos:sales", "orders")).spec().throughput();
  }

  @Test
  void offerIdsAreCaseSensitive() {
    for (int i = 0; i < 30; i++) {
      desk.post("/dbs/sales/colls", "{\"id\": \"c" + i + "\"}");
    }
    List<String> rids =
        desk.get("/offers").list("Offers").stream()
            .map(offer -> offer.field("_rid").asString())
            .toList();
    assertThat(rids.stream().map(rid -> rid.toLowerCase(Locale.ROOT)).distinct())
        .hasSizeLessThan(rids.size());
    assertThat(rids)
        .allSatisfy(rid -> assertThat(desk.get("/offers/" + rid).string("id")).isEqualTo(rid));
  }

  @Test
  void offersAreFoundByTheQueriesOfBothSdks() {
    Answer made = make("x-ms-offer-throughput: 20000");
    Answer byRid =
        desk.post(
            "/offers",
            "{\"query\": \"SELECT * FROM c WHERE c.offerResourceId = @resourceId\","
                + " \"parameters\": [{\"name\": \"@resourceId\", \"value\": \""
                + made.string("_rid")
                + "\"}]}",
            "content-type: application/query+json");
    assertThat(byRid.list("Offers")).hasSize(1);
    Answer bySelf = offersOf("root.resource = \\\"" + made.string("_self") + "\\\"");
    assertThat(bySelf.list("Offers")).isEqualTo(byRid.list("Offers"));
    assertThat(limit()).isEqualTo(20_000);
    Answer read = desk.get("/offers/" + byRid.list("Offers").getFirst().field("_rid").asString());
    assertThat(read.at("content.offerThroughput").asInt()).isEqualTo(20_000);
    assertThat(read.header("x-ms-cosmos-min-throughput")).isEqualTo("400");
  }

  @Test
  void invalidOfferIdsFailWith400AndUnknownOnesWith404() {
    assertThat(desk.get("/offers/AAAB").status()).isEqualTo(404);
    assertThat(desk.get("/offers/AAABx").status()).isEqualTo(400);
  }

  @Test
  void theAutoUpgradePolicyIsStored() {
    String settings =
        "{\"maxThroughput\":4000,"
            + "\"autoUpgradePolicy\":{\"throughputPolicy\":{\"incrementPercent\":3}}}";
    make("x-ms-cosmos-offer-autopilot-settings: " + settings);
    Document offer = desk.get("/offers").list("Offers").getFirst();
    assertThat(Json.write(offer.at(FieldPath.of("content.offerAutopilotSettings"))))
        .isEqualTo(settings);
    assertThat(limit()).isEqualTo(4000);
  }

  @Test
  void throughputIsReplaced() {
    make("x-ms-offer-throughput: 400");
    Document offer = desk.get("/offers").list("Offers").getFirst();
    String path = "/offers/" + offer.field("_rid").asString();
    Answer replaced = desk.put(path, changed(offer, 1000));
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(limit()).isEqualTo(1000);
    desk.restart();
    assertThat(limit()).isEqualTo(1000);
    assertThat(desk.get(path).at("content.offerThroughput").asInt()).isEqualTo(1000);
  }

  private static String changed(Document offer, int units) {
    String rid = offer.field("_rid").asString();
    return "{\"id\": \"%s\", \"_rid\": \"%s\", \"content\": {\"offerThroughput\": %d}}"
        .formatted(rid, rid, units);
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "_rid"})
  void anOfferCannotBeReplacedByAnotherOffer(String name) {
    make("x-ms-offer-throughput: 400");
    Document offer = desk.get("/offers").list("Offers").getFirst();
    String rid = offer.field("_rid").asString();
    String other =
        changed(offer, 1000).replace("\"" + name + "\": \"" + rid, "\"" + name + "\": \"x");
    assertThat(desk.put("/offers/" + rid, other).status()).isEqualTo(400);
    String none = changed(offer, 1000).replace("\"" + name + "\"", "\"x\"");
    assertThat(desk.put("/offers/" + rid, none).status()).isEqualTo(400);
    assertThat(limit()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({"S1, 250", "S2, 1000", "S3, 2500"})
  void performanceLevelsSetThroughput(String level, int units) {
    make("x-ms-offer-type: " + level);
    assertThat(limit()).isEqualTo(units);
    Document offer = desk.get("/offers").list("Offers").getFirst();
    assertThat(offer.field("offerType").asString()).isEqualTo(level);
    assertThat(desk.get("/offers/" + offer.field("_rid").asString()).status()).isEqualTo(200);
  }

  @Test
  void autoscaleIsLimitedByItsMaximum() {
    make("x-ms-cosmos-offer-autopilot-settings: {\"maxThroughput\": 4000}");
    Document offer = desk.get("/offers").list("Offers").getFirst();
    assertThat(offer.field("content").asDocument().field("offerAutopilotSettings").asDocument())
        .hasToString("{\"maxThroughput\":4000}");
    assertThat(limit()).isEqualTo(4000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "399", "450", "1000100", "much"})
  void invalidThroughputIsRejected(String units) {
    assertThat(make("x-ms-offer-throughput: " + units).status()).isEqualTo(400);
    assertThat(desk.get("/dbs/sales/colls").list("DocumentCollections")).isEmpty();
  }

  @Test
  void containersInheritTheThroughputOfTheirDatabase() {
    desk.post("/dbs", "{\"id\": \"shared\"}", "x-ms-offer-throughput: 600");
    desk.post("/dbs/shared/colls", "{\"id\": \"a\"}");
    assertThat(desk.store().collection(new Namespace("cosmos:shared", "a")).spec().throughput())
        .isEqualTo(600);
  }

  @Test
  void deletedResourcesHaveNoOffer() {
    make("x-ms-offer-throughput: 400");
    desk.delete("/dbs/sales/colls/orders");
    assertThat(desk.get("/offers").list("Offers")).isEmpty();
  }

  @Test
  void aContainerWithoutThroughputIsNotLimited() {
    make();
    assertThat(limit()).isZero();
    Document offer = desk.get("/offers").list("Offers").getFirst();
    assertThat(offer.field("content").asDocument().field("offerThroughput").asInt()).isEqualTo(400);
    assertThat(offer.field("asked").isMissing()).isTrue();
    String path = "/offers/" + offer.field("_rid").asString();
    assertThat(desk.put(path, changed(offer, 500)).status()).isEqualTo(200);
    assertThat(limit()).isEqualTo(500);
  }

  @Test
  void aContainerWithSharedThroughputHasNoOffer() {
    desk.post("/dbs", "{\"id\": \"shared\"}", "x-ms-offer-throughput: 600");
    desk.post("/dbs/shared/colls", "{\"id\": \"a\"}");
    assertThat(desk.get("/offers").list("Offers")).hasSize(1);
  }

  @Test
  void throttledRequestsSucceedAfterTheRetryTime() {
    make("x-ms-offer-throughput: 400");
    Answer answer = create(0);
    for (int i = 1; answer.status() == 201 && i < 1000; i++) {
      answer = create(i);
    }
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.header("x-ms-substatus")).isEqualTo("3200");
    long millis = Long.parseLong(answer.header("x-ms-retry-after-ms"));
    assertThat(millis).isBetween(1L, 1000L);
    desk.advance(Duration.ofMillis(millis));
    assertThat(create(1001).status()).isEqualTo(201);
  }

  private Answer create(int number) {
    return desk.post("/dbs/sales/colls/orders/docs", "{\"id\": \"i" + number + "\"}");
  }
}
