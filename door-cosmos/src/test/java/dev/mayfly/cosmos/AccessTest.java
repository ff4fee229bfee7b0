package dev.mayfly.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.cosmos.testing.Desk;
import dev.mayfly.expiry.ManualClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Authentication and authorization: signatures, dates, users, permissions, resource tokens. */
final class AccessTest {
  private static final String ORDERS = "/dbs/sales/colls/orders";
  private static final String SHOP = "/dbs/sales/colls/shop";

  private final Desk desk = Desk.open();

  @BeforeEach
  void makeContainers() {
    desk.post("/dbs", "{\"id\": \"sales\"}");
    desk.post("/dbs/sales/colls", "{\"id\": \"orders\"}");
    desk.post("/dbs/sales/colls", "{\"id\": \"orders2\"}");
    desk.post("/dbs/sales/users", "{\"id\": \"ann\"}");
  }

  @AfterEach
  void close() {
    desk.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "type=master",
        "type=master&ver=1.0&sig=",
        "type=master&ver=1.0&sig=%%%",
        "type%3Dmaster%26ver%3D1.0%26sig%3DAAAA",
        "type=aad&ver=1.0&sig=x",
        "type=resource&ver=1.0&sig=AAAA;e30=;",
      })
  void requestsWithoutAValidSignatureAreRejected(String authorization) {
    Answer refused = desk.get("/dbs/sales", "authorization: " + authorization);
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.string("code")).isEqualTo("Unauthorized");
  }

  @Test
  void theEmulatorKeyIsAcceptedOnlyFromThisMachine() throws IOException {
    assertThat(desk.get("/dbs/sales", "origin: http://evil.example").status()).isEqualTo(403);
    assertThat(desk.get("/dbs/sales", "origin: null").status()).isEqualTo(403);
    assertThat(desk.get("/dbs/sales", "origin: http://localhost:3000").status()).isEqualTo(200);
    assertThat(status(desk, "evil.example:" + desk.port())).isEqualTo(403);
    assertThat(status(desk, "localhost.evil.example")).isEqualTo(403);
    assertThat(status(desk, "LOCALHOST:1")).isEqualTo(200);
    assertThat(status(desk, "[::1]:8081")).isEqualTo(200);
    assertThat(status(desk, "db.example:8081")).isEqualTo(403);
    try (Desk named = Desk.open(settings -> settings.withAdvertisedHost("db.example:27017"))) {
      named.post("/dbs", "{\"id\": \"sales\"}");
      assertThat(status(named, "db.example:8081")).isEqualTo(200);
    }
    String own = Base64.getEncoder().encodeToString(new byte[64]);
    try (Desk locked = Desk.open(settings -> settings.withKey(own))) {
      String signed = "authorization: " + locked.authorization("GET", "/dbs", own);
      assertThat(locked.get("/dbs", signed, "origin: http://a.example").status()).isEqualTo(200);
    }
  }

  /** The status of a signed request that calls the server by a name. */
  private static int status(Desk desk, String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), desk.port())) {
      String request =
          "GET /dbs/sales HTTP/1.1\r\nhost: "
              + host
              + "\r\nx-ms-date: "
              + desk.date()
              + "\r\nauthorization: "
              + desk.authorization("GET", "/dbs/sales")
              + "\r\nconnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readAllBytes();
      return Integer.parseInt(new String(answer, 9, 3, StandardCharsets.US_ASCII));
    }
  }

  @Test
  void aSignatureIsValidForOneResourceAndVerb() {
    String read = desk.authorization("GET", "/dbs/sales");
    assertThat(desk.get("/dbs/sales", "authorization: " + read).status()).isEqualTo(200);
    assertThat(desk.delete("/dbs/sales", "authorization: " + read).status()).isEqualTo(401);
    assertThat(desk.get("/dbs", "authorization: " + read).status()).isEqualTo(401);
  }

  @Test
  void aSignatureWithAnotherKeyIsRejected() {
    String signed = desk.authorization("GET", "/dbs/sales", "YW5vdGhlciBrZXk=");
    Answer refused = desk.get("/dbs/sales", "authorization: " + signed);
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.string("message")).contains("The wrong key is being used");
  }

  @Test
  void aSignatureWithoutItsDateIsRejected() {
    assertThat(desk.get("/dbs/sales", "x-ms-date: Sun, 15 Nov 2026 00:00:01 GMT").status())
        .isEqualTo(401);
  }

  @Test
  void clientClocksMayDifferByFifteenMinutes() {
    try (Desk later = Desk.open()) {
      String date = later.date();
      assertThat(later.get("/", "x-ms-date: " + date).status()).isEqualTo(200);
      later.moveClients(Duration.ofMinutes(16));
      Answer refused =
          later.get(
              "/",
              "x-ms-date: " + date,
              "authorization: " + later.authorizationAt("GET", "/", date));
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.string("message")).contains("not valid at the current time");
    }
  }

  @Test
  void withATestClockRequestsMayBeDatedByEitherClock() {
    ManualClock test = new ManualClock(Desk.START);
    try (Desk later = Desk.open(settings -> settings.withTestClock(test))) {
      test.advance(Duration.ofDays(400));
      assertThat(later.get("/").status()).isEqualTo(200);
      assertThat(dated(later, test.now())).isEqualTo(200);
      assertThat(dated(later, test.now() + Duration.ofMinutes(15).toMillis())).isEqualTo(200);
      assertThat(dated(later, test.now() + Duration.ofMinutes(16).toMillis())).isEqualTo(403);
      assertThat(dated(later, test.now() - Duration.ofMinutes(16).toMillis())).isEqualTo(403);
    }
  }

  @Test
  void withoutATestClockRequestsDatedByTheEngineAreRejected() {
    try (Desk later = Desk.open()) {
      later.advance(Duration.ofDays(400));
      assertThat(dated(later, later.now())).isEqualTo(403);
      assertThat(later.get("/").status()).isEqualTo(200);
    }
  }

  /** Status of a request that was signed at an instant. */
  private static int dated(Desk desk, long epochMillis) {
    String date =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            Instant.ofEpochMilli(epochMillis).atOffset(ZoneOffset.UTC));
    String authorization = desk.authorizationAt("GET", "/", date);
    return desk.get("/", "x-ms-date: " + date, "authorization: " + authorization).status();
  }

  @Test
  void withATestClockResourceTokensExpireByIt() {
    ManualClock test = new ManualClock(Desk.START);
    try (Desk later = Desk.open(settings -> settings.withTestClock(test))) {
      later.post("/dbs", "{\"id\": \"sales\"}");
      later.post(
          "/dbs/sales/colls", "{\"id\": \"orders\", \"partitionKey\": {\"paths\": [\"/pk\"]}}");
      later.post("/dbs/sales/users", "{\"id\": \"ada\"}");
      String token =
          later
              .post(
                  "/dbs/sales/users/ada/permissions",
                  "{\"id\": \"p\", \"permissionMode\": \"Read\","
                      + " \"resource\": \"dbs/sales/colls/orders\"}")
              .string("_token");
      test.advance(Duration.ofMinutes(59));
      assertThat(later.get("/dbs/sales/colls/orders", shown(token)).status()).isEqualTo(200);
      test.advance(Duration.ofMinutes(1));
      assertThat(later.get("/dbs/sales/colls/orders", shown(token)).status()).isEqualTo(403);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sales figures", "schön", "a+b", "100%"})
  void namesMayBeSignedPlainOrPercentEncoded(String id) {
    desk.post("/dbs", "{\"id\": \"" + id + "\"}");
    String path = "/dbs/" + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    String asIs = desk.authorization("GET", "/dbs/" + id);
    assertThat(desk.get(path, "authorization: " + asIs).status()).isEqualTo(200);
    assertThat(desk.get(path).status()).isEqualTo(200);
  }

  /** Puts items a and a?b into the container of orders. */
  private void makeQuestionable() {
    for (String id : List.of("a", "a?b")) {
      assertThat(desk.post(ORDERS + "/docs", "{\"id\": \"" + id + "\"}").status()).isEqualTo(201);
    }
  }

  @Test
  void aSignedQuestionMarkBelongsToTheId() {
    makeQuestionable();
    String path = ORDERS + "/docs/a?b";
    assertThat(desk.get(path).string("id")).isEqualTo("a?b");
    assertThat(desk.put(path, "{\"id\": \"a?b\", \"n\": 1}").string("id")).isEqualTo("a?b");
    String patch = "[{\"op\": \"set\", \"path\": \"/n\", \"value\": 2}]";
    assertThat(desk.patch(path, patch).at("n").asInt()).isEqualTo(2);
    assertThat(desk.get(ORDERS + "/docs/a%3Fb").at("n").asInt()).isEqualTo(2);
    assertThat(desk.delete(path).status()).isEqualTo(204);
    assertThat(desk.get(path).status()).isEqualTo(404);
    assertThat(desk.get(ORDERS + "/docs").ids()).containsExactly("a");
  }

  @Test
  void anUnsignedQuestionMarkBeginsAQueryString() {
    makeQuestionable();
    String plain = "authorization: " + desk.authorization("DELETE", ORDERS + "/docs/a");
    assertThat(desk.delete(ORDERS + "/docs/a?b", plain).status()).isEqualTo(204);
    assertThat(desk.get(ORDERS + "/docs").ids()).containsExactly("a?b");
    String feed = "authorization: " + desk.authorization("GET", ORDERS + "/docs");
    assertThat(desk.get(ORDERS + "/docs?a/b", feed).ids()).containsExactly("a?b");
  }

  /** The signature shows where the id ends and the query string begins. */
  @Test
  void aQueryStringAsksWhyAnItemDoesNotExpire() {
    makeQuestionable();
    String signed = "authorization: " + desk.authorization("GET", ORDERS + "/docs/a");
    String asked = ORDERS + "/docs/a?n=1&x-mayfly-explain-expiry=";
    assertThat(desk.get(asked + "true", signed).header("x-mayfly-never-expires")).isNotEmpty();
    assertThat(desk.get(asked + "false", signed).header("x-mayfly-never-expires")).isEmpty();
    assertThat(
            desk.get(asked + "true", signed, "x-mayfly-explain-expiry: false")
                .header("x-mayfly-never-expires"))
        .isEmpty();
    assertThat(desk.get(asked + "maybe", signed).status()).isEqualTo(400);
    String id = "a?x-mayfly-explain-expiry=true";
    assertThat(desk.get(ORDERS + "/docs/" + id).status()).isEqualTo(404);
    assertThat(desk.post(ORDERS + "/docs", "{\"id\": \"" + id + "\"}").status()).isEqualTo(201);
    Answer other = desk.get(ORDERS + "/docs/" + id);
    assertThat(other.string("id")).isEqualTo(id);
    assertThat(other.header("x-mayfly-never-expires")).isEmpty();
  }

  @Test
  void aSignatureForAnIdIsInvalidForLongerIds() {
    makeQuestionable();
    String other = "authorization: " + desk.authorization("GET", ORDERS + "/docs/a?c");
    assertThat(desk.get(ORDERS + "/docs/a?b", other).status()).isEqualTo(401);
    assertThat(desk.get(ORDERS + "/docs/a", other).status()).isEqualTo(401);
    String longer = "authorization: " + desk.authorization("GET", ORDERS + "/docs/a?b");
    assertThat(desk.get(ORDERS + "/docs/a", longer).status()).isEqualTo(401);
    assertThat(desk.get(ORDERS + "/docs/a?b?c", longer).status()).isEqualTo(401);
    String past = "x-ms-date: Sun, 15 Nov 2020 00:00:00 GMT";
    String dated =
        desk.authorizationAt("GET", ORDERS + "/docs/a?b", "Sun, 15 Nov 2020 00:00:00 GMT");
    assertThat(desk.get(ORDERS + "/docs/a?b", past, "authorization: " + dated).status())
        .isEqualTo(403);
  }

  /** A token does not sign the path, so the rest of the path is the id. */
  @Test
  void withATokenAQuestionMarkBelongsToTheIdOfAnItem() {
    makeQuestionable();
    String one = permission("one", "All", ORDERS.substring(1) + "/docs/a").string("_token");
    assertThat(desk.get(ORDERS + "/docs/a", shown(one)).status()).isEqualTo(200);
    assertThat(desk.get(ORDERS + "/docs/a?b", shown(one)).status()).isEqualTo(403);
    String all = permission("all", "All", ORDERS.substring(1)).string("_token");
    assertThat(desk.delete(ORDERS + "/docs/a?b", shown(all)).status()).isEqualTo(204);
    assertThat(desk.get(ORDERS + "/docs?x=1", shown(all)).ids()).containsExactly("a");
  }

  private Answer permission(String id, String mode, String resource, String... headers) {
    return desk.post(
        "/dbs/sales/users/ann/permissions",
        "{\"id\": \""
            + id
            + "\", \"permissionMode\": \""
            + mode
            + "\", \"resource\": \""
            + resource
            + "\"}",
        headers);
  }

  private static String shown(String token) {
    return "authorization: " + URLEncoder.encode(token, StandardCharsets.UTF_8);
  }

  @Test
  void usersAreCreatedReadReplacedAndDeleted() {
    Answer user = desk.get("/dbs/sales/users/ann");
    assertThat(user.string("_self"))
        .isEqualTo(desk.get("/dbs/sales").string("_self") + "users/" + user.string("_rid") + "/");
    assertThat(desk.get("/" + user.string("_self")).body()).isEqualTo(user.body());
    assertThat(desk.get("/dbs/sales/users").list("Users")).containsExactly(user.body());
    assertThat(desk.post("/dbs/sales/users", "{\"id\": \"ann\"}").status()).isEqualTo(409);
    assertThat(desk.delete("/dbs/sales/users/ann").status()).isEqualTo(204);
    assertThat(desk.get("/dbs/sales/users/ann").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource({
    "Read, GET, /dbs/sales/colls/orders, 200",
    "Read, GET, /dbs/sales/colls/orders/pkranges, 200",
    "Read, DELETE, /dbs/sales/colls/orders, 403",
    "Read, GET, /dbs/sales/colls/orders2, 403",
    "Read, GET, /dbs/sales, 403",
    "Read, GET, /dbs, 403",
    "All, DELETE, /dbs/sales/colls/orders, 204",
    "All, DELETE, /dbs/sales/colls/orders2, 403",
  })
  void aResourceTokenAllowsWhatItsPermissionAllows(
      String mode, String method, String path, int status) {
    String token = permission("p", mode, "dbs/sales/colls/orders").string("_token");
    assertThat(desk.send(method, path, "", shown(token)).status()).isEqualTo(status);
  }

  @Test
  void aPermissionMayNameItsResourceByRids() {
    String self = desk.get(ORDERS).string("_self");
    String token = permission("p", "Read", self).string("_token");
    assertThat(desk.get(ORDERS, shown(token)).status()).isEqualTo(200);
    assertThat(desk.get("/" + self, shown(token)).status()).isEqualTo(200);
    assertThat(desk.get(ORDERS + "2", shown(token)).status()).isEqualTo(403);
  }

  /** A container partitioned by {@code /pk} with items a and b of partition p, c of q. */
  private void makeShop() {
    desk.post("/dbs/sales/colls", "{\"id\": \"shop\", \"partitionKey\": {\"paths\": [\"/pk\"]}}");
    for (String item : List.of("ap", "bp", "cq")) {
      String pk = item.substring(1);
      String body = "{\"id\": \"" + item.charAt(0) + "\", \"pk\": \"" + pk + "\"}";
      assertThat(desk.post(SHOP + "/docs", body, pk(pk)).status()).isEqualTo(201);
    }
  }

  private static String pk(String value) {
    return "x-ms-documentdb-partitionkey: [\"" + value + "\"]";
  }

  private String tokenFor(String mode, String resource, String key) {
    String body =
        ("{\"id\": \"t\", \"permissionMode\": \"%s\", \"resource\": \"%s\","
                + " \"resourcePartitionKey\": [\"%s\"]}")
            .formatted(mode, resource, key);
    return desk.post("/dbs/sales/users/ann/permissions", body).string("_token");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTokenForAnItemCoversItByNameAndByRid(boolean named) {
    makeShop();
    String self = desk.get(SHOP + "/docs/a", pk("p")).string("_self");
    String other = desk.get(SHOP + "/docs/b", pk("p")).string("_self");
    String token = tokenFor("Read", named ? SHOP.substring(1) + "/docs/a" : self, "p");
    assertThat(desk.get(SHOP + "/docs/a", pk("p"), shown(token)).status()).isEqualTo(200);
    assertThat(desk.get("/" + self, pk("p"), shown(token)).status()).isEqualTo(200);
    assertThat(desk.get(SHOP, shown(token)).status()).isEqualTo(200);
    assertThat(desk.get(SHOP + "/docs/b", pk("p"), shown(token)).status()).isEqualTo(403);
    assertThat(desk.get("/" + other, pk("p"), shown(token)).status()).isEqualTo(403);
    assertThat(desk.get(SHOP + "/docs", pk("p"), shown(token)).status()).isEqualTo(403);
    assertThat(desk.delete(SHOP + "/docs/a", pk("p"), shown(token)).status()).isEqualTo(403);
  }

  @Test
  void aTokenForAnItemByNameNeedsNoPartitionKey() {
    makeShop();
    String token = permission("t", "All", SHOP.substring(1) + "/docs/a").string("_token");
    assertThat(desk.get(SHOP + "/docs/a", pk("p"), shown(token)).status()).isEqualTo(200);
    assertThat(desk.get(SHOP + "/docs/b", pk("p"), shown(token)).status()).isEqualTo(403);
    assertThat(desk.get(SHOP + "/docs", shown(token)).status()).isEqualTo(403);
    assertThat(desk.delete(SHOP + "/docs/a", pk("p"), shown(token)).status()).isEqualTo(204);
  }

  @Test
  void aTokenForAPartitionKeyCoversNoOtherKey() {
    makeShop();
    String inside = desk.get(SHOP + "/docs/a", pk("p")).string("_self");
    String outside = desk.get(SHOP + "/docs/c", pk("q")).string("_self");
    String token = tokenFor("All", SHOP.substring(1), "p");
    assertThat(desk.get(SHOP + "/docs/a", pk("p"), shown(token)).status()).isEqualTo(200);
    assertThat(desk.get("/" + inside, pk("p"), shown(token)).status()).isEqualTo(200);
    assertThat(desk.get(SHOP + "/docs", pk("p"), shown(token)).ids()).containsExactly("a", "b");
    assertThat(desk.get(SHOP + "/docs", shown(token)).status()).isEqualTo(403);
    assertThat(desk.get(SHOP + "/docs/c", pk("q"), shown(token)).status()).isEqualTo(403);
    assertThat(desk.get("/" + outside, pk("p"), shown(token)).status()).isEqualTo(403);
    assertThat(desk.delete(SHOP, shown(token)).status()).isEqualTo(403);
    assertThat(
            desk.post(SHOP + "/operations/partitionkeydelete", "", pk("q"), shown(token)).status())
        .isEqualTo(403);
    Answer bulk =
        desk.post(
            SHOP + "/docs",
            "[{\"operationType\": \"Delete\", \"id\": \"c\", \"partitionKey\": \"[\\\"q\\\"]\"}]",
            pk("p"),
            "x-ms-cosmos-is-batch-request: true",
            shown(token));
    assertThat(bulk.statuses()).containsExactly(400);
    assertThat(desk.get(SHOP + "/docs/c", pk("q")).status()).isEqualTo(200);
  }

  @Test
  void usersAndPermissionsCanBeRenamed() {
    String rid = desk.get("/dbs/sales/users/ann").string("_rid");
    permission("p", "Read", "dbs/sales/colls/orders");
    Answer renamed = desk.put("/dbs/sales/users/ann", "{\"id\": \"eve\"}");
    assertThat(renamed.string("_rid")).isEqualTo(rid);
    assertThat(desk.get("/dbs/sales/users/ann").status()).isEqualTo(404);
    assertThat(desk.get("/dbs/sales/users/eve/permissions/p").status()).isEqualTo(200);
    desk.post("/dbs/sales/users", "{\"id\": \"ann\"}");
    assertThat(desk.put("/dbs/sales/users/eve", "{\"id\": \"ann\"}").status()).isEqualTo(409);
    assertThat(desk.get("/dbs/sales/users/eve/permissions/p").status()).isEqualTo(200);
  }

  @Test
  void aUserHasOnePermissionForAResource() {
    String one = "dbs/sales/colls/orders";
    assertThat(permission("p", "Read", one).status()).isEqualTo(201);
    assertThat(permission("q", "All", "/" + one + "/").status()).isEqualTo(409);
    assertThat(permission("q", "All", one + "2").status()).isEqualTo(201);
    String grasping = "{'id':'q','permissionMode':'All','resource':'dbs/sales/colls/orders'}";
    Answer replaced = desk.put("/dbs/sales/users/ann/permissions/q", grasping.replace('\'', '"'));
    assertThat(replaced.status()).isEqualTo(409);
    String same = grasping.replace("'q'", "'p'").replace('\'', '"');
    assertThat(desk.put("/dbs/sales/users/ann/permissions/p", same).status()).isEqualTo(200);
    String part = same.replace("\"p\"", "\"r\"").replace("}", ",\"resourcePartitionKey\":[1]}");
    assertThat(desk.post("/dbs/sales/users/ann/permissions", part).status()).isEqualTo(201);
  }

  @Test
  void aTokenForAnItemDoesNotAllowToRenameIt() {
    makeShop();
    String token = tokenFor("All", SHOP.substring(1) + "/docs/a", "p");
    String item = SHOP + "/docs/a";
    String other = "{\"id\": \"z\", \"pk\": \"p\"}";
    assertThat(desk.put(item, other, pk("p"), shown(token)).status()).isEqualTo(403);
    String same = other.replace("z", "a");
    assertThat(desk.put(item, same, pk("p"), shown(token)).status()).isEqualTo(200);
    assertThat(desk.put(item, "{", pk("p"), shown(token)).status()).isEqualTo(400);
  }

  @Test
  void aTokenEndsAtItsExpiryOrWithItsPermission() {
    String token =
        permission("p", "Read", "dbs/sales/colls/orders", "x-ms-documentdb-expiry-seconds: 10")
            .string("_token");
    assertThat(desk.get(ORDERS, shown(token)).status()).isEqualTo(200);
    desk.moveClients(Duration.ofSeconds(10));
    assertThat(desk.get(ORDERS, shown(token)).status()).isEqualTo(403);
    String another = desk.get("/dbs/sales/users/ann/permissions/p").string("_token");
    assertThat(desk.get(ORDERS, shown(another)).status()).isEqualTo(200);
    desk.delete("/dbs/sales/users/ann/permissions/p");
    assertThat(desk.get(ORDERS, shown(another)).status()).isEqualTo(401);
  }

  @Test
  void aModifiedTokenIsRejected() {
    String token = permission("p", "Read", "dbs/sales/colls/orders").string("_token");
    int claim = token.indexOf(';') + 1;
    String changed = token.substring(0, claim) + "A" + token.substring(claim + 1);
    assertThat(desk.get(ORDERS, shown(changed)).status()).isEqualTo(401);
  }

  @ParameterizedTest
  @CsvSource({"sprocs, StoredProcedures", "triggers, Triggers", "udfs, UserDefinedFunctions"})
  void scriptsAreStoredAndListed(String kind, String feed) {
    String place = ORDERS + "/" + kind;
    Answer made = desk.post(place, "{\"id\": \"s\", \"body\": \"function () {}\"}");
    assertThat(made.status()).isEqualTo(201);
    assertThat(desk.get(place).list(feed)).containsExactly(made.body());
    assertThat(desk.put(place + "/s", "{\"id\": \"s\", \"body\": \"x\"}").string("body"))
        .isEqualTo("x");
    desk.restart();
    assertThat(desk.get(place + "/s").string("body")).isEqualTo("x");
    assertThat(desk.delete(place + "/s").status()).isEqualTo(204);
    assertThat(desk.get(place).list(feed)).isEmpty();
  }

  @Test
  void executingAStoredProcedureFailsWith501() {
    desk.post(ORDERS + "/sprocs", "{\"id\": \"s\", \"body\": \"function () {}\"}");
    Answer refused = desk.post(ORDERS + "/sprocs/s", "[]");
    assertThat(refused.status()).isEqualTo(501);
    assertThat(refused.string("message")).contains("does not execute");
    assertThat(desk.post(ORDERS + "/sprocs/none", "[]").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pre", "post"})
  void aWriteWithATriggerIsRejected(String when) {
    String trigger = "x-ms-documentdb-" + when + "-trigger-include: t";
    Answer refused = desk.post(ORDERS + "/docs", "{\"id\": \"a\"}", trigger);
    assertThat(refused.status()).isEqualTo(501);
    assertThat(desk.get(ORDERS + "/docs/a").status()).isEqualTo(404);
  }

  @Test
  void thereAreNoConflicts() {
    assertThat(desk.get(ORDERS + "/conflicts").list("Conflicts")).isEmpty();
  }
}
