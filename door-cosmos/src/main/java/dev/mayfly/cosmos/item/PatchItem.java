package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;

/** {@code PATCH .../docs/id}: patches an item; 200, 404 or 412. */
public final class PatchItem implements Endpoint {
  private final Items items;

  public PatchItem(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    Container container = items.container(exchange);
    byte[] body = exchange.request().body();
    if (body.length > ItemBody.MAX_BYTES) {
      throw ItemBody.tooLarge();
    }
    Value form = Json.parseValue(body, Limits.COSMOS);
    Patch patch = Patch.parse(form, container, exchange.now());
    DocumentKey key = Items.key(exchange, container);
    long version = Items.requiredVersion(exchange.request());
    return items.run(exchange, container, new ItemOperation.Change(key, patch, version));
  }
}
