package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.http.Reply;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.Refusal;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.value.Document;

/**
 * {@code .../docs/id/attachments}: there are none. The list of them is empty; making one is refused
 * with a sentence that says so.
 */
public final class Attachments implements Endpoint {
  private final Items items;

  public Attachments(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    Container container = items.container(exchange);
    boolean reads = exchange.request().method().equals("GET");
    if (!reads) {
      throw new Refusal(
          Status.NOT_IMPLEMENTED,
          Refusal.errors(
              "Attachments are not supported: keep the media elsewhere and its link here."));
    }
    if (!exchange.address().feed()) {
      throw Refusal.notFound();
    }
    Document none =
        Document.writer()
            .put("_rid", container.rid().text())
            .startArray("Attachments")
            .end()
            .put("_count", 0)
            .build();
    return new Reply(ItemOperation.Done.OK).body(ItemForm.json(none));
  }
}
