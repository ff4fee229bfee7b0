package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;

/**
 * {@code PUT .../docs/id}: replaces an item; 200, 404 or 412. The new item may have another id; 409
 * if that exists.
 */
public final class ReplaceItem implements Endpoint {
  private final Items items;

  public ReplaceItem(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    Container container = items.container(exchange);
    DocumentKey key = Items.key(exchange, container);
    Document item = ItemBody.parse(exchange.request().body());
    PartitionKeys.check(container, item, key.partition());
    long version = Items.requiredVersion(exchange.request());
    return items.run(exchange, container, ItemOperation.replace(key, item, version));
  }
}
