package dev.mayfly.cosmos.attachment;

import dev.mayfly.cosmos.account.AccountBodies;
import dev.mayfly.cosmos.account.Selection;
import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.item.ItemForm;
import dev.mayfly.cosmos.item.Items;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Names;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Endpoints of {@code .../docs/id/attachments}: JSON with a link to media, or uploaded media with
 * the name in {@code Slug}.
 */
public final class Attachments {
  private static final String FEED = "Attachments";
  private static final String JSON = "application/json";
  private static final int NO_CONTENT = 204;

  private final Items items;
  private final AttachmentStore store;
  private final Selection selection;

  public Attachments(Items items, AttachmentStore store, Selection selection) {
    this.items = items;
    this.store = store;
    this.selection = selection;
  }

  public Reply create(Exchange exchange) {
    Owner owner = owner(exchange);
    return written(exchange, store.create(owner, body(exchange), content(exchange)));
  }

  public Reply upsert(Exchange exchange) {
    Owner owner = owner(exchange);
    long version = Items.requiredVersion(exchange.request());
    return written(exchange, store.upsert(owner, body(exchange), content(exchange), version));
  }

  public Reply replace(Exchange exchange) {
    Owner owner = owner(exchange);
    String id = find(exchange, owner).id();
    Document body = uploads(exchange.request()) ? named(exchange, id) : body(exchange);
    if (!body.field(Attachment.ID).asString().equals(id)) {
      throw CosmosException.wrong("The id of an attachment cannot be changed.");
    }
    long version = Items.requiredVersion(exchange.request());
    return written(exchange, store.replace(owner, body, content(exchange), version));
  }

  public Reply read(Exchange exchange) {
    Owner owner = owner(exchange);
    return located(exchange, AccountBodies.read(exchange, find(exchange, owner).resource()), owner);
  }

  public Reply delete(Exchange exchange) {
    Owner owner = owner(exchange);
    String id = find(exchange, owner).id();
    exchange.charge(store.delete(owner, id, Items.requiredVersion(exchange.request())));
    return located(exchange, new Reply(NO_CONTENT), owner);
  }

  public Reply list(Exchange exchange) {
    Owner owner = owner(exchange);
    return located(
        exchange, AccountBodies.list(exchange, owner.rid().text(), FEED, all(owner)), owner);
  }

  public Reply query(Exchange exchange) {
    Owner owner = owner(exchange);
    List<Value> found = selection.select(AccountBodies.of(exchange), all(owner), exchange.now());
    return located(
        exchange, AccountBodies.results(exchange, owner.rid().text(), FEED, found), owner);
  }

  private List<Document> all(Owner owner) {
    return store.all(owner).stream().map(Attachment::resource).toList();
  }

  private static Reply written(Exchange exchange, AttachmentStore.Written written) {
    exchange.charge(written.charge());
    Attachment attachment = written.attachment();
    Reply reply = new Reply(written.created() ? AccountBodies.CREATED : AccountBodies.OK);
    reply.header(HeaderNames.ETAG, attachment.etag());
    return located(exchange, reply.body(ItemForm.json(attachment.resource())), attachment.owner());
  }

  /** Adds the headers of the container. */
  private static Reply located(Exchange exchange, Reply reply, Owner owner) {
    Container container = owner.container();
    container.collection().spend(exchange.charged());
    return Items.located(reply, container, Items.lsn(container.collection()));
  }

  /** Returns the live item on the path of the address. */
  private Owner owner(Exchange exchange) {
    Container container = items.container(exchange);
    DocumentKey key = Items.key(exchange, container);
    StoredDocument item =
        container
            .collection()
            .peek(exchange, key)
            .orElseThrow(() -> new EngineException(Reason.NOT_FOUND, container.id()));
    return new Owner(container, key, item.birth());
  }

  /** Returns the attachment of the address, by its name or its rid. */
  private Attachment find(Exchange exchange, Owner owner) {
    String id = exchange.address().id();
    return store
        .find(owner, id)
        .or(() -> Rid.parse(id).flatMap(store::find).filter(found -> found.rid().text().equals(id)))
        .orElseThrow(() -> new EngineException(Reason.NOT_FOUND, id));
  }

  /** Whether the body contains the media. */
  private static boolean uploads(Request request) {
    String type = request.header(HeaderNames.CONTENT_TYPE);
    return request.header(HeaderNames.SLUG) != null || !json(type);
  }

  private static boolean json(@Nullable String type) {
    return type == null || type.isBlank() || type.toLowerCase(Locale.ROOT).startsWith(JSON);
  }

  private static Optional<Content> content(Exchange exchange) {
    Request request = exchange.request();
    return uploads(request) ? Optional.of(Content.of(request)) : Optional.empty();
  }

  /** Returns the properties of an attachment, from the body or from the headers of an upload. */
  private static Document body(Exchange exchange) {
    Request request = exchange.request();
    if (uploads(request)) {
      String slug = request.header(HeaderNames.SLUG);
      return named(exchange, slug == null ? UUID.randomUUID().toString() : slug);
    }
    Document sent = AccountBodies.of(exchange);
    Names.of(sent);
    DocumentWriter stored = Document.writer();
    Fields fields = sent.fields();
    while (fields.next()) {
      if (!ItemForm.system(fields.name())) {
        stored.put(fields);
      }
    }
    return stored.build();
  }

  private static Document named(Exchange exchange, String id) {
    Document body =
        Document.writer()
            .put(Attachment.ID, id)
            .put("contentType", Content.of(exchange.request()).type())
            .build();
    Names.of(body);
    return body;
  }
}
