package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.expiry.Clock;
import dev.mayfly.server.Signature;
import dev.mayfly.store.cassandra.TestCluster;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Limits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Two server processes on a real Cassandra node. */
final class CassandraClusterTest {
  private static final Clock CLOCK = System::currentTimeMillis;

  private final HttpClient http = HttpClient.newHttpClient();

  /** Serves the database {@code shop}, unless that is moved meanwhile to balance the servers. */
  private MayflyProcess first;

  private MayflyProcess second;
  private MongoClient atFirst;
  private MongoClient atSecond;

  @BeforeAll
  static void assumeAvailable() {
    TestCluster.assumeAvailable();
  }

  @BeforeEach
  void start(TestInfo test) throws Exception {
    int name = test.getTestMethod().orElseThrow().getName().hashCode();
    String keyspace = "--cassandra-keyspace=cluster_" + Integer.toHexString(name);
    String cassandra = "--cassandra=" + TestCluster.contactPoint();
    first = MayflyProcess.start(cassandra, keyspace);
    second = MayflyProcess.start(cassandra, keyspace);
    atFirst = MongoClients.create(first.mongo());
    atSecond = MongoClients.create(second.mongo());
    carts(atFirst).insertOne(new Document("_id", 1).append("n", 1));
    if (owner() != 0) {
      MayflyProcess process = first;
      first = second;
      second = process;
      MongoClient client = atFirst;
      atFirst = atSecond;
      atSecond = client;
    }
  }

  @AfterEach
  void stop() {
    atFirst.close();
    atSecond.close();
    first.close();
    second.close();
    http.close();
  }

  private static MongoCollection<Document> carts(MongoClient client) {
    return client.getDatabase("shop").getCollection("carts");
  }

  /** Returns the number of the server that serves the database {@code shop}. */
  private int owner() {
    String status = CommandLineRun.of("cluster", "status", "--json", "--server", first.url()).out();
    Fields cells =
        ExtendedJson.parse(status.getBytes(UTF_8), Limits.MONGO)
            .field("cells")
            .asDocument()
            .fields();
    while (cells.next()) {
      var cell = cells.value().asDocument();
      if (cell.field("databases").toString().contains("\"shop\"")) {
        return cell.field("server").asInt();
      }
    }
    throw new AssertionError("no cell has the database: " + status);
  }

  private HttpResponse<String> post(MayflyProcess server, String type, String link, String body)
      throws IOException, InterruptedException {
    String path = link.isEmpty() ? type : link + "/" + type;
    return http.send(
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .headers(Signature.of(MasterKey.WELL_KNOWN, CLOCK.now(), "POST", type, link))
            .header("x-ms-documentdb-partitionkey", "[\"a\"]")
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private HttpResponse<String> item(MayflyProcess server) throws IOException, InterruptedException {
    String link = "dbs/web/colls/sessions/docs/a";
    return http.send(
        HttpRequest.newBuilder(URI.create(server.url() + link))
            .headers(Signature.of(MasterKey.WELL_KNOWN, CLOCK.now(), "GET", "docs", link))
            .header("x-ms-documentdb-partitionkey", "[\"a\"]")
            .build(),
        BodyHandlers.ofString());
  }

  @Test
  void bothDoorsAreRelayedAndAServerThatStopsHandsOver() throws Exception {
    carts(atSecond).insertOne(new Document("_id", 2).append("n", 2));
    assertThat(carts(atFirst).countDocuments()).isEqualTo(2);
    assertThat(post(second, "dbs", "", "{\"id\": \"web\"}").statusCode()).isEqualTo(201);
    String container = "{\"id\": \"sessions\", \"partitionKey\": {\"paths\": [\"/id\"]}}";
    assertThat(post(first, "colls", "dbs/web", container).statusCode()).isEqualTo(201);
    assertThat(post(second, "docs", "dbs/web/colls/sessions", "{\"id\": \"a\"}").statusCode())
        .isEqualTo(201);
    assertThat(item(first).statusCode()).isEqualTo(200);
    first.stop();
    assertThat(carts(atSecond).countDocuments()).isEqualTo(2);
    assertThat(item(second).statusCode()).isEqualTo(200);
    carts(atSecond).insertOne(new Document("_id", 3));
  }

  @Test
  void anotherServerTakesOverAfterAKill() throws Exception {
    first.signal("KILL");
    assertThat(carts(atSecond).find(Filters.eq("_id", 1)).first())
        .isEqualTo(new Document("_id", 1).append("n", 1));
    carts(atSecond).insertOne(new Document("_id", 2));
    assertThat(carts(atSecond).countDocuments()).isEqualTo(2);
  }

  @Test
  void aServerThatWasSuspendedServesNoOldDataAndLosesNoWrite() throws Exception {
    first.signal("STOP");
    assertThat(carts(atSecond).countDocuments()).isEqualTo(1);
    carts(atSecond).updateOne(Filters.eq("_id", 1), Updates.set("n", 2));
    first.signal("CONT");
    for (int i = 0; i < 20; i++) {
      assertThat(carts(atFirst).find(Filters.eq("_id", 1)).first())
          .isEqualTo(new Document("_id", 1).append("n", 2));
    }
    carts(atFirst).updateOne(Filters.eq("_id", 1), Updates.inc("n", 1));
    assertThat(carts(atSecond).find(Filters.eq("_id", 1)).first())
        .isEqualTo(new Document("_id", 1).append("n", 3));
  }
}
