package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.http.Reply;

/** {@code POST .../docs}: creates an item; 201, or 409 if the id exists. */
public final class CreateItem implements Endpoint {
  private final Items items;

  public CreateItem(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    Container container = items.container(exchange);
    return items.run(
        exchange, container, new ItemOperation.Create(Items.item(exchange, container)));
  }
}
