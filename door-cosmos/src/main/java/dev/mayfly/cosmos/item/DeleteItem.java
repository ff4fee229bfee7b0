package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.http.Reply;

/** {@code DELETE .../docs/id}: deletes an item; 204, 404 or 412. */
public final class DeleteItem implements Endpoint {
  private final Items items;

  public DeleteItem(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    Container container = items.container(exchange);
    long version = Items.requiredVersion(exchange.request());
    return items.run(
        exchange, container, new ItemOperation.Delete(Items.key(exchange, container), version));
  }
}
