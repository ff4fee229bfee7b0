package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.Failures;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.engine.Charge;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.ExpiryService.Life;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import java.util.List;
import java.util.Optional;

/** {@code GET .../docs/id}: point read; 200, 304 if the client has this version, or 404. */
public final class ReadItem implements Endpoint {
  private static final long MILLIS = 1000;
  private static final String PARAMETER = HeaderNames.EXPLAIN_EXPIRY + "=";

  private final Items items;

  public ReadItem(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    boolean explains = explains(exchange);
    Container container = items.container(exchange);
    Optional<StoredDocument> found =
        container.collection().read(exchange, Items.key(exchange, container));
    if (found.isEmpty()) {
      exchange.charge(Charge.MISS);
      throw Failures.of(new EngineException(Reason.NOT_FOUND, container.id()));
    }
    StoredDocument stored = found.get();
    exchange.charge(Charge.read(stored.document().length()));
    boolean unchanged = stored.version() == Items.knownVersion(exchange.request());
    int status = unchanged ? ItemOperation.Done.NOT_MODIFIED : ItemOperation.Done.OK;
    Reply reply = Items.reply(exchange, container, new ItemOperation.Done(status, found));
    if (explains) {
      explain(exchange, container, reply);
    }
    return reply;
  }

  /**
   * Whether the reply contains when and why the item expires: the header, or without it the query
   * parameter of the same name.
   *
   * @throws CosmosException 400 if the value is neither true nor false
   */
  private static boolean explains(Exchange exchange) {
    String header = exchange.request().header(HeaderNames.EXPLAIN_EXPIRY);
    String value = header == null ? parameter(exchange) : header;
    if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
      throw CosmosException.header(HeaderNames.EXPLAIN_EXPIRY, value);
    }
    return value.equalsIgnoreCase("true");
  }

  /**
   * Returns the value of the query parameter; "false" if there is none. There is no query string if
   * the question mark belongs to the id, see {@link dev.mayfly.cosmos.auth.Guard#check}.
   */
  private static String parameter(Exchange exchange) {
    Request request = exchange.request();
    int start = request.path().length() + 1;
    boolean none =
        request.target().length() <= start
            || !Address.of(request.path()).link().equals(exchange.address().link());
    for (String part : none ? new String[0] : request.target().substring(start).split("&", -1)) {
      if (part.startsWith(PARAMETER)) {
        return part.substring(PARAMETER.length());
      }
    }
    return "false";
  }

  /** Adds the deadline and its rule, or why there is none. */
  private static void explain(Exchange exchange, Container container, Reply reply) {
    DocumentKey key = Items.key(exchange, container);
    Life life = container.collection().expiry(exchange).explain(List.of(key)).getFirst();
    if (life.deadline() != Deadline.NEVER) {
      reply
          .header(HeaderNames.EXPIRES_AT, Long.toString(life.deadline() / MILLIS))
          .header(HeaderNames.EXPIRY_RULE, life.rule());
    }
    life.never().ifPresent(never -> reply.header(HeaderNames.NEVER_EXPIRES, never.why()));
  }
}
