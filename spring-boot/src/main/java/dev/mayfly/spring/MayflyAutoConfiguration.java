package dev.mayfly.spring;

import com.azure.cosmos.CosmosClientBuilder;
import com.mongodb.ConnectionString;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;

/**
 * Autoconfiguration: a server, its clock, and connections to it for the libraries that the
 * application has.
 */
@AutoConfiguration(
    beforeName = "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration")
@ConditionalOnBooleanProperty(name = "mayfly.enabled", matchIfMissing = true)
@EnableConfigurationProperties(MayflyProperties.class)
public final class MayflyAutoConfiguration {
  @Bean
  MayflyServer mayflyServer(MayflyProperties properties) {
    return MayflyServer.start(properties);
  }

  /** Also the application's {@code java.time.Clock}, unless it has its own. */
  @Bean
  @Fallback
  MayflyClock mayflyClock(MayflyServer server) {
    return server.clock();
  }

  /** Connects Spring's MongoDB clients. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({MongoConnectionDetails.class, ConnectionString.class})
  static class Mongo {
    @Bean
    @ConditionalOnMissingBean(MongoConnectionDetails.class)
    MongoConnectionDetails mayflyMongoConnectionDetails(MayflyServer server) {
      // the database of applications that name none
      String address = server.mongo().replace("/?", "/test?");
      return () -> new ConnectionString(address);
    }
  }

  /** Connects Cosmos DB clients that applications build from the builder bean. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(CosmosClientBuilder.class)
  static class Cosmos {
    /** Lets the SDK connect without TLS. */
    private static final String PLAIN_HTTP = "COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED";

    @Bean
    @ConditionalOnMissingBean
    CosmosClientBuilder mayflyCosmosClientBuilder(MayflyServer server) {
      System.setProperty(PLAIN_HTTP, "true");
      return new CosmosClientBuilder()
          .endpoint(server.cosmos())
          .key(server.cosmosKey())
          .gatewayMode();
    }
  }
}
