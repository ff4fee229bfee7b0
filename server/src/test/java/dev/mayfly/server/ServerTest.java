package dev.mayfly.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.mayfly.Mayfly;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerTest {
  private static final String SELECTION = "&serverSelectionTimeoutMS=10000";

  @Test
  void aDriverReachesAnInstanceInMemory() {
    try (Server server = Server.open(ServerSettings.inMemory())) {
      ping(server.mongo().connectionString());
    }
  }

  @Test
  void aTestClockContinuesAfterARestart(@TempDir Path data) {
    long machine = 1_700_000_000_000L;
    ManualClock first = new ManualClock(machine);
    ServerSettings settings = ServerSettings.inMemory().withData(data);
    try (Server server = Server.open(settings.withClock(first))) {
      Collection kept =
          server
              .mayfly()
              .create(
                  "db",
                  "kept",
                  CollectionSpec.mongo()
                      .withTimeToLive(TimeToLive.NONE.withDefault(60).withGrace(3_600_000)));
      kept.insert(Document.writer().put("_id", 1).build());
      first.advance(Duration.ofMinutes(10));
      assertThat(kept.usage().documents()).isZero();
    }
    ManualClock second = new ManualClock(machine);
    try (Server server = Server.open(settings.withClock(second))) {
      assertThat(second.now()).isEqualTo(first.now());
      assertThat(server.mayfly().collection("db", "kept").usage().documents()).isZero();
    }
  }

  @Test
  void theProcessPrintsItsAddressAndStopsOnSigterm(@TempDir Path data)
      throws IOException, InterruptedException {
    String java = ProcessHandle.current().info().command().orElseThrow();
    Process process =
        new ProcessBuilder(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.mayfly.cli.Main",
                "serve",
                "--data",
                data.toString(),
                "--mongo-port",
                "0",
                "--cosmos-port",
                "0")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).isEqualTo("Mayfly " + Mayfly.VERSION + " is ready.");
      String mongo = out.readLine();
      ping(mongo.substring(mongo.indexOf("mongodb://127.0.0.1:")));
      askForTheAccount(out.readLine());
      assertThat(out.readLine()).endsWith("/_console/");
      assertThat(out.readLine()).endsWith(data.toString());
      assertThat(out.readLine()).contains("Ctrl-C");
      process.destroy();
      assertThat(process.waitFor()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
    Mayfly.open(data).close();
  }

  @Test
  void theProcessEndsWhenItsInputIsClosed() throws IOException, InterruptedException {
    String java = ProcessHandle.current().info().command().orElseThrow();
    Process process =
        new ProcessBuilder(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.mayfly.cli.Main",
                "--json",
                "serve",
                "--emulator",
                "--test-clock",
                "offset",
                "--mongo-port=0",
                "--cosmos-port=0",
                "--health-port=off",
                "--stop-with-input")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader()) {
      Document ready = Json.parse(out.readLine().getBytes(UTF_8), Limits.COSMOS);
      ping(ready.field("mongo").asString());
      process.getOutputStream().close();
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * A request without a signature is rejected, with and without TLS, with an error body like the
   * service's.
   */
  private static void askForTheAccount(String ready) throws IOException, InterruptedException {
    Matcher endpoint = Pattern.compile("https(://127.0.0.1:\\d+/);AccountKey=").matcher(ready);
    assertThat(endpoint.find()).isTrue();
    URI plain = URI.create("http" + endpoint.group(1));
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> refused =
          client.send(HttpRequest.newBuilder(plain).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(refused.body()).contains("\"code\":\"Unauthorized\"");
    }
  }

  @Test
  void theEmulatorKeyIsRejectedForRemoteAccess() {
    CosmosSettings open =
        CosmosSettings.standard(System::currentTimeMillis).withAddress("0.0.0.0", 0);
    assertThatThrownBy(() -> Server.open(ServerSettings.inMemory().withCosmos(open)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--cosmos-key");
  }

  private static void ping(String address) {
    try (MongoClient client = MongoClients.create(address + SELECTION)) {
      BsonDocument ping = BsonDocument.parse("{ping: 1}");
      assertThat(client.getDatabase("admin").runCommand(ping).get("ok")).isEqualTo(1.0);
    }
  }
}
