package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.http.Reply;

/** {@code POST .../docs} as an upsert: 201 if the item is created, 200 if it is replaced. */
public final class UpsertItem implements Endpoint {
  private final Items items;

  public UpsertItem(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    Container container = items.container(exchange);
    long version = Items.requiredVersion(exchange.request());
    return items.run(
        exchange, container, new ItemOperation.Upsert(Items.item(exchange, container), version));
  }
}
