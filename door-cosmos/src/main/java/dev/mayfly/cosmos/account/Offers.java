package dev.mayfly.cosmos.account;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.container.Database;
import dev.mayfly.cosmos.container.Metadata;
import dev.mayfly.cosmos.http.Reply;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Refusal;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;

/**
 * The throughput of containers and databases, as resources of their own.
 *
 * <p>That of a database counts for each of its containers that was made without one. What was made
 * without throughput has no offer and no limit.
 */
public final class Offers {
  private static final String FEED = "Offers";
  private static final String PLACE = "offers/";
  private static final String RESOURCE_ID = "offerResourceId";

  private final Containers containers;
  private final Metadata metadata;
  private final Selection selection;

  public Offers(Containers containers, Selection selection) {
    this.containers = containers;
    this.metadata = containers.metadata();
    this.selection = selection;
  }

  /** Notes the throughput of a new resource, if it has any. */
  void create(Rid resource, String self, Throughput throughput) {
    if (throughput.limited()) {
      Document body =
          Document.writer()
              .put("resource", self)
              .put(RESOURCE_ID, resource.text())
              .put("content", throughput.content())
              .build();
      metadata.create(PLACE + resource, body);
    }
  }

  void forget(Rid resource) {
    metadata.delete(PLACE + resource);
  }

  /** What a new container of a database may use when it does not say. */
  Throughput shared(Database database) {
    return of(database.rid());
  }

  private Throughput of(Rid resource) {
    return metadata
        .find(PLACE + resource)
        .map(entry -> Throughput.of(entry.body().field("content").asDocument()))
        .orElse(Throughput.UNLIMITED);
  }

  public Reply list(Exchange exchange) {
    return Bodies.list(exchange, "", FEED, all());
  }

  public Reply query(Exchange exchange) {
    return Bodies.list(exchange, "", FEED, selection.select(Bodies.of(exchange), all()));
  }

  private List<Document> all() {
    return metadata.children(PLACE).stream().map(Offers::resource).toList();
  }

  public Reply read(Exchange exchange) {
    return told(exchange, find(exchange));
  }

  /** Changes the throughput: at once, so that no replacement is ever pending. */
  public Reply replace(Exchange exchange) {
    Metadata.Entry old = find(exchange);
    Value content = Bodies.of(exchange).field("content");
    if (!content.isDocument()) {
      throw Refusal.wrong("The offer has no content.");
    }
    Throughput throughput = Throughput.of(content.asDocument());
    DocumentWriter body = Document.writer();
    body.put("resource", old.body().field("resource"));
    body.put(RESOURCE_ID, old.body().field(RESOURCE_ID));
    Document changed = body.put("content", throughput.content()).build();
    Metadata.Entry entry = metadata.replace(old, changed, Bodies.expected(exchange));
    throttle(entry.id(), throughput);
    return told(exchange, entry);
  }

  private void throttle(String rid, Throughput throughput) {
    for (Database database : containers.databases()) {
      for (Container container : containers.containers(database)) {
        boolean inherits = database.rid().text().equals(rid) && !of(container.rid()).limited();
        if (inherits || container.rid().text().equals(rid)) {
          containers.throttle(container, throughput.perSecond());
        }
      }
    }
  }

  private Metadata.Entry find(Exchange exchange) {
    String id = exchange.address().id();
    return metadata.children(PLACE).stream()
        .filter(entry -> Rid.offer(entry.number()).text().equalsIgnoreCase(id))
        .findFirst()
        .orElseThrow(Refusal::notFound);
  }

  private static Reply told(Exchange exchange, Metadata.Entry entry) {
    Throughput throughput = Throughput.of(entry.body().field("content").asDocument());
    return Bodies.read(exchange, resource(entry))
        .header(HeaderNames.MIN_THROUGHPUT, Long.toString(throughput.least()))
        .header(HeaderNames.OFFER_REPLACE_PENDING, "false");
  }

  private static Document resource(Metadata.Entry entry) {
    String rid = Rid.offer(entry.number()).text();
    DocumentWriter writer = Document.writer();
    Fields fields = entry.body().fields();
    while (fields.next()) {
      writer.put(fields);
    }
    return writer
        .put("offerType", "Invalid")
        .put("offerVersion", "V2")
        .put("id", rid)
        .put("_rid", rid)
        .put("_self", PLACE + rid + "/")
        .put("_etag", entry.etag())
        .put("_ts", entry.seconds())
        .build();
  }

  /** What limits a container, for who asks for its quota. */
  Optional<Throughput> limit(Container container) {
    Throughput own = of(container.rid());
    Throughput found = own.limited() ? own : shared(container.database());
    return found.limited() ? Optional.of(found) : Optional.empty();
  }
}
