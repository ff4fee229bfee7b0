package dev.mayfly.cosmos.account;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.container.Database;
import dev.mayfly.cosmos.container.Metadata;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;

/**
 * Endpoints of offers: the throughput of containers and databases.
 *
 * <p>The throughput of a database applies to each of its containers that was created without one. A
 * container without throughput reports the minimum, as clients expect, but is not limited.
 */
public final class Offers {
  private static final String FEED = "Offers";
  private static final String PLACE = "offers/";
  private static final String RESOURCE = "resource";
  private static final String RESOURCE_ID = "offerResourceId";

  /** Whether a client has set the throughput; not part of the resource. */
  private static final String ASKED = "asked";

  private final Containers containers;
  private final Metadata metadata;
  private final Selection selection;

  public Offers(Containers containers, Selection selection) {
    this.containers = containers;
    this.metadata = containers.metadata();
    this.selection = selection;
  }

  /** Stores the throughput of a new resource, if it has any. */
  void create(Rid resource, String self, Throughput throughput) {
    if (throughput.limited()) {
      create(resource, self, throughput, true);
    }
  }

  /** Stores the default offer of a new container without throughput. */
  void createDefault(Rid resource, String self) {
    create(resource, self, Throughput.STANDARD, false);
  }

  private void create(Rid resource, String self, Throughput throughput, boolean requested) {
    DocumentWriter body = Document.writer().put(RESOURCE, self).put(RESOURCE_ID, resource.text());
    metadata.create(PLACE + resource, complete(body, throughput, requested));
  }

  private static Document complete(DocumentWriter body, Throughput throughput, boolean requested) {
    return body.put("content", throughput.content())
        .put(Throughput.LEVEL, throughput.level())
        .put(ASKED, requested)
        .build();
  }

  void remove(Rid resource) {
    metadata.delete(PLACE + resource);
  }

  /** Returns the throughput for a new container of a database that has none of its own. */
  Throughput shared(Database database) {
    return of(database.rid());
  }

  private Throughput of(Rid resource) {
    return metadata
        .find(PLACE + resource)
        .map(Metadata.Entry::body)
        .filter(body -> !body.field(ASKED).equals(Value.FALSE))
        .map(Throughput::stored)
        .orElse(Throughput.UNLIMITED);
  }

  public Reply list(Exchange exchange) {
    return AccountBodies.list(exchange, "", FEED, all());
  }

  public Reply query(Exchange exchange) {
    return AccountBodies.results(
        exchange, "", FEED, selection.select(AccountBodies.of(exchange), all(), exchange.now()));
  }

  private List<Document> all() {
    return metadata.children(PLACE).stream().map(Offers::resource).toList();
  }

  public Reply read(Exchange exchange) {
    return reply(exchange, find(exchange));
  }

  /** Changes the throughput at once: no replacement is ever pending. */
  public Reply replace(Exchange exchange) {
    Metadata.Entry old = find(exchange);
    Document offer = AccountBodies.of(exchange);
    checkSame(offer, Rid.offer(old.number()).text());
    Value content = offer.field("content");
    if (!content.isDocument()) {
      throw CosmosException.wrong("The offer has no content.");
    }
    Throughput throughput = Throughput.of(content.asDocument());
    DocumentWriter body = Document.writer();
    body.put(RESOURCE, old.body().field(RESOURCE));
    body.put(RESOURCE_ID, old.body().field(RESOURCE_ID));
    Document changed = complete(body, throughput, true);
    Metadata.Entry entry = metadata.replace(old, changed, AccountBodies.expected(exchange));
    throttle(entry.id(), throughput);
    return reply(exchange, entry);
  }

  private static void checkSame(Document offer, String rid) {
    for (String name : List.of("id", "_rid")) {
      if (!offer.field(name).equals(Value.of(rid))) {
        throw CosmosException.wrong("The '" + name + "' of an offer cannot be changed.");
      }
    }
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
    if (Rid.parse(id).isEmpty()) {
      throw CosmosException.wrong("'" + id + "' is not the id of an offer.");
    }
    return metadata.children(PLACE).stream()
        .filter(entry -> Rid.offer(entry.number()).text().equals(id))
        .findFirst()
        .orElseThrow(CosmosException::notFound);
  }

  private static Reply reply(Exchange exchange, Metadata.Entry entry) {
    Throughput throughput = Throughput.stored(entry.body());
    return AccountBodies.read(exchange, resource(entry))
        .header(HeaderNames.MIN_THROUGHPUT, Long.toString(throughput.minimum()))
        .header(HeaderNames.OFFER_REPLACE_PENDING, "false");
  }

  private static Document resource(Metadata.Entry entry) {
    String rid = Rid.offer(entry.number()).text();
    DocumentWriter writer = Document.writer();
    Fields fields = entry.body().fields();
    while (fields.next()) {
      String name = fields.name();
      if (!name.equals(ASKED) && !name.equals(Throughput.LEVEL)) {
        writer.put(fields);
      }
    }
    String level = Throughput.stored(entry.body()).level();
    return writer
        .put(Throughput.LEVEL, level)
        .put("offerVersion", level.equals(Throughput.NO_LEVEL) ? "V2" : "V1")
        .put("id", rid)
        .put("_rid", rid)
        .put("_self", PLACE + rid + "/")
        .put("_etag", entry.etag())
        .put("_ts", entry.seconds())
        .build();
  }

  /** Returns the throughput that limits a container; empty if there is no limit. */
  Optional<Throughput> limit(Container container) {
    Throughput own = of(container.rid());
    Throughput found = own.limited() ? own : shared(container.database());
    return found.limited() ? Optional.of(found) : Optional.empty();
  }
}
