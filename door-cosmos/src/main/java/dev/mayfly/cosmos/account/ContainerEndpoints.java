package dev.mayfly.cosmos.account;

import dev.mayfly.cosmos.container.ComputedProperties;
import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.ContainerDefinition;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.container.Database;
import dev.mayfly.cosmos.container.FullTextPolicies;
import dev.mayfly.cosmos.container.PartitionKeyPaths;
import dev.mayfly.cosmos.container.SpatialPolicies;
import dev.mayfly.cosmos.container.VectorPolicies;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;

/** Endpoints of containers. Safe for many threads. */
public final class ContainerEndpoints {
  private static final String FEED = "DocumentCollections";
  private static final int OWNER_MISSING = 1003;

  /** Version of the protocol that introduced system partition keys. */
  private static final String SYSTEM_KEYS_SINCE = "2018-12-31";

  private final Containers containers;
  private final Offers offers;
  private final Selection selection;

  public ContainerEndpoints(Containers containers, Offers offers, Selection selection) {
    this.containers = containers;
    this.offers = offers;
    this.selection = selection;
  }

  public Reply create(Exchange exchange) {
    Database database = database(exchange);
    Document body = AccountBodies.of(exchange);
    PartitionKeyPaths.check(body);
    ContainerDefinition definition = ContainerDefinition.of(body);
    SpatialPolicies.check(body);
    ComputedProperties.check(definition);
    VectorPolicies.check(definition);
    FullTextPolicies.check(definition);
    Throughput own = Throughput.requested(exchange.request());
    Throughput shared = offers.shared(database);
    Throughput limit = own.limited() ? own : shared;
    Container container =
        containers.create(database, definition, limit.perSecond(), exchange.now());
    if (limit.limited()) {
      offers.create(container.rid(), container.self(), own);
    } else {
      offers.createDefault(container.rid(), container.self());
    }
    return located(
        AccountBodies.written(exchange, AccountBodies.CREATED, resource(exchange, container)),
        container);
  }

  public Reply read(Exchange exchange) {
    Container container = find(exchange);
    Document resource = resource(exchange, container);
    if (exchange.request().isTrue(HeaderNames.POPULATE_STATISTICS)) {
      resource = Quota.withStatistics(exchange, container, resource);
    }
    Reply reply = located(AccountBodies.read(exchange, resource), container);
    if (exchange.request().isTrue(HeaderNames.POPULATE_QUOTA)) {
      Quota.report(exchange, container, reply);
    }
    return reply;
  }

  /**
   * Replaces the definition of a container, unless that would expire more items than the client
   * allows. The reply reports how many items have expired.
   */
  public Reply replace(Exchange exchange) {
    Container old = find(exchange);
    AccountBodies.checkExpected(exchange, old.etag());
    Document body = AccountBodies.of(exchange);
    ContainerDefinition definition = old.redefined(body);
    SpatialPolicies.check(body);
    ComputedProperties.check(definition);
    VectorPolicies.check(definition);
    FullTextPolicies.check(definition);
    Containers.Replaced replaced =
        containers.replace(old, definition, maxExpired(exchange), exchange.now());
    Container container = replaced.container();
    return located(
            AccountBodies.written(exchange, AccountBodies.OK, resource(exchange, container)),
            container)
        .header(HeaderNames.EXPIRE_NOW, Long.toString(replaced.expired().documents()));
  }

  private static long maxExpired(Exchange exchange) {
    String text = exchange.request().header(HeaderNames.MAX_EXPIRE_NOW);
    if (text == null) {
      return ExpiryService.NO_LIMIT;
    }
    try {
      return Math.max(0, Long.parseLong(text.strip()));
    } catch (NumberFormatException invalid) {
      throw CosmosException.wrong(HeaderNames.MAX_EXPIRE_NOW + " must be a number of items.");
    }
  }

  public Reply delete(Exchange exchange) {
    Container container = find(exchange);
    AccountBodies.checkExpected(exchange, container.etag());
    containers.delete(container);
    offers.remove(container.rid());
    return AccountBodies.deleted(exchange);
  }

  public Reply list(Exchange exchange) {
    Database database = database(exchange);
    return AccountBodies.list(exchange, database.rid().text(), FEED, all(exchange, database));
  }

  public Reply query(Exchange exchange) {
    Database database = database(exchange);
    List<Value> found =
        selection.select(AccountBodies.of(exchange), all(exchange, database), exchange.now());
    return AccountBodies.results(exchange, database.rid().text(), FEED, found);
  }

  private List<Document> all(Exchange exchange, Database database) {
    return containers.containers(database).stream()
        .map(container -> resource(exchange, container))
        .toList();
  }

  /** Returns the container; a system partition key is shown only to clients that know such keys. */
  private static Document resource(Exchange exchange, Container container) {
    String version = exchange.request().header(HeaderNames.VERSION);
    boolean older = version != null && version.compareTo(SYSTEM_KEYS_SINCE) < 0;
    return older && container.partitionKey().system()
        ? container.withoutPartitionKey()
        : container.resource();
  }

  private Database database(Exchange exchange) {
    return containers
        .database(exchange.address())
        .orElseThrow(
            () ->
                new CosmosException(
                    Status.NOT_FOUND,
                    OWNER_MISSING,
                    CosmosException.errors("Owner resource does not exist")));
  }

  private Container find(Exchange exchange) {
    return containers.container(exchange.address()).orElseThrow(CosmosException::notFound);
  }

  /** Adds the headers for the container's path and its index progress. */
  private static Reply located(Reply reply, Container container) {
    reply
        .header(HeaderNames.CONTENT_PATH, container.database().rid().text())
        .header(HeaderNames.ALT_CONTENT_PATH, container.database().link());
    Quota.reportProgress(container, reply);
    return reply;
  }
}
