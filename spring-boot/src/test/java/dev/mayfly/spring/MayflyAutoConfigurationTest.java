package dev.mayfly.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PartitionKey;
import com.mongodb.client.MongoClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.core.MongoTemplate;

final class MayflyAutoConfigurationTest {
  /** An application that knows nothing of Mayfly. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Plain {}

  /** An application with its own clock. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class WithClock {
    @Bean
    Clock ownClock() {
      return Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    }
  }

  private static ConfigurableApplicationContext run(Class<?> application, String... properties) {
    return new SpringApplicationBuilder(application)
        .web(WebApplicationType.NONE)
        // as options, because the build sets the system property mayfly.seed for random tests
        .run(Arrays.stream(properties).map("--"::concat).toArray(String[]::new));
  }

  @Test
  void anApplicationUsesTheServerAndItsClock() {
    String address;
    try (ConfigurableApplicationContext context = run(Plain.class)) {
      MayflyClock clock = context.getBean(MayflyClock.class);
      assertThat(context.getBean(Clock.class)).isSameAs(clock);
      assertThat(context.getBean(MongoTemplate.class).getDb().getName()).isEqualTo("test");
      address = context.getBean(MayflyServer.class).mongo();
      Instant before = clock.instant();
      assertThat(clock.instant()).isEqualTo(before);
      assertThat(clock.advance(Duration.ofDays(400))).isEqualTo(before.plus(Duration.ofDays(400)));
      Instant later = before.plus(Duration.ofDays(500));
      assertThat(clock.set(later)).isEqualTo(later);
      assertThat(clock.withZone(ZoneId.of("Asia/Tokyo")).instant()).isEqualTo(later);
      assertThatThrownBy(() -> clock.set(before)).isInstanceOf(IllegalArgumentException.class);
      MongoClient client = context.getBean(MongoClient.class);
      Document time = client.getDatabase("admin").runCommand(new Document("mayflyClock", 1));
      assertThat(time.getDate("now").toInstant()).isEqualTo(later);
    }
    try (ConfigurableApplicationContext other = run(Plain.class)) {
      assertThat(other.getBean(MayflyServer.class).mongo()).isNotEqualTo(address);
    }
  }

  @Test
  void theBuilderBeanConnectsTheCosmosSdk() {
    try (ConfigurableApplicationContext context = run(Plain.class);
        CosmosClient client = context.getBean(CosmosClientBuilder.class).buildClient()) {
      client.createDatabaseIfNotExists("shop");
      CosmosContainerProperties carts = new CosmosContainerProperties("carts", "/user");
      carts.setDefaultTimeToLiveInSeconds(1800);
      client.getDatabase("shop").createContainer(carts);
      CosmosContainer container = client.getDatabase("shop").getContainer("carts");
      container.createItem(new LinkedHashMap<>(Map.of("id", "1", "user", "ada")));
      MayflyClock clock = context.getBean(MayflyClock.class);
      clock.advance(Duration.ofMinutes(29));
      assertThat(container.readItem("1", new PartitionKey("ada"), Map.class).getItem().get("user"))
          .isEqualTo("ada");
      clock.advance(Duration.ofMinutes(1));
      assertThatThrownBy(() -> container.readItem("1", new PartitionKey("ada"), Map.class))
          .isInstanceOf(CosmosException.class)
          .hasMessageContaining("404");
    }
  }

  @Test
  void anOffsetClockGoesOn() {
    try (ConfigurableApplicationContext context = run(Plain.class, "mayfly.clock=offset")) {
      MayflyClock clock = context.getBean(MayflyClock.class);
      Instant moved = clock.advance(Duration.ofDays(1));
      while (!clock.instant().isAfter(moved)) {
        Thread.onSpinWait();
      }
      assertThat(clock.instant()).isAfter(moved);
    }
  }

  @Test
  void anApplicationKeepsItsOwnClock() {
    try (ConfigurableApplicationContext context = run(WithClock.class)) {
      assertThat(context.getBean(Clock.class).instant()).isEqualTo(Instant.EPOCH);
      assertThat(context.getBean(MayflyClock.class).instant()).isAfter(Instant.EPOCH);
    }
  }

  @Test
  void aSeedFillsTheServer(@TempDir Path seed) throws Exception {
    Path web = Files.createDirectories(seed.resolve("mongo/web"));
    Files.writeString(web.resolve("users.jsonl"), "{\"_id\": 1, \"name\": \"ada\"}\n");
    try (ConfigurableApplicationContext context =
        run(Plain.class, "mayfly.seed=" + seed, "spring.mongodb.database=web")) {
      assertThat(context.getBean(MayflyProperties.class).seed()).isEqualTo(seed);
      MongoTemplate mongo = context.getBean(MongoTemplate.class);
      assertThat(mongo.getDb().getName()).isEqualTo("web");
      assertThat(mongo.getCollection("users").countDocuments()).isEqualTo(1);
    }
  }

  @Test
  void aPropertyDisablesIt() {
    try (ConfigurableApplicationContext context = run(Plain.class, "mayfly.enabled=false")) {
      assertThat(context.getBeanNamesForType(MayflyServer.class)).isEmpty();
      assertThat(context.getBean(MongoConnectionDetails.class).getConnectionString().getHosts())
          .containsExactly("localhost");
    }
  }
}
