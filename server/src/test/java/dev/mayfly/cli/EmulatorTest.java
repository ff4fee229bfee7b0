package dev.mayfly.cli;

import static java.net.http.HttpResponse.BodyHandlers.ofString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.mayfly.config.Configuration;
import dev.mayfly.config.ConfigurationException;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.server.EmulatorMark;
import dev.mayfly.server.ModeException;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with {@code --emulator}, as clients, tools and libraries for tests use it. */
final class EmulatorTest {
  private static final Map<String, String> ROOT =
      Map.of("MONGO_INITDB_ROOT_USERNAME", "ada", "MONGO_INITDB_ROOT_PASSWORD", "secret");

  @AutoClose private final HttpClient http = HttpClient.newHttpClient();

  private static ServerSettings settings(
      Map<String, String> options, Map<String, String> environment) {
    Map<String, String> all =
        new HashMap<>(
            Map.of("emulator", "true", "mongo-port", "0", "cosmos-port", "0", "health-port", "0"));
    all.putAll(options);
    Configuration configuration = Configuration.of(all, Map.of(), Map.of(), List.of());
    return new SettingsMapper(configuration, environment).settings(List.of());
  }

  private static ServerSettings settings(Map<String, String> options) {
    return settings(options, Map.of());
  }

  /** An address of this machine under which the server sees clients as those of other machines. */
  private static String outside() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
        .map(InetAddress::getHostAddress)
        .findFirst()
        .orElse("127.0.0.1");
  }

  private HttpResponse<String> get(String url, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), ofString());
  }

  private static String cosmosUrl(Server server, String host) {
    return "http://" + host + ":" + server.cosmos().orElseThrow().port();
  }

  private static MongoClient mongo(Server server, String host, String user) {
    return MongoClients.create(
        "mongodb://"
            + user
            + host
            + ":"
            + server.mongo().address().getPort()
            + "/?serverSelectionTimeoutMS=10000");
  }

  @Test
  void otherMachinesNeedNoLoginAndUseThePublicKey() throws Exception {
    try (Server server = Server.open(settings(Map.of("bind", "0.0.0.0")));
        MongoClient client = mongo(server, outside(), "")) {
      client.getDatabase("shop").getCollection("carts").insertOne(new Document("_id", 1));
      assertThat(client.getDatabase("shop").getCollection("carts").countDocuments()).isEqualTo(1);

      String url = cosmosUrl(server, outside());
      assertThat(get(url + "/").body()).contains("writableLocations", outside());
      assertThat(get(url + "/dbs").statusCode()).isEqualTo(401);
      assertThat(
              get(url + "/_mayfly/collections", "authorization", "Bearer " + MasterKey.WELL_KNOWN)
                  .body())
          .contains("carts");
    }
  }

  @Test
  void withoutEmulatorTheAccountNeedsASignature() throws Exception {
    try (Server server = Server.open(settings(Map.of("emulator", "false", "in-memory", "true")))) {
      assertThat(get(cosmosUrl(server, "127.0.0.1") + "/").statusCode()).isEqualTo(401);
    }
  }

  @Test
  void theStartPrintsOneWarningAndTheLinesThatLibrariesWaitFor() {
    ServerSettings settings = settings(Map.of("bind", "0.0.0.0"));
    try (Server server = Server.open(settings)) {
      Ready ready = new Ready(server, settings);
      assertThat(ready.text())
          .containsOnlyOnce("EMULATOR  FOR TESTS ONLY: no login, public key: every machine")
          .contains("in memory", MasterKey.WELL_KNOWN)
          .doesNotContain("Users ", "TLS ");
      assertThat(ready.waitLines())
          .containsOnlyOnce("Waiting for connections")
          .contains("Now listening on: https://")
          .contains("System is now fully ready to accept requests\n")
          .endsWith("Started\r\n");
    }
    ServerSettings other = settings(Map.of("emulator", "false", "in-memory", "true"));
    try (Server server = Server.open(other)) {
      assertThat(new Ready(server, other).waitLines()).isEmpty();
    }
  }

  @Test
  void healthChecksHaveThePathsOfTheEmulator() throws Exception {
    try (Server server = Server.open(settings(Map.of()))) {
      String url = "http://127.0.0.1:" + server.healthPort().orElseThrow();
      assertThat(get(url + "/alive").statusCode()).isEqualTo(200);
      assertThat(get(url + "/ready").statusCode()).isEqualTo(200);
      assertThat(get(url + "/status").body()).contains("\"status\":\"ready\"");
      assertThat(get(url + "/dbs").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aHealthPortInUseStopsTheServerOnlyIfItIsConfigured() throws IOException {
    try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ServerSettings configured = settings(Map.of("health-port", "" + used.getLocalPort()));
      assertThatThrownBy(() -> Server.open(configured))
          .isInstanceOf(dev.mayfly.server.DoorException.class);
      var http = configured.health().orElseThrow().http();
      ServerSettings standard =
          configured.withHealth(new dev.mayfly.server.HealthSettings(http, false));
      try (Server server = Server.open(standard)) {
        assertThat(server.healthPort()).isEmpty();
      }
    }
  }

  @Test
  void clientsInDirectModeAreRefusedWithASentenceThatNamesGatewayMode() throws Exception {
    try (Server server = Server.open(settings(Map.of()))) {
      HttpResponse<String> refused =
          get(cosmosUrl(server, "127.0.0.1") + "/addresses/?$resolveFor=dbs%2Fa%2Fcolls%2Fb");
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body()).contains("select gateway mode");
    }
  }

  @Test
  void replSetInitiateConfirmsTheSetThatExists() {
    try (Server server = Server.open(settings(Map.of("set-name", "docker-rs")));
        MongoClient client = mongo(server, "127.0.0.1", "")) {
      var admin = client.getDatabase("admin");
      assertThat(admin.runCommand(new Document("replSetInitiate", null)).get("ok")).isEqualTo(1.0);
      Document member = new Document("_id", 0).append("host", "127.0.0.1:27017");
      Document config = new Document("_id", "docker-rs").append("members", List.of(member));
      assertThat(admin.runCommand(new Document("replSetInitiate", config)).get("ok"))
          .isEqualTo(1.0);
      assertThat(admin.runCommand(new Document("replSetGetStatus", 1)).get("myState")).isEqualTo(1);
      assertThat(admin.runCommand(new Document("hello", 1)).getBoolean("isWritablePrimary"))
          .isTrue();
      Document other = new Document("_id", "other").append("members", List.of(member));
      assertRefused(() -> admin.runCommand(new Document("replSetInitiate", other)), 93);
      Document two = new Document("_id", "docker-rs").append("members", List.of(member, member));
      assertRefused(() -> admin.runCommand(new Document("replSetInitiate", two)), 93);
    }
  }

  @Test
  void withoutEmulatorTheReplicaSetIsAlreadyInitialized() {
    try (Server server = Server.open(settings(Map.of("emulator", "false", "in-memory", "true")));
        MongoClient client = mongo(server, "127.0.0.1", "")) {
      var admin = client.getDatabase("admin");
      assertRefused(() -> admin.runCommand(new Document("replSetInitiate", new Document())), 23);
    }
  }

  private static void assertRefused(Runnable command, int code) {
    assertThatThrownBy(command::run)
        .asInstanceOf(type(MongoCommandException.class))
        .satisfies(refused -> assertThat(refused.getErrorCode()).isEqualTo(code));
  }

  @Test
  void theVariablesOfTheMongoImageCreateTheFirstUser(@TempDir Path directory) {
    ServerSettings settings = settings(Map.of("data", directory.resolve("data").toString()), ROOT);
    try (Server server = Server.open(settings);
        MongoClient anonymous = mongo(server, "127.0.0.1", "");
        MongoClient wrong = mongo(server, "127.0.0.1", "ada:wrong@");
        MongoClient ada = mongo(server, "127.0.0.1", "ada:secret@")) {
      assertThat(new Ready(server, settings).waitLines().split("Waiting for connections"))
          .hasSize(3);
      assertRefused(() -> anonymous.listDatabaseNames().first(), 13);
      assertThatThrownBy(() -> wrong.listDatabaseNames().first())
          .isInstanceOf(MongoSecurityException.class);
      ada.getDatabase("shop").createCollection("carts");
      ada.getDatabase("admin")
          .runCommand(
              new Document("createUser", "bob")
                  .append("pwd", "x")
                  .append("roles", List.of("root")));
    }
    try (Server again = Server.open(settings)) {
      assertThat(again.rootAdded()).isFalse();
      assertThat(again.mongo().users().descriptions()).hasSize(2);
    }
  }

  @Test
  void aDirectoryBelongsToOneMode(@TempDir Path directory) {
    Path tests = directory.resolve("tests");
    Path real = directory.resolve("real");
    Map<String, String> off = Map.of("emulator", "false");
    Server.open(settings(Map.of("data", tests.toString()))).close();
    assertThat(EmulatorMark.file(tests)).exists();
    Server.open(settings(Map.of("data", tests.toString()))).close();
    assertThatThrownBy(() -> Server.open(settings(with(off, tests))))
        .isInstanceOf(ModeException.class)
        .hasMessageContaining("start with --emulator");

    Server.open(settings(with(off, real))).close();
    assertThatThrownBy(() -> Server.open(settings(Map.of("data", real.toString()))))
        .isInstanceOf(ModeException.class)
        .hasMessageContaining("start without --emulator");
    assertThat(EmulatorMark.file(real)).doesNotExist();
  }

  private static Map<String, String> with(Map<String, String> options, Path data) {
    Map<String, String> all = new HashMap<>(options);
    all.put("data", data.toString());
    return all;
  }

  @Test
  void aRestoredBackupKeepsItsMode(@TempDir Path directory) throws IOException {
    Path data = directory.resolve("data");
    Path backup = directory.resolve("backup");
    Path restored = directory.resolve("restored");
    Server.open(settings(Map.of("data", data.toString()))).close();
    CommandLineRun.of("backup", backup.toString(), "--data", data.toString());
    CommandLineRun.of("restore", backup.toString(), "--data", restored.toString());
    assertThat(Files.readString(EmulatorMark.file(restored))).contains("--emulator");
  }

  @Test
  void contradictionsAreErrors(@TempDir Path directory) throws IOException {
    assertThatThrownBy(() -> settings(Map.of("auth", "never"), ROOT))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("remove one of them");
    assertThatThrownBy(() -> settings(Map.of("auth", "always")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("needs a user");
    assertThatThrownBy(() -> settings(Map.of(), Map.of("MONGO_INITDB_ROOT_USERNAME", "ada")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("set both, or neither");
    Path file = Files.writeString(directory.resolve("password"), "from a file\n");
    Map<String, String> inFile =
        Map.of(
            "MONGO_INITDB_ROOT_USERNAME",
            "ada",
            "MONGO_INITDB_ROOT_PASSWORD_FILE",
            file.toString());
    assertThat(settings(Map.of(), inFile).emulator().orElseThrow().root().orElseThrow().password())
        .isEqualTo("from a file");
  }
}
