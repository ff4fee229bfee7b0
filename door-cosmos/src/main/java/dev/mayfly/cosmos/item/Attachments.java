package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.http.Reply;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.Refusal;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.value.Document;

/** {@code .../docs/id/attachments}: there are none, and making one is refused with a sentence. */
public final class Attachments {
  private final Items items;

  public Attachments(Items items) {
    this.items = items;
  }

  /** An empty list. */
  public Reply list(Exchange exchange) {
    Container container = items.container(exchange);
    Document none =
        Document.writer()
            .put("_rid", container.rid().text())
            .startArray("Attachments")
            .end()
            .put("_count", 0)
            .build();
    return new Reply(ItemOperation.Done.OK).body(ItemForm.json(none));
  }

  /** Says no. */
  public Reply refuse(Exchange exchange) {
    items.container(exchange);
    throw new Refusal(
        Status.NOT_IMPLEMENTED,
        Refusal.errors("Attachments are not supported: keep the media elsewhere, its link here."));
  }
}
