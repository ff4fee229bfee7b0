package dev.mayfly.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.mongo.CommandSettings;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import dev.mayfly.server.Signature;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Log of a server process, and what it must not contain. */
final class LogsTest {
  private static final System.Logger LOG = System.getLogger("dev.mayfly.engine.Test");

  private static final long NOW = 1_900_000_000_000L;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @AfterEach
  void logAsBefore() {
    Logs.to(System.err, Logs.Format.TEXT, "warn");
  }

  private String logged() {
    return out.toString(UTF_8);
  }

  private dev.mayfly.value.Document line(String message) {
    return logged()
        .lines()
        .map(line -> Json.parse(line, Limits.MONGO))
        .filter(line -> line.field("message").asString().equals(message))
        .reduce((_, last) -> last)
        .orElseThrow(() -> new AssertionError("no such line in " + logged()));
  }

  @Test
  void aTextLineHasTimeLevelAreaAndMessage() {
    Logs.to(out, Logs.Format.TEXT, "info");
    LOG.log(System.Logger.Level.WARNING, "{0} is late", "the sweep");
    LOG.log(System.Logger.Level.DEBUG, "nobody asked");
    assertThat(logged())
        .matches("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z WARN {2}engine: the sweep is late\\R");
  }

  @Test
  void bracesInMessagesAreKept() {
    Logs.to(out, Logs.Format.TEXT, "info");
    LOG.log(System.Logger.Level.WARNING, "asked for {0}", "{\"filter\":{}}");
    assertThat(logged()).endsWith("asked for {\"filter\":{}}\n");
  }

  @Test
  void theJsonFormatHasTheSameContent() {
    Logs.to(out, Logs.Format.JSON, "info");
    LOG.log(System.Logger.Level.ERROR, "it \"broke\"", new IOException("no\nroom"));
    dev.mayfly.value.Document line = line("it \"broke\"");
    assertThat(line.field("level").asString()).isEqualTo("ERROR");
    assertThat(line.field("logger").asString()).isEqualTo("dev.mayfly.engine.Test");
    assertThat(line.field("thrown").asString()).contains("java.io.IOException", "no\nroom");
  }

  @Test
  void earlierLogStreamsStayOpen() {
    AtomicBoolean closed = new AtomicBoolean();
    Logs.to(
        new ByteArrayOutputStream() {
          @Override
          public void close() {
            closed.set(true);
          }
        },
        Logs.Format.TEXT,
        "info");
    Logs.to(out, Logs.Format.TEXT, "info");
    LOG.log(System.Logger.Level.INFO, "here");
    assertThat(closed).isFalse();
    assertThat(logged()).contains("here");
  }

  @Test
  void librariesLogOnlyWarnings() {
    Logs.to(out, Logs.Format.TEXT, "trace");
    System.Logger library = System.getLogger("io.netty.Test");
    library.log(System.Logger.Level.INFO, "chatter");
    library.log(System.Logger.Level.WARNING, "careful");
    assertThat(logged()).doesNotContain("chatter").contains("io.netty.Test: careful");
  }

  @Test
  void slowFindsAreLoggedWithPlanAndWithoutValues() {
    Logs.to(out, Logs.Format.JSON, "info");
    try (Server server = Server.open(slow(0));
        MongoClient client = MongoClients.create(server.mongo().connectionString())) {
      MongoDatabase shop = client.getDatabase("shop");
      shop.getCollection("carts").insertMany(List.of(cart("ada", 1), cart("bob", 2)));
      shop.getCollection("carts").find(new Document("user", "ada-lovelace")).first();
    }
    dev.mayfly.value.Document details = slowest("find");
    assertThat(details.field("namespace").asString()).isEqualTo("shop.carts");
    assertThat(details.field("plan").asString()).isEqualTo("COLLSCAN");
    assertThat(details.field("documentsExamined").asLong()).isEqualTo(2);
    assertThat(details.field("shape").asDocument().field("filter").toString())
        .isEqualTo("{\"user\":\"?\"}");
    assertThat(logged()).doesNotContain("ada-lovelace");
  }

  private static ServerSettings slow(int millis) {
    ServerSettings settings =
        ServerSettings.inMemory()
            .withCosmos(CosmosSettings.standard(() -> NOW).withAddress("127.0.0.1", 0));
    CommandSettings work = CommandSettings.STANDARD.withSlowMillis(millis);
    return settings.withMongo(settings.mongo().withWork(work));
  }

  private static Document cart(String user, int items) {
    return new Document("user", user).append("items", items);
  }

  private dev.mayfly.value.Document slowest(String operation) {
    return logged()
        .lines()
        .map(line -> Json.parse(line, Limits.MONGO).field("details"))
        .filter(details -> details.isDocument())
        .map(details -> details.asDocument())
        .filter(details -> details.field("operation").asString().equals(operation))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no such line in " + logged()));
  }

  @Test
  void fastOperationsAreNotLogged() {
    Logs.to(out, Logs.Format.JSON, "info");
    try (Server server = Server.open(slow(Integer.MAX_VALUE));
        MongoClient client = MongoClients.create(server.mongo().connectionString())) {
      client.getDatabase("shop").getCollection("carts").insertOne(cart("ada", 1));
    }
    assertThat(logged()).doesNotContain("slow operation");
  }

  @Test
  void slowCosmosQueriesAreLoggedWithoutValues() throws Exception {
    Logs.to(out, Logs.Format.JSON, "info");
    try (Server server = Server.open(slow(0))) {
      String query =
          "{\"query\":\"SELECT * FROM c WHERE c.user = 'ada-lovelace' AND c.age > 41.5\"}";
      query(server, MasterKey.WELL_KNOWN, query);
    }
    dev.mayfly.value.Document details = slowest("query");
    assertThat(details.field("door").asString()).isEqualTo("cosmos");
    assertThat(details.field("namespace").asString()).isEqualTo("shop.carts");
    assertThat(details.field("status").asLong()).isEqualTo(404);
    assertThat(details.field("shape").asString())
        .isEqualTo("SELECT * FROM c WHERE c.user = ? AND c.age > ?");
    assertThat(logged()).doesNotContain("ada-lovelace", "41.5");
  }

  private static void query(Server server, String key, String query) throws Exception {
    String url = server.cosmos().orElseThrow().endpoint().replace("https:", "http:");
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url + "dbs/shop/colls/carts/docs"))
              .headers(Signature.of(key, NOW, "POST", "docs", "dbs/shop/colls/carts"))
              .headers("content-type", "application/query+json", "x-ms-documentdb-isquery", "true")
              .POST(HttpRequest.BodyPublishers.ofString(query))
              .build();
      client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }

  /** Log level trace, all requests logged as slow, successful and failed logins at both doors. */
  @Test
  void secretsAreNeverLogged() throws Exception {
    byte[] random = new byte[64];
    Arrays.fill(random, (byte) 0x5A);
    String key = Base64.getEncoder().encodeToString(random);
    String password = "Tr0ub4dor-and-3";
    Logs.to(out, Logs.Format.TEXT, "trace");
    ServerSettings settings = slow(0);
    ServerSettings own = settings.withCosmos(settings.cosmos().orElseThrow().withKey(key));
    try (Server server = Server.open(own)) {
      String address = server.mongo().connectionString();
      try (MongoClient client = MongoClients.create(address)) {
        client.getDatabase("admin").runCommand(user("createUser", "ada", password));
        client.getDatabase("admin").runCommand(user("updateUser", "ada", password));
        assertThatThrownBy(
                () -> client.getDatabase("admin").runCommand(user("createUser", "ada", password)))
            .isInstanceOf(MongoException.class);
      }
      login(address, password);
      assertThatThrownBy(() -> login(address, password + "-wrong"))
          .isInstanceOf(MongoException.class);
      query(server, key, "{\"query\":\"SELECT 1\"}");
      query(server, MasterKey.WELL_KNOWN, "{\"query\":\"SELECT 1\"}");
    }
    assertThat(logged())
        .contains("saslContinue", "createUser", "query")
        .doesNotContain(password, key, MasterKey.WELL_KNOWN, "sig%3D", "sig=", "payload", "biws")
        .doesNotContain(Base64.getEncoder().encodeToString("n,,n=ada".getBytes(UTF_8)));
  }

  private static Document user(String command, String name, String password) {
    return new Document(command, name).append("pwd", password).append("roles", List.of("root"));
  }

  private static void login(String address, String password) {
    String uri = address.replace("mongodb://", "mongodb://ada:" + password + "@");
    try (MongoClient client =
        MongoClients.create(uri + "&authSource=admin&serverSelectionTimeoutMS=10000")) {
      client.getDatabase("admin").runCommand(new Document("ping", 1));
    }
  }
}
