package dev.mayfly.cosmos.account;

import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.container.Database;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.Names;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import java.util.List;

/** Endpoints of databases. */
public final class Databases {
  private static final String FEED = "Databases";

  private final Containers containers;
  private final Offers offers;
  private final Selection selection;

  public Databases(Containers containers, Offers offers, Selection selection) {
    this.containers = containers;
    this.offers = offers;
    this.selection = selection;
  }

  public Reply create(Exchange exchange) {
    String id = Names.of(AccountBodies.of(exchange));
    Throughput throughput = Throughput.requested(exchange.request());
    Database database = containers.create(id);
    offers.create(database.rid(), database.self(), throughput);
    return AccountBodies.written(exchange, AccountBodies.CREATED, database.resource());
  }

  public Reply read(Exchange exchange) {
    return AccountBodies.read(exchange, find(exchange).resource());
  }

  public Reply list(Exchange exchange) {
    return AccountBodies.list(exchange, "", FEED, all());
  }

  public Reply query(Exchange exchange) {
    return AccountBodies.results(
        exchange, "", FEED, selection.select(AccountBodies.of(exchange), all(), exchange.now()));
  }

  private List<Document> all() {
    return containers.databases().stream().map(Database::resource).toList();
  }

  public Reply delete(Exchange exchange) {
    Database database = find(exchange);
    containers.containers(database).forEach(container -> offers.remove(container.rid()));
    containers.delete(database);
    offers.remove(database.rid());
    return AccountBodies.deleted(exchange);
  }

  private Database find(Exchange exchange) {
    return containers.database(exchange.address()).orElseThrow(CosmosException::notFound);
  }
}
