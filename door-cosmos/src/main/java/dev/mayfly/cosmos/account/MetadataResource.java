package dev.mayfly.cosmos.account;

import dev.mayfly.cosmos.container.Metadata;
import dev.mayfly.cosmos.container.Metadata.Entry;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.Names;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.function.Function;

/**
 * Endpoints of resources that are stored as metadata: users, permissions, client encryption keys,
 * scripts.
 */
public final class MetadataResource {
  private final Metadata metadata;
  private final ResourceType type;
  private final String feed;
  private final Function<Exchange, Owner> owners;
  private final Kind kind;
  private final Selection selection;

  /**
   * Owner of a resource.
   *
   * @param link address with names
   * @param self address with rids, ending with a slash
   */
  record Owner(String link, Rid rid, String self) {}

  /** Rules of one kind of resources. */
  interface Kind {
    /** Validates a body. */
    void check(Document body);

    /**
     * Validates a body against its siblings.
     *
     * @param others resources of the same owner, except the one that is replaced
     */
    default void checkSiblings(Document body, List<Entry> others) {}

    Rid rid(Rid owner, int number);

    /** Whether a replacement may have another id. */
    boolean renamed();

    /** Adds properties that are not stored. */
    void decorate(Exchange exchange, Entry entry, DocumentWriter resource);
  }

  MetadataResource(
      Metadata metadata,
      ResourceType type,
      String feed,
      Function<Exchange, Owner> owners,
      Kind kind,
      Selection selection) {
    this.metadata = metadata;
    this.type = type;
    this.feed = feed;
    this.owners = owners;
    this.kind = kind;
    this.selection = selection;
  }

  /** Synchronized: siblings must not change between the check and the write. */
  public synchronized Reply create(Exchange exchange) {
    Owner owner = owners.apply(exchange);
    Document body = body(exchange);
    kind.checkSiblings(body, metadata.children(prefix(owner)));
    Entry entry = metadata.create(prefix(owner) + body.field("id").asString(), body);
    return AccountBodies.written(exchange, AccountBodies.CREATED, resource(exchange, owner, entry));
  }

  /** As {@link #create}. */
  public synchronized Reply upsert(Exchange exchange) {
    Owner owner = owners.apply(exchange);
    Document body = body(exchange);
    var old = metadata.find(prefix(owner) + body.field("id").asString());
    if (old.isEmpty()) {
      return create(exchange);
    }
    kind.checkSiblings(body, others(owner, old.get()));
    Entry entry = metadata.replace(old.get(), body, AccountBodies.expected(exchange));
    return AccountBodies.written(exchange, AccountBodies.OK, resource(exchange, owner, entry));
  }

  public Reply read(Exchange exchange) {
    Owner owner = owners.apply(exchange);
    return AccountBodies.read(exchange, resource(exchange, owner, find(exchange, owner)));
  }

  /** As {@link #create}. */
  public synchronized Reply replace(Exchange exchange) {
    Owner owner = owners.apply(exchange);
    Entry old = find(exchange, owner);
    Document body = body(exchange);
    String id = body.field("id").asString();
    long version = AccountBodies.expected(exchange);
    if (!id.equals(old.id()) && !kind.renamed()) {
      throw CosmosException.wrong("The id of a resource cannot be changed.");
    }
    kind.checkSiblings(body, others(owner, old));
    Entry entry =
        id.equals(old.id())
            ? metadata.replace(old, body, version)
            : metadata.rename(old, prefix(owner) + id, body, version);
    return AccountBodies.written(exchange, AccountBodies.OK, resource(exchange, owner, entry));
  }

  public Reply delete(Exchange exchange) {
    Entry entry = find(exchange, owners.apply(exchange));
    AccountBodies.checkExpected(exchange, entry.etag());
    metadata.delete(entry.link());
    return AccountBodies.deleted(exchange);
  }

  public Reply list(Exchange exchange) {
    Owner owner = owners.apply(exchange);
    return AccountBodies.list(exchange, owner.rid().text(), feed, all(exchange, owner));
  }

  public Reply query(Exchange exchange) {
    Owner owner = owners.apply(exchange);
    List<Value> found =
        selection.select(AccountBodies.of(exchange), all(exchange, owner), exchange.now());
    return AccountBodies.results(exchange, owner.rid().text(), feed, found);
  }

  private List<Document> all(Exchange exchange, Owner owner) {
    return metadata.children(prefix(owner)).stream()
        .map(entry -> resource(exchange, owner, entry))
        .toList();
  }

  private List<Entry> others(Owner owner, Entry one) {
    return metadata.children(prefix(owner)).stream()
        .filter(entry -> entry.number() != one.number())
        .toList();
  }

  private String prefix(Owner owner) {
    return owner.link() + "/" + type.word() + "/";
  }

  /** Finds the resource by the name or the rid in the address. */
  private Entry find(Exchange exchange, Owner owner) {
    String id = exchange.address().id(type).orElseThrow(CosmosException::notFound);
    return metadata
        .find(prefix(owner) + id)
        .or(
            () ->
                metadata.children(prefix(owner)).stream()
                    .filter(entry -> kind.rid(owner.rid(), entry.number()).text().equals(id))
                    .findFirst())
        .orElseThrow(CosmosException::notFound);
  }

  /** Returns this resource as the owner of others. */
  Owner owner(Exchange exchange) {
    Owner parent = owners.apply(exchange);
    Entry entry = find(exchange, parent);
    Rid rid = kind.rid(parent.rid(), entry.number());
    return new Owner(entry.link(), rid, parent.self() + type.word() + "/" + rid + "/");
  }

  private Document body(Exchange exchange) {
    Document sent = AccountBodies.of(exchange);
    Names.of(sent);
    kind.check(sent);
    DocumentWriter stored = Document.writer();
    Fields fields = sent.fields();
    while (fields.next()) {
      if (!fields.name().startsWith("_")) {
        stored.put(fields);
      }
    }
    return stored.build();
  }

  private Document resource(Exchange exchange, Owner owner, Entry entry) {
    DocumentWriter writer = Document.writer();
    writer.putAll(entry.body());
    Rid rid = kind.rid(owner.rid(), entry.number());
    writer
        .put("_rid", rid.text())
        .put("_self", owner.self() + type.word() + "/" + rid + "/")
        .put("_etag", entry.etag())
        .put("_ts", entry.seconds());
    kind.decorate(exchange, entry, writer);
    return writer.build();
  }
}
