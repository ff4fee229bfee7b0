package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import dev.mayfly.config.Configuration;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.expiry.Clock;
import dev.mayfly.server.Server;
import dev.mayfly.server.Signature;
import dev.mayfly.store.cassandra.TestCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDateTime;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server on a real Cassandra node. */
class CassandraServerTest {
  private static final Clock CLOCK = System::currentTimeMillis;

  @BeforeAll
  static void assumeAvailable() {
    TestCluster.assumeAvailable();
  }

  private static Server open(String keyspace) {
    Configuration configuration =
        Configuration.of(
            Map.of(
                "cassandra",
                TestCluster.contactPoint(),
                "cassandra-keyspace",
                keyspace,
                "mongo-port",
                "0",
                "cosmos-port",
                "0"),
            Map.of(),
            Map.of(),
            List.of());
    return Server.open(new SettingsMapper(configuration, Map.of()).settings(List.of()));
  }

  @Test
  void documentsOfBothDoorsSurviveARestart() throws Exception {
    try (Server server = open("both_doors");
        MongoClient client = MongoClients.create(server.mongo().connectionString())) {
      MongoCollection<Document> sessions = client.getDatabase("web").getCollection("sessions");
      sessions.createIndex(
          Indexes.ascending("at"), new IndexOptions().expireAfter(60L, TimeUnit.SECONDS));
      sessions.createIndex(Indexes.ascending("user"));
      long now = CLOCK.now();
      sessions.insertMany(
          IntStream.range(0, 300)
              .mapToObj(
                  i ->
                      new Document("_id", i)
                          .append("user", "u" + i % 3)
                          .append("at", new BsonDateTime(i % 2 == 0 ? now : now - 100_000)))
              .toList());
      assertThat(sessions.countDocuments()).isEqualTo(150);
      assertThat(post(server, "dbs", "", "dbs", "{\"id\":\"shop\"}").statusCode()).isEqualTo(201);
      assertThat(
              post(
                      server,
                      "colls",
                      "dbs/shop",
                      "dbs/shop/colls",
                      "{\"id\":\"carts\",\"partitionKey\":{\"paths\":[\"/id\"],\"kind\":\"Hash\"},"
                          + "\"defaultTtl\":3600}")
                  .statusCode())
          .isEqualTo(201);
      assertThat(
              post(
                      server,
                      "docs",
                      "dbs/shop/colls/carts",
                      "dbs/shop/colls/carts/docs",
                      "{\"id\":\"c1\",\"total\":3}")
                  .statusCode())
          .isEqualTo(201);
    }
    try (Server server = open("both_doors");
        MongoClient client = MongoClients.create(server.mongo().connectionString())) {
      MongoCollection<Document> sessions = client.getDatabase("web").getCollection("sessions");
      assertThat(sessions.countDocuments()).isEqualTo(150);
      assertThat(
              sessions
                  .find(new Document("user", "u0"))
                  .sort(Sorts.ascending("_id"))
                  .map(document -> document.getInteger("_id"))
                  .into(new ArrayList<>()))
          .isEqualTo(IntStream.range(0, 300).filter(i -> i % 6 == 0).boxed().toList());
      assertThat(get(server, "docs", "dbs/shop/colls/carts/docs/c1").body())
          .contains("\"total\":3");
    }
  }

  @Test
  void mistakesGetASentence() {
    assertThat(CommandLineRun.of("serve", "--cassandra=127.0.0.1:9").err())
        .contains("No Cassandra node answers at 127.0.0.1:9: check the addresses");
    assertThat(
            CommandLineRun.of(
                    "serve",
                    "--cassandra=" + TestCluster.contactPoint(),
                    "--cassandra-datacenter=nowhere")
                .err())
        .contains("No Cassandra node of data center 'nowhere'")
        .contains("the cluster has datacenter1: check cassandra-datacenter");
  }

  private static HttpResponse<String> post(
      Server server, String type, String link, String path, String body)
      throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(address(server, path))
            .headers(Signature.of(MasterKey.WELL_KNOWN, CLOCK.now(), "POST", type, link))
            .header("x-ms-documentdb-partitionkey", "[\"c1\"]")
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  private static HttpResponse<String> get(Server server, String type, String link)
      throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(address(server, link))
            .headers(Signature.of(MasterKey.WELL_KNOWN, CLOCK.now(), "GET", type, link))
            .header("x-ms-documentdb-partitionkey", "[\"c1\"]")
            .build());
  }

  private static URI address(Server server, String path) {
    return URI.create(server.operatorUrl().orElseThrow() + path);
  }

  private static HttpResponse<String> send(HttpRequest request)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, BodyHandlers.ofString());
    }
  }
}
