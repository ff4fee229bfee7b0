package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The Java SDK in direct mode, which is its default: it fails at once and names the remedy. */
final class DirectModeTest {
  @Test
  void directModeIsRefusedWithASentenceThatNamesGatewayMode() {
    try (ServerProcess server = ServerProcess.inMemory();
        CosmosClient client = server.cosmosClientBuilder().directMode().buildClient()) {
      assertThatThrownBy(() -> createItem(client))
          .isInstanceOf(CosmosException.class)
          .hasMessageContaining("select gateway mode");
    }
  }

  private static void createItem(CosmosClient client) {
    client.createDatabaseIfNotExists("shop");
    client.getDatabase("shop").createContainerIfNotExists("carts", "/customer");
    CosmosContainer carts = client.getDatabase("shop").getContainer("carts");
    carts.createItem(Map.of("id", "1", "customer", "ada"));
  }
}
