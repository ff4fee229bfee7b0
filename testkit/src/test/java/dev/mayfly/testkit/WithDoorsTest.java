package dev.mayfly.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WithDoorsTest {
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();

  @Test
  void aSessionIsGoneAfterHalfAnHour() {
    try (MongoClient client = MongoClients.create(mayfly.mongo())) {
      MongoCollection<Document> sessions = client.getDatabase("web").getCollection("sessions");
      sessions.createIndex(
          Indexes.ascending("at"), new IndexOptions().expireAfter(30L, TimeUnit.MINUTES));
      sessions.insertOne(
          new Document("user", "ada").append("at", Instant.ofEpochMilli(mayfly.clock().now())));

      mayfly.advance(Duration.ofMinutes(30).minusMillis(1));
      assertThat(sessions.countDocuments()).isEqualTo(1);
      mayfly.advance(Duration.ofMillis(1));
      assertThat(sessions.countDocuments()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "../README.md"})
  void theExampleIsInTheReadme(Path readme) throws Exception {
    String here = Files.readString(Path.of("src/test/java/dev/mayfly/testkit/WithDoorsTest.java"));
    Stream<String> examples =
        EXAMPLE
            .matcher(Files.readString(readme))
            .results()
            .map(example -> example.group(1).indent(2).replaceAll("(?m)^ +$", ""));
    assertThat(examples).anyMatch(here::contains);
  }

  @Test
  void theCosmosDoorIsOpen() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> unsigned =
          client.send(
              HttpRequest.newBuilder(URI.create(mayfly.cosmos())).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(unsigned.statusCode()).isEqualTo(401);
      assertThat(mayfly.cosmosKey()).endsWith("==");
    }
  }
}
