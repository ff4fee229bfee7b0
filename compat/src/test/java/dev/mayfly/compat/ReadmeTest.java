package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Compiles and runs the Cosmos DB example of the README, on the system clock. */
final class ReadmeTest {
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @AutoClose private static final ServerProcess SERVER = ServerProcess.inMemory();

  @Test
  void exampleRuns() {
    example(SERVER.cosmosEndpoint(), SERVER.cosmosKey());
  }

  /** Runs it on a server without this database. */
  static void example(String endpoint, String key) {
    ServerProcess.acceptSelfSignedCertificates();
    try (CosmosClient client =
        new CosmosClientBuilder().endpoint(endpoint).key(key).gatewayMode().buildClient()) {
      client.createDatabaseIfNotExists("shop");
      CosmosDatabase shop = client.getDatabase("shop");
      CosmosContainerProperties carts = new CosmosContainerProperties("carts", "/customer");
      shop.createContainerIfNotExists(carts.setDefaultTimeToLiveInSeconds(10));

      CosmosContainer container = shop.getContainer("carts");
      container.createItem(Map.of("id", "1", "customer", "ada"));
      container.createItem(Map.of("id", "2", "customer", "bob", "ttl", -1)); // never expires
      List<String> customers =
          container
              .queryItems(
                  "SELECT VALUE c.customer FROM c", new CosmosQueryRequestOptions(), String.class)
              .stream()
              .toList(); // ada and bob; ten seconds later bob alone
      assertThat(customers).containsExactlyInAnyOrder("ada", "bob");
      Eventually.holds(
          "ada's cart has expired",
          () ->
              container
                      .queryItems(
                          "SELECT * FROM c", new CosmosQueryRequestOptions(), JsonNode.class)
                      .stream()
                      .count()
                  == 1);
    }
  }

  @Test
  void exampleIsInTheReadme() throws Exception {
    String here = Files.readString(Path.of("src/test/java/dev/mayfly/compat/ReadmeTest.java"));
    Stream<String> examples =
        EXAMPLE
            .matcher(Files.readString(Path.of("../README.md")))
            .results()
            // without the closing brace: the test continues there
            .map(example -> example.group(1).stripTrailing())
            .map(example -> example.substring(0, example.length() - 1))
            .map(example -> example.indent(4).replaceAll("(?m)^ +$", "").stripTrailing());
    assertThat(examples).anyMatch(here::contains);
  }
}
