package dev.mayfly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.mayfly.Server.Options.Cosmos;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.mongo.MongoSettings;
import dev.mayfly.mongo.auth.Login;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerTest {
  private static final String SELECTION = "&serverSelectionTimeoutMS=10000";

  @Test
  void aDriverReachesAnInstanceInMemory() {
    MongoSettings settings = MongoSettings.standard(System::nanoTime).withAddress("127.0.0.1", 0);
    try (Server server = Server.open(Mayfly.inMemory(), settings)) {
      ping(server.mongo().connectionString());
    }
  }

  @Test
  void theProcessSaysWhereItListensAndEndsCleanlyWhenTold(@TempDir Path data)
      throws IOException, InterruptedException {
    String java = ProcessHandle.current().info().command().orElseThrow();
    Process process =
        new ProcessBuilder(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.mayfly.Server",
                "--data",
                data.toString(),
                "--mongo-port",
                "0",
                "--cosmos-port",
                "0")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader()) {
      String ready = out.readLine();
      assertThat(ready).startsWith("Mayfly is ready: mongodb://127.0.0.1:");
      List<String> addresses = List.of(ready.substring("Mayfly is ready: ".length()).split(" "));
      ping(addresses.getFirst());
      askForTheAccount(addresses.getLast());
      process.destroy();
      assertThat(process.waitFor()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
    Mayfly.open(data).close();
  }

  /** Without a signature it is refused; with TLS or without, in the form of the service. */
  private static void askForTheAccount(String endpoint) throws IOException, InterruptedException {
    assertThat(endpoint).startsWith("https://127.0.0.1:");
    URI plain = URI.create(endpoint.replace("https:", "http:"));
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> refused =
          client.send(HttpRequest.newBuilder(plain).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(refused.body()).contains("\"code\":\"Unauthorized\"");
    }
  }

  @Test
  void theWellKnownKeyIsRefusedWhereOtherMachinesCanCome() {
    CosmosSettings open =
        CosmosSettings.standard(System::currentTimeMillis).withAddress("0.0.0.0", 0);
    MongoSettings mongo = MongoSettings.standard(System::nanoTime).withAddress("127.0.0.1", 0);
    assertThatThrownBy(() -> Server.open(Mayfly.inMemory(), mongo, Optional.of(open)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--cosmos-key");
  }

  private static void ping(String address) {
    try (MongoClient client = MongoClients.create(address + SELECTION)) {
      BsonDocument ping = BsonDocument.parse("{ping: 1}");
      assertThat(client.getDatabase("admin").runCommand(ping).get("ok")).isEqualTo(1.0);
    }
  }

  @Test
  void theCommandLineSaysWhatToOpen() {
    assertThat(Server.Options.parse(List.of("--in-memory")))
        .isEqualTo(
            new Server.Options(
                "", "127.0.0.1", 27017, Login.FROM_AFAR, Cosmos.STANDARD, "", false));
    assertThat(
            Server.Options.parse(
                List.of(
                    "--data", "d", "--mongo-port", "0", "--bind", "0.0.0.0", "--auth", "always")))
        .isEqualTo(new Server.Options("d", "0.0.0.0", 0, Login.ALWAYS, Cosmos.STANDARD, "", false));
    assertThat(
            Server.Options.parse(
                    List.of("--in-memory", "--cosmos-port", "0", "--cosmos-key", "c2VjcmV0"))
                .cosmos())
        .isEqualTo(new Cosmos(0, "c2VjcmV0"));
    assertThat(Server.Options.parse(List.of("--in-memory", "--cosmos-port", "off")).cosmos().port())
        .isEqualTo(Cosmos.CLOSED);
  }

  @Test
  void aCommandLineThatMakesNoSenseIsRefused() {
    for (List<String> wrong :
        List.of(
            List.<String>of(),
            List.of("--in-memory", "--data", "d"),
            List.of("--data"),
            List.of("--in-memory", "--auth", "sometimes"),
            List.of("--in-memory", "--mongo-port", "x"),
            List.of("--in-memory", "--mongo-port", "65536"),
            List.of("--in-memory", "--cosmos-port", "-1"),
            List.of("--what"))) {
      assertThatThrownBy(() -> Server.Options.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
