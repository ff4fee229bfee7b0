package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.http.Reply;

/** {@code POST .../docs} as an upsert: puts an item; 201 when it is new, 200 when not. */
public final class UpsertItem implements Endpoint {
  private final Items items;

  public UpsertItem(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    Container container = items.writable(exchange);
    long version = Items.demanded(exchange.request());
    return items.run(
        exchange, container, new ItemOperation.Upsert(Items.item(exchange, container), version));
  }
}
