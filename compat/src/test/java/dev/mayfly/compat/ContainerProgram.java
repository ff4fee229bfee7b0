package dev.mayfly.compat;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import org.bson.Document;
import org.testcontainers.containers.CosmosDBEmulatorContainer;
import org.testcontainers.mongodb.MongoDBContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Uses the modules of Testcontainers as a test would, with an image of Mayfly. A program of its
 * own, because Testcontainers reads its settings from the environment.
 */
public final class ContainerProgram {
  private static final String COSMOS = "mcr.microsoft.com/cosmosdb/linux/azure-cosmos-emulator";

  private ContainerProgram() {}

  /** Runs the program. */
  public static void main(String[] arguments) throws Exception {
    mongo(new MongoDBContainer(image("mongo")).withCommand("--emulator"));
    mongo(new MongoDBContainer(image("mongo")).withReplicaSet());
    cosmos();
    System.exit(0);
  }

  private static DockerImageName image(String replaced) {
    return DockerImageName.parse("mayfly:latest").asCompatibleSubstituteFor(replaced);
  }

  private static void mongo(MongoDBContainer container) {
    try (container) {
      container.start();
      try (MongoClient client = MongoClients.create(container.getReplicaSetUrl("shop"))) {
        var carts = client.getDatabase("shop").getCollection("carts");
        carts.insertOne(new Document("_id", 1));
        String set =
            client.getDatabase("admin").runCommand(new Document("hello", 1)).getString("setName");
        System.out.println("mongo: " + carts.countDocuments() + " in set " + set);
      }
    }
  }

  private static void cosmos() throws Exception {
    try (CosmosDBEmulatorContainer container =
        new CosmosDBEmulatorContainer(image(COSMOS)).withCommand("--emulator")) {
      container.start();
      // as the documentation of the module recommends
      KeyStore trusted = container.buildNewKeyStore();
      Path file = Files.createTempFile("emulator", ".p12");
      try (var out = Files.newOutputStream(file)) {
        trusted.store(out, container.getEmulatorKey().toCharArray());
      }
      System.setProperty("javax.net.ssl.trustStore", file.toString());
      System.setProperty("javax.net.ssl.trustStorePassword", container.getEmulatorKey());
      System.setProperty("javax.net.ssl.trustStoreType", "PKCS12");
      try (CosmosClient client =
          new CosmosClientBuilder()
              .endpoint(container.getEmulatorEndpoint())
              .key(container.getEmulatorKey())
              .gatewayMode()
              .buildClient()) {
        client.createDatabaseIfNotExists("shop");
        System.out.println("cosmos: " + client.getDatabase("shop").read().getProperties().getId());
      } finally {
        Files.delete(file);
      }
    }
  }
}
