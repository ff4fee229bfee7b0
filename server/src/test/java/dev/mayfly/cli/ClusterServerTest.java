package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.expiry.Clock;
import dev.mayfly.server.MemoryCluster;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import dev.mayfly.server.Signature;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Limits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDateTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two servers that share a board and stores in memory. */
final class ClusterServerTest {
  private static final Clock CLOCK = System::currentTimeMillis;
  private static final long TEN_MINUTES = Duration.ofMinutes(10).toMillis();

  private final MemoryCluster cluster = new MemoryCluster(2);
  private final Server first = cluster.server(0);
  private final Server second = cluster.server(1);
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void openTwo() throws Exception {
    insert(first, "web");
    insert(second, "shop");
    // the two databases are at two servers
    int cell = cluster.cell("shop");
    int slot = second.cells().self().slot();
    run(0, "cluster", "move", Integer.toString(cell), Integer.toString(slot));
  }

  private static void insert(Server server, String database) {
    try (MongoClient client = MongoClients.create(server.mongo().connectionString())) {
      var sessions = client.getDatabase(database).getCollection("sessions");
      sessions.createIndex(
          Indexes.ascending("at"), new IndexOptions().expireAfter(3_600L, TimeUnit.SECONDS));
      BsonDateTime tenMinutesAgo = new BsonDateTime(CLOCK.now() - TEN_MINUTES);
      for (int i = 0; i < 3; i++) {
        sessions.insertOne(new org.bson.Document("_id", i).append("at", tenMinutesAgo));
      }
    }
  }

  @AfterEach
  void close() {
    http.close();
    cluster.close();
  }

  private CommandLineRun run(int expected, String... arguments) {
    return runAt(first, expected, arguments);
  }

  private static CommandLineRun runAt(Server server, int expected, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--server");
    all.add(server.operatorUrl().orElseThrow());
    CommandLineRun run = CommandLineRun.of(all.toArray(String[]::new));
    assertThat(run.exit()).as(run.err()).isEqualTo(expected);
    return run;
  }

  private String text(Server server, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.operatorUrl().orElseThrow() + path))
            .header("authorization", "Bearer " + MasterKey.WELL_KNOWN)
            .build();
    return http.send(request, BodyHandlers.ofString()).body();
  }

  @Test
  void theStatusListsServersAndCells() {
    Document status =
        ExtendedJson.parse(
            run(0, "cluster", "status", "--json").out().getBytes(UTF_8), Limits.MONGO);
    assertThat(elements(status, "servers"))
        .extracting(server -> server.field("mongo").asString())
        .containsExactly(mongo(0), mongo(1));
    assertThat(elements(status, "servers"))
        .allSatisfy(server -> assertThat(server.field("live").asBoolean()).isTrue());
    Document shop =
        elements(status, "cells").stream()
            .filter(cell -> cell.field("databases").toString().contains("shop"))
            .findFirst()
            .orElseThrow();
    assertThat(shop.field("server").asInt()).isEqualTo(second.cells().self().slot());
    assertThat(shop.field("epoch").asLong()).isPositive();
    assertThat(run(0, "cluster", "status").out())
        .contains("SERVER", "live, asked", mongo(1), "EPOCH", "shop");
  }

  private String mongo(int index) {
    return "127.0.0.1:" + cluster.server(index).mongo().address().getPort();
  }

  private static List<Document> elements(Document reply, String name) {
    List<Document> all = new ArrayList<>();
    Fields each = reply.field(name).asDocument().fields();
    while (each.next()) {
      all.add(each.value().asDocument());
    }
    return all;
  }

  @Test
  void operatorsSeeAllCollectionsAtEveryServer() {
    for (Server server : cluster.servers()) {
      assertThat(runAt(server, 0, "collections").out()).contains("web.sessions", "shop.sessions");
      assertThat(runAt(server, 0, "ttl", "show", "shop.sessions").out()).contains("at_1");
      assertThat(runAt(server, 0, "ttl", "forecast", "web.sessions").out()).contains("3");
    }
  }

  @Test
  void rulesAreChangedAndUndoneAtTheOtherServer() {
    for (Server server : cluster.servers()) {
      runAt(server, 0, "ttl", "set", "shop.sessions", "--index=at_1", "--after=60s", "--grace=1d");
      assertThat(runAt(server, 0, "collections").out()).containsPattern("shop.sessions +0 ");
      runAt(server, 0, "ttl", "undo", "shop.sessions");
      assertThat(runAt(server, 0, "collections").out()).containsPattern("shop.sessions +3 ");
    }
  }

  @Test
  void aDatabaseThatDoesNotExistIsReported() {
    assertThat(run(1, "ttl", "show", "none.sessions").err())
        .contains("No server has the database 'none'");
    assertThat(run(1, "cluster", "move", "200", "0").err()).contains("200");
    assertThat(run(1, "cluster", "drain", "900").err()).contains("900");
  }

  @Test
  void aDrainedServerOwnsNoCellsAndStillServesItsClients() {
    int slot = second.cells().self().slot();
    run(0, "cluster", "drain", Integer.toString(slot));
    assertThat(second.cells().served()).isEmpty();
    try (MongoClient client = MongoClients.create(second.mongo().connectionString())) {
      assertThat(client.getDatabase("shop").getCollection("sessions").countDocuments())
          .isEqualTo(3);
    }
    run(0, "cluster", "drain", "--end", Integer.toString(slot));
  }

  @Test
  void metricsHaveTheLabelOfTheirCell() throws Exception {
    String metrics = text(second, "metrics");
    assertThat(metrics)
        .contains("mayfly_cluster_servers 2.0")
        .contains("mayfly_documents{cell=\"" + cluster.cell("shop") + "\"} 3.0")
        .contains("mayfly_cell_epoch{cell=\"" + cluster.cell("shop") + "\"}");
  }

  @Test
  void readinessReportsADrainedServerAndAServerThatServes() throws Exception {
    assertThat(text(first, "readyz")).isEqualTo("ready\n");
    int slot = second.cells().self().slot();
    run(0, "cluster", "drain", Integer.toString(slot));
    assertThat(text(second, "readyz")).contains("serves no cells", "drained");
  }

  @Test
  void aServerThatStopsHandsItsCellsOver() {
    cluster.stop(1);
    try (MongoClient client = MongoClients.create(first.mongo().connectionString())) {
      assertThat(client.getDatabase("shop").getCollection("sessions").countDocuments())
          .isEqualTo(3);
    }
    // the status is read now; the list of members is that of the last half second
    assertThat(first.cells().status().servers()).hasSize(1);
  }

  @Test
  void aServerAloneIsNoCluster() {
    try (Server alone = Server.open(ServerSettings.inMemory())) {
      assertThat(runAt(alone, 1, "cluster", "status").err()).contains("not part of a cluster");
    }
  }

  @Test
  void containersAreRelayedToo() throws Exception {
    long now = CLOCK.now();
    for (Server server : cluster.servers()) {
      String name = "db" + cluster.servers().indexOf(server);
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(first.operatorUrl().orElseThrow() + "dbs"))
              .headers(Signature.of(MasterKey.WELL_KNOWN, now, "POST", "dbs", ""))
              .POST(BodyPublishers.ofString("{\"id\": \"" + name + "\"}"))
              .build();
      assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(201);
    }
    for (Server server : cluster.servers()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server.operatorUrl().orElseThrow() + "dbs"))
              .headers(Signature.of(MasterKey.WELL_KNOWN, now, "GET", "dbs", ""))
              .build();
      assertThat(http.send(request, BodyHandlers.ofString()).body()).contains("db0", "db1");
    }
  }
}
