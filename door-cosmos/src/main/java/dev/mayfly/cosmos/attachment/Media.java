package dev.mayfly.cosmos.attachment;

import dev.mayfly.cosmos.account.AccountBodies;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.engine.Charge;
import dev.mayfly.engine.Write;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import java.util.Optional;

/** Endpoints of {@code /media/id}: the media of an attachment. */
public final class Media {
  private final AttachmentStore store;

  public Media(AttachmentStore store) {
    this.store = store;
  }

  public Reply read(Exchange exchange) {
    Attachment attachment = find(exchange);
    Content content = store.content(attachment).orElseThrow(CosmosException::notFound);
    charge(exchange, attachment, Charge.read(content.bytes().length));
    return new Reply(AccountBodies.OK)
        .header(HeaderNames.ETAG, attachment.etag())
        .body(content.bytes(), content.type());
  }

  /** Replaces the media, and the content type of the attachment. */
  public Reply replace(Exchange exchange) {
    Attachment attachment = find(exchange);
    Content content = Content.of(exchange.request());
    AttachmentStore.Written written =
        store.replace(
            attachment.owner(),
            typed(attachment.body(), content.type()),
            Optional.of(content),
            Write.ANY_VERSION);
    charge(exchange, attachment, written.charge());
    return new Reply(AccountBodies.OK).header(HeaderNames.ETAG, written.attachment().etag());
  }

  private static void charge(Exchange exchange, Attachment attachment, double units) {
    exchange.charge(units);
    attachment.owner().container().collection().spend(units);
  }

  private Attachment find(Exchange exchange) {
    return Rid.ofMedia(exchange.address().id())
        .flatMap(store::find)
        .filter(Attachment::uploaded)
        .orElseThrow(CosmosException::notFound);
  }

  private static Document typed(Document body, String type) {
    DocumentWriter writer = Document.writer();
    Fields fields = body.fields();
    while (fields.next()) {
      if (!fields.name().equals("contentType")) {
        writer.put(fields);
      }
    }
    return writer.put("contentType", type).build();
  }
}
