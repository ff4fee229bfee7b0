package dev.mayfly.cosmos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.Route;
import dev.mayfly.cluster.TestServers;
import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.cosmos.testing.Desk;
import dev.mayfly.cosmos.testing.SignedClient;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.value.Document;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two servers of one cluster: every request works at both of them. */
final class SeveralServersTest {
  private static final String CARTS = "/dbs/shop/colls/carts";
  private static final String DOCS = CARTS + "/docs";
  private static final String QUERY = "content-type: application/query+json";
  private static final String CROSS = "x-ms-documentdb-query-enablecrosspartition: true";

  private final ManualClock clock = new ManualClock(Desk.START);
  private final TestServers servers = TestServers.start(2, clock);
  private final List<CosmosDoor> doors = new ArrayList<>();
  private final List<SignedClient> clients = new ArrayList<>();

  /** The server that the database {@code shop} is served by, and the other one. */
  private SignedClient owner;

  private SignedClient other;

  @BeforeEach
  void openDoors() {
    for (int i = 0; i < 2; i++) {
      CosmosSettings settings = CosmosSettings.standard(clock).withAddress("127.0.0.1", 0);
      CosmosDoor door =
          CosmosDoor.open(servers.cells(i), System::nanoTime, settings, UnaryOperator.identity());
      doors.add(door);
      clients.add(new SignedClient(door::port, clock));
    }
    created(clients.getFirst().post("/dbs", "{\"id\": \"shop\"}"));
    int index = servers.cells(0).route("cosmos:shop") instanceof Route.Here ? 0 : 1;
    owner = clients.get(index);
    other = clients.get(1 - index);
    created(
        other.post(
            "/dbs/shop/colls",
            "{\"id\": \"carts\", \"partitionKey\": {\"paths\": [\"/pk\"], \"kind\": \"Hash\"},"
                + " \"defaultTtl\": -1}"));
  }

  @AfterEach
  void close() {
    clients.forEach(SignedClient::close);
    doors.forEach(CosmosDoor::close);
    servers.close();
  }

  private static Answer created(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    return answer;
  }

  private static String key(String value) {
    return "x-ms-documentdb-partitionkey: [\"" + value + "\"]";
  }

  private static Answer insert(SignedClient client, String id, String more) {
    String body = "{\"id\": \"" + id + "\", \"pk\": \"" + id + "\"" + more + "}";
    return client.post(DOCS, body, key(id));
  }

  @Test
  void anItemIsCreatedReplacedAndDeletedAtTheOtherServer() {
    created(insert(other, "a", ", \"n\": 1"));
    assertThat(owner.get(DOCS + "/a", key("a")).at("n").asInt()).isEqualTo(1);
    assertThat(other.get(DOCS + "/a", key("a")).at("n").asInt()).isEqualTo(1);
    Answer replaced = other.put(DOCS + "/a", "{\"id\": \"a\", \"pk\": \"a\", \"n\": 2}", key("a"));
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(owner.get(DOCS + "/a", key("a")).at("n").asInt()).isEqualTo(2);
    assertThat(other.delete(DOCS + "/a", key("a")).status()).isEqualTo(204);
    assertThat(owner.get(DOCS + "/a", key("a")).status()).isEqualTo(404);
  }

  @Test
  void aReplyOfTheOtherServerIsThatOfTheOwner() {
    insert(owner, "a", "");
    Answer here = owner.get(DOCS + "/a", key("a"));
    Answer there = other.get(DOCS + "/a", key("a"));
    assertThat(there.text()).isEqualTo(here.text());
    for (String name :
        List.of(
            "etag",
            "x-ms-session-token",
            "x-ms-request-charge",
            "content-type",
            "x-ms-alt-content-path")) {
      assertThat(there.header(name)).as(name).isEqualTo(here.header(name));
    }
  }

  @Test
  void aQueryIsContinuedAtTheOtherServer() {
    Set<String> inserted = new TreeSet<>();
    for (int i = 0; i < 7; i++) {
      insert(i % 2 == 0 ? owner : other, "i" + i, "");
      inserted.add("i" + i);
    }
    List<String> found = new ArrayList<>();
    String continuation = "";
    int pages = 0;
    do {
      SignedClient client = pages++ % 2 == 0 ? other : owner;
      List<String> headers = new ArrayList<>(List.of(QUERY, CROSS, "x-ms-max-item-count: 2"));
      if (!continuation.isEmpty()) {
        headers.add("x-ms-continuation: " + continuation);
      }
      headers.add("x-ms-documentdb-isquery: true");
      Answer page =
          client.post(
              DOCS,
              "{\"query\": \"SELECT * FROM c ORDER BY c.id\"}",
              headers.toArray(String[]::new));
      assertThat(page.status()).as(page.text()).isEqualTo(200);
      found.addAll(page.ids());
      continuation = page.header("x-ms-continuation");
    } while (!continuation.isEmpty());
    assertThat(found).containsExactlyElementsOf(inserted);
    assertThat(pages).isGreaterThan(3);
  }

  @Test
  void aChangeFeedIsContinuedAtTheOtherServer() {
    insert(owner, "a", "");
    Answer first = other.get(DOCS, "a-im: Incremental feed");
    assertThat(first.ids()).containsExactly("a");
    insert(other, "b", "");
    Answer second =
        owner.get(DOCS, "a-im: Incremental feed", "if-none-match: " + first.header("etag"));
    assertThat(second.ids()).containsExactly("b");
    insert(owner, "c", "");
    Answer third =
        other.get(DOCS, "a-im: Incremental feed", "if-none-match: " + second.header("etag"));
    assertThat(third.ids()).containsExactly("c");
  }

  @Test
  void bothServersSeeAnItemExpireAtOneInstant() {
    insert(owner, "a", ", \"ttl\": 10");
    insert(other, "b", ", \"ttl\": 10");
    clock.advance(Duration.ofMillis(9_999));
    for (SignedClient client : clients) {
      assertThat(client.get(DOCS + "/a", key("a")).status()).isEqualTo(200);
      assertThat(client.get(DOCS + "/b", key("b")).status()).isEqualTo(200);
    }
    clock.advance(Duration.ofMillis(1));
    for (SignedClient client : clients) {
      assertThat(client.get(DOCS + "/a", key("a")).status()).isEqualTo(404);
      assertThat(client.get(DOCS + "/b", key("b")).status()).isEqualTo(404);
    }
  }

  @Test
  void databasesOfAllCellsAreListed() {
    spread();
    for (SignedClient client : clients) {
      assertThat(ids(client.get("/dbs"), "Databases")).containsExactly("db0", "db1", "db2", "shop");
      Answer page = client.get("/dbs", "x-ms-max-item-count: 3");
      assertThat(ids(page, "Databases")).containsExactly("db0", "db1", "db2");
      Answer next = client.get("/dbs", "x-ms-continuation: " + page.header("x-ms-continuation"));
      assertThat(ids(next, "Databases")).containsExactly("shop");
      Answer found =
          client.post(
              "/dbs",
              "{\"query\": \"SELECT * FROM d WHERE d.id = 'db1'\"}",
              QUERY,
              "x-ms-documentdb-isquery: true");
      assertThat(ids(found, "Databases")).containsExactly("db1");
    }
  }

  /** Creates three databases, each in a cell of its own, at both servers. */
  private void spread() {
    for (int i = 0; i < 3; i++) {
      SignedClient client = clients.get(i % 2);
      created(client.post("/dbs", "{\"id\": \"db" + i + "\"}"));
      created(
          client.post(
              "/dbs/db" + i + "/colls",
              "{\"id\": \"c\", \"partitionKey\": {\"paths\": [\"/id\"]}}",
              "x-ms-offer-throughput: " + (400 + 100 * i)));
    }
  }

  private static List<String> ids(Answer answer, String list) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.list(list).stream().map(one -> one.field("id").asString()).toList();
  }

  @Test
  void ridsAndOffersDifferBetweenCellsAndAreFoundFromEveryServer() {
    spread();
    Set<String> rids = new TreeSet<>();
    for (Document database : owner.get("/dbs").list("Databases")) {
      String rid = database.field("_rid").asString();
      rids.add(rid);
      for (SignedClient client : clients) {
        assertThat(client.get("/dbs/" + rid).string("id"))
            .isEqualTo(database.field("id").asString());
      }
    }
    assertThat(rids).hasSize(4);
    List<Document> offers = other.get("/offers").list("Offers");
    assertThat(offers.stream().map(offer -> offer.field("id").asString()).distinct()).hasSize(4);
    for (Document offer : offers) {
      String id = offer.field("id").asString();
      for (SignedClient client : clients) {
        assertThat(client.get("/offers/" + id).string("resource"))
            .isEqualTo(offer.field("resource").asString());
      }
    }
  }

  @Test
  void theAccountListsAllServersTheOneThatWasAskedFirst() {
    for (int i = 0; i < 2; i++) {
      servers.cells(i).announce("127.0.0.1:1", Optional.of(doors.get(i).endpoint()));
    }
    for (int i = 0; i < 2; i++) {
      awaitEndpoints(servers.cells(i));
    }
    for (int i = 0; i < 2; i++) {
      Answer account = clients.get(i).get("/");
      for (String list : List.of("writableLocations", "readableLocations")) {
        List<String> endpoints =
            account.list(list).stream()
                .map(location -> location.field("databaseAccountEndpoint").asString())
                .toList();
        assertThat(endpoints).containsExactly(doors.get(i).endpoint(), doors.get(1 - i).endpoint());
      }
    }
  }

  private static void awaitEndpoints(Cells cells) {
    for (int i = 0; i < 100; i++) {
      if (cells.members().stream().allMatch(member -> member.cosmos().isPresent())) {
        return;
      }
      cells.refresh();
    }
    throw new AssertionError("a server does not see the endpoint of another one");
  }

  @Test
  void errorsAreThoseOfAServerAlone() {
    assertThat(other.get("/dbs/missing").status()).isEqualTo(404);
    Answer orphan = other.post("/dbs/missing/colls", "{\"id\": \"c\"}");
    assertThat(orphan.status()).isEqualTo(404);
    assertThat(orphan.header("x-ms-substatus")).isEqualTo("1003");
    assertThat(other.post("/dbs", "{\"id\": \"a/b\"}").status()).isEqualTo(400);
    assertThat(other.post("/dbs", "nonsense").status()).isEqualTo(400);
    assertThat(other.post("/dbs", "{\"id\": \"shop\"}").status()).isEqualTo(409);
    assertThat(other.send("PUT", "/dbs", "").status()).isEqualTo(405);
    assertThat(insert(other, "a", ", \"ttl\": 0").status()).isEqualTo(400);
    assertThat(other.get("/dbs/AAAAAA==/colls").status()).isEqualTo(404);
    assertThat(other.get("/offers/AAAA").status()).isEqualTo(404);
    Answer wrongKey = other.get(DOCS, "authorization: type%3Dmaster%26ver%3D1.0%26sig%3Dabc");
    assertThat(wrongKey.status()).isEqualTo(401);
  }

  @Test
  void aResourceTokenIsCheckedByTheServerThatStoresItsPermission() {
    insert(owner, "a", "");
    created(other.post("/dbs/shop/users", "{\"id\": \"ann\"}"));
    String token =
        created(
                other.post(
                    "/dbs/shop/users/ann/permissions",
                    "{\"id\": \"p\", \"permissionMode\": \"Read\","
                        + " \"resource\": \"dbs/shop/colls/carts\"}"))
            .string("_token");
    String bearer = "authorization: " + token;
    for (SignedClient client : clients) {
      assertThat(client.get(DOCS + "/a", key("a"), bearer).status()).isEqualTo(200);
      assertThat(client.delete(DOCS + "/a", key("a"), bearer).status()).isEqualTo(403);
      assertThat(client.get("/dbs", bearer).status()).isEqualTo(403);
      assertThat(client.get("/", bearer).status()).isEqualTo(200);
    }
    assertThat(other.delete("/dbs/shop/users/ann/permissions/p").status()).isEqualTo(204);
    assertThat(other.get(DOCS + "/a", key("a"), bearer).status()).isEqualTo(401);
  }

  @Test
  void requestsFollowACellThatMoves() {
    insert(owner, "a", ", \"n\": 1");
    int cell = cell();
    int slot = owner == clients.getFirst() ? 1 : 0;
    servers.cells(0).move(cell, slot);
    for (SignedClient client : clients) {
      assertThat(client.get(DOCS + "/a", key("a")).at("n").asInt()).isEqualTo(1);
    }
    created(insert(owner, "b", ""));
    assertThat(other.get(DOCS + "/b", key("b")).status()).isEqualTo(200);
  }

  private int cell() {
    Cells cells = servers.cells(0);
    return switch (cells.route("cosmos:shop")) {
      case Route.Here(var here) -> here.number();
      case Route.There there -> there.cell();
      case Route.Orphaned orphaned -> orphaned.cell();
      case Route.Nowhere _ -> throw new AssertionError("no cell has the database");
    };
  }

  @Test
  void aServerTakesOverWhenAnotherIsKilled() {
    insert(owner, "a", ", \"n\": 1");
    servers.kill(Arrays.asList(clients.toArray()).indexOf(owner));
    Answer found = other.get(DOCS + "/a", key("a"));
    assertThat(found.status()).as(found.text()).isEqualTo(200);
    assertThat(found.at("n").asInt()).isEqualTo(1);
    created(insert(other, "b", ""));
  }
}
