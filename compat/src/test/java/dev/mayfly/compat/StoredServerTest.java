package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.PartitionKey;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Serves kept directories, as {@code StoredFormatsTest} opens them: what the doors store. A server
 * was filled by a seed, {@code mayfly users add} and the Node SDK, and killed.
 */
final class StoredServerTest {
  private static final String KEPT = "/formats/server-2.zip";
  private static final int UNAUTHORIZED = 13;
  private static final int AUTHENTICATION_FAILED = 18;
  private static final int VALIDATION_FAILED = 121;
  private static final int DUPLICATE_KEY = 11_000;

  @TempDir private Path directory;

  private ServerProcess open(String... options) throws IOException {
    InputStream resource = Objects.requireNonNull(StoredServerTest.class.getResourceAsStream(KEPT));
    try (ZipInputStream zip = new ZipInputStream(resource)) {
      for (ZipEntry each = zip.getNextEntry(); each != null; each = zip.getNextEntry()) {
        Files.copy(zip, directory.resolve(each.getName()));
      }
    }
    return ServerProcess.on(directory, options);
  }

  /** Uses the database after a login. */
  private static void as(
      ServerProcess server,
      String user,
      String database,
      String password,
      Consumer<MongoDatabase> use) {
    MongoCredential login =
        MongoCredential.createCredential(user, database, password.toCharArray());
    try (MongoClient client = MongoClients.create(server.settings().credential(login).build())) {
      use.accept(client.getDatabase("shop"));
    }
  }

  private static void assertCode(int code, Runnable refused) {
    assertThatThrownBy(refused::run)
        .satisfies(
            failure ->
                assertThat(
                        failure.getCause() instanceof MongoException cause
                            ? cause.getCode()
                            : ((MongoException) failure).getCode())
                    .as(failure.toString())
                    .isEqualTo(code));
  }

  @Test
  void usersViewsAndOptionsOfCollectionsAreThere() throws IOException {
    try (ServerProcess server = open("--auth", "always")) {
      as(
          server,
          "ada",
          "admin",
          "pass word",
          shop -> {
            MongoCollection<Document> people = shop.getCollection("people");
            assertThat(people.countDocuments()).isEqualTo(2);
            assertThat(shop.getCollection("adults").find())
                .extracting(adult -> adult.get("_id"))
                .containsExactly(1);
            assertCode(VALIDATION_FAILED, () -> people.insertOne(new Document("name", 5)));
            assertCode(DUPLICATE_KEY, () -> people.insertOne(new Document("name", "ADA")));
          });
      as(
          server,
          "eve",
          "shop",
          "pass word",
          shop -> {
            MongoCollection<Document> people = shop.getCollection("people");
            assertThat(people.find(new Document("name", "BOB"))).hasSize(1);
            assertCode(UNAUTHORIZED, () -> people.insertOne(new Document("name", "Cy")));
          });
      assertCode(
          AUTHENTICATION_FAILED,
          () -> as(server, "ada", "admin", "no", shop -> shop.runCommand(new Document("ping", 1))));
    }
  }

  @Test
  void containersAndTheirDefinitionsAreThere() throws IOException {
    try (ServerProcess server = open();
        CosmosClient client = server.cosmosClientBuilder().buildClient()) {
      CosmosDatabase web = client.getDatabase("web");
      CosmosContainer sessions = web.getContainer("sessions");
      assertThat(sessions.read().getProperties().getDefaultTimeToLiveInSeconds())
          .isEqualTo(Integer.MAX_VALUE);
      Map<?, ?> item = sessions.readItem("1", new PartitionKey("ada"), Map.class).getItem();
      assertThat(item.get("code")).isEqualTo("a");
      assertThatThrownBy(() -> sessions.createItem(Map.of("id", "2", "user", "ada", "code", "a")))
          .isInstanceOfSatisfying(
              CosmosException.class,
              conflict -> assertThat(conflict.getStatusCode()).isEqualTo(409));
      assertThat(web.getContainer("limited").readThroughput().getProperties().getManualThroughput())
          .isEqualTo(700);
      assertThat(web.getUser("reader").read().getProperties().getId()).isEqualTo("reader");
    }
  }
}
