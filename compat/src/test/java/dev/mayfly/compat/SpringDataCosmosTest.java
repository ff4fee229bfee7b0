package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosClientBuilder;
import com.azure.spring.data.cosmos.config.AbstractCosmosConfiguration;
import com.azure.spring.data.cosmos.core.mapping.Container;
import com.azure.spring.data.cosmos.core.mapping.PartitionKey;
import com.azure.spring.data.cosmos.repository.CosmosRepository;
import com.azure.spring.data.cosmos.repository.config.EnableCosmosRepositories;
import com.mongodb.client.MongoClient;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;

/** Spring Data for Azure Cosmos DB: the TTL of a container is an annotation. */
final class SpringDataCosmosTest {
  @AutoClose private static final ServerProcess SERVER = ServerProcess.inMemory("--test-clock");
  @AutoClose private static final MongoClient CLOCK = SERVER.client();

  /** A basket that expires a minute after its last write. */
  @Container(containerName = "baskets", timeToLive = 60)
  static class Basket {
    @Id private String id = "";
    @PartitionKey private String user = "";
    private int items;

    Basket() {}

    Basket(String id, String user, int items) {
      this.id = id;
      this.user = user;
      this.items = items;
    }

    public String getId() {
      return id;
    }

    public void setId(String id) {
      this.id = id;
    }

    public String getUser() {
      return user;
    }

    public void setUser(String user) {
      this.user = user;
    }

    public int getItems() {
      return items;
    }

    public void setItems(int items) {
      this.items = items;
    }
  }

  interface Baskets extends CosmosRepository<Basket, String> {
    List<Basket> findByItemsGreaterThan(int items);
  }

  @Configuration
  @EnableCosmosRepositories(considerNestedRepositories = true)
  static class Settings extends AbstractCosmosConfiguration {
    @Bean
    CosmosClientBuilder client() {
      return SERVER.cosmosClientBuilder();
    }

    @Override
    protected String getDatabaseName() {
      return "spring";
    }
  }

  @Test
  void itemsExpireAMinuteAfterTheirLastWrite() {
    try (var context = new AnnotationConfigApplicationContext(Settings.class)) {
      Baskets baskets = context.getBean(Baskets.class);
      baskets.save(new Basket("1", "ada", 1));
      baskets.save(new Basket("2", "bob", 5));
      assertThat(baskets.findByItemsGreaterThan(2)).extracting(Basket::getId).containsExactly("2");
      ServerProcess.advance(CLOCK, 59_000);
      baskets.save(new Basket("2", "bob", 6));
      ServerProcess.advance(CLOCK, 1_000);
      assertThat(baskets.count()).isEqualTo(1);
      assertThat(baskets.findById("2")).get().extracting(Basket::getItems).isEqualTo(6);
      ServerProcess.advance(CLOCK, 59_000);
      assertThat(baskets.findAll()).isEmpty();
    }
  }
}
