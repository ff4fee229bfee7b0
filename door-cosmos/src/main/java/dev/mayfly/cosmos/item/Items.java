package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.ContainerFlag;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Etag;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.cosmos.rest.SessionToken;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteResult;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Common parts of all item endpoints: finds the container and the key, runs the write, builds the
 * reply. One per engine.
 */
public final class Items {
  private static final String ANY = "*";
  private static final String MINIMAL = "return=minimal";

  private final Containers containers;
  private final Durability durability;

  /**
   * @param durability of writes when they are acknowledged
   */
  public Items(Containers containers, Durability durability) {
    this.containers = containers;
    this.durability = durability;
  }

  /** Returns the durability of writes when they are acknowledged. */
  public Durability durability() {
    return durability;
  }

  /**
   * Returns the container of a request.
   *
   * @throws CosmosException 404 with 1003
   */
  public Container container(Exchange exchange) {
    return containers.find(exchange.address());
  }

  /**
   * Returns the key of the item on the path of a request, by its id or its rid.
   *
   * @throws CosmosException 400; 404 if no item has the rid
   */
  public static DocumentKey key(Exchange exchange, Container container) {
    return key(exchange.request(), exchange.address(), container);
  }

  /** As {@link #key(Exchange, Container)}. */
  public static DocumentKey key(Request request, Address address, Container container) {
    String id = address.id(ResourceType.ITEM).orElse("");
    Optional<DocumentKey> named = Optional.empty();
    if (address.byRid()) {
      named =
          Rid.parse(id)
              .filter(rid -> container.rid().item(rid.number()).equals(rid))
              .flatMap(rid -> RidLookup.find(container, rid.number()));
      // a database may have a name that looks like a rid; ids are then names
      if (named.isEmpty() && container.rid().text().equals(address.container())) {
        throw CosmosException.notFound();
      }
    }
    return named.orElseGet(
        () -> new DocumentKey(PartitionKeys.completeKey(request, container), Value.of(id)));
  }

  /** Returns the version that If-Match requires. */
  public static long requiredVersion(Request request) {
    return version(request.header(HeaderNames.IF_MATCH), Write.ANY_VERSION);
  }

  /** Returns the version that the client has, from If-None-Match. */
  static long knownVersion(Request request) {
    return version(request.header(HeaderNames.IF_NONE_MATCH), Etag.NONE);
  }

  static long version(@Nullable String etag, long standard) {
    return etag == null || etag.isEmpty() || etag.equals(ANY) ? standard : Etag.version(etag);
  }

  /** Parses the item in a body and checks its partition key against the request. */
  static Document item(Exchange exchange, Container container) {
    Document item = ItemBody.parse(exchange.request().body());
    if (!container.partitionKey().system()) {
      PartitionKeys.check(
          container, item, PartitionKeys.completeKey(exchange.request(), container));
    }
    return item;
  }

  /** Runs one operation and returns the reply. */
  Reply run(Exchange exchange, Container container, ItemOperation operation) {
    checkTriggers(exchange.request());
    checkMayBlock(exchange, container, operation);
    ItemOperation directed = directed(exchange.request(), container, operation);
    WriteResult written = write(exchange, container.collection(), directed.writes());
    exchange.charge(written.charge());
    return reply(exchange, container, directed.done(written.outcomes()));
  }

  /**
   * Applies the indexing directive of the request and the policy of the container to an operation.
   *
   * @throws CosmosException 400
   */
  ItemOperation directed(Request request, Container container, ItemOperation operation) {
    if (operation instanceof ItemOperation.Rename) {
      containers.setFlag(ContainerFlag.RENAMED, container);
    }
    if (indexes(request, container)) {
      return operation;
    }
    containers.setFlag(ContainerFlag.SELECTIVE, container);
    return operation.unindexed();
  }

  private static boolean indexes(Request request, Container container) {
    String directive = request.header(HeaderNames.INDEXING_DIRECTIVE);
    return switch (directive == null ? "default" : directive.toLowerCase(Locale.ROOT)) {
      case "default", "" ->
          container.indexing().automatic() || container.indexing().mode() == IndexingMode.NONE;
      case "include" -> true;
      case "exclude" -> false;
      default ->
          throw CosmosException.wrong("The indexing directive '" + directive + "' is invalid.");
    };
  }

  /** Renaming an item or excluding it from the index may have to alter the container first. */
  private static void checkMayBlock(
      Exchange exchange, Container container, ItemOperation operation) {
    boolean plain =
        indexes(exchange.request(), container) && !(operation instanceof ItemOperation.Rename);
    if (!exchange.mayBlock() && !plain) {
      throw new WouldBlock();
    }
  }

  private WriteResult write(Exchange exchange, Collection collection, List<Write> writes) {
    return collection.write(exchange, writes, Grouping.ATOMIC, durability, null);
  }

  /** Fails if the request names triggers: the write must not succeed without them. */
  private static void checkTriggers(Request request) {
    for (String name : List.of(HeaderNames.PRE_TRIGGERS, HeaderNames.POST_TRIGGERS)) {
      String triggers = request.header(name);
      if (triggers != null && !triggers.isBlank()) {
        throw new CosmosException(
            Status.NOT_IMPLEMENTED,
            "Mayfly stores triggers, but does not execute them: " + triggers + ".");
      }
    }
  }

  /** Returns the reply to an operation. */
  static Reply reply(Exchange exchange, Container container, ItemOperation.Done done) {
    Reply reply = new Reply(done.status());
    long lsn = lsn(container.collection());
    if (done.stored().isPresent()) {
      StoredDocument stored = done.stored().get();
      lsn = Math.max(lsn, stored.version());
      reply
          .header(HeaderNames.ETAG, Etag.of(stored.version()))
          .header(HeaderNames.ITEM_LSN, Long.toString(stored.version()));
      if (done.status() != ItemOperation.Done.NOT_MODIFIED && !minimal(exchange.request())) {
        reply.body(ItemForm.json(container, stored));
      }
    }
    return located(reply, container, lsn);
  }

  /** Whether the reply to a write should not contain the item. */
  static boolean minimal(Request request) {
    String preference = request.header(HeaderNames.PREFER);
    return preference != null
        && !request.method().equals("GET")
        && preference.toLowerCase(Locale.ROOT).contains(MINIMAL);
  }

  /** Adds the session token, positions and the path of the container. */
  public static Reply located(Reply reply, Container container, long lsn) {
    String position = Long.toString(lsn);
    return reply
        .header(HeaderNames.SESSION_TOKEN, SessionToken.of(lsn))
        .header(HeaderNames.LSN, position)
        .header(HeaderNames.GLOBAL_LSN, position)
        .header(HeaderNames.CONTENT_PATH, container.rid().text())
        .header(HeaderNames.ALT_CONTENT_PATH, container.link());
  }

  /** Returns the position of the last change. */
  public static long lsn(Collection collection) {
    return collection.lastPosition();
  }
}
