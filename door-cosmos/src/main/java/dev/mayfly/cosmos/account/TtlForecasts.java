package dev.mayfly.cosmos.account;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.item.PartitionKeys;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.ExpiryService.ChangeAuthor;
import dev.mayfly.engine.ExpiryService.Life;
import dev.mayfly.engine.ExpiryService.NeverExpiring;
import dev.mayfly.engine.ExpiryService.Soonest;
import dev.mayfly.engine.ExpiryService.Warnings;
import dev.mayfly.engine.Forecast;
import dev.mayfly.engine.Usage;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Mayfly's own endpoints of containers: forecast of expiry by rule, explanation of the expiry of
 * items, what-if for a replacement, and undo of the last change of time to live.
 */
public final class TtlForecasts {
  private static final String WITHIN = "x-mayfly-within-seconds";
  private static final String ITEMS = "items";

  /** About how many items of a container are looked at. */
  private static final int SAMPLE = 1000;

  /** How long a count of all items that do not expire may take. */
  private static final long MOST_MILLIS = 2000;

  private static final int STANDARD_WARNINGS = 100;

  private static final long MILLIS = 1000;

  /** The author of changes, in the history of rules. */
  static final String AUTHOR = "cosmos";

  private final Containers containers;

  public TtlForecasts(Containers containers) {
    this.containers = containers;
  }

  /** {@code GET forecast}: the items that expire within each of the standard or given periods. */
  public Reply forecast(Exchange exchange) {
    Container container = containers.find(exchange.address());
    DocumentWriter reply =
        Document.writer()
            .put("id", container.id())
            .put("now", exchange.now() / MILLIS)
            .startArray("forecast");
    for (long seconds : within(exchange)) {
      long until = Forecast.until(exchange.now(), seconds);
      reply.startDocument().put("until", until / MILLIS);
      container.collection().expiry(exchange).forecast(until).write(reply, ITEMS);
      reply.end();
    }
    return reply(exchange, reply.end().build());
  }

  private static List<Long> within(Exchange exchange) {
    String header = exchange.request().header(WITHIN);
    if (header == null) {
      return Forecast.STANDARD_HORIZONS;
    }
    try {
      return List.of(header.split(",")).stream().map(text -> seconds(text.strip())).toList();
    } catch (NumberFormatException invalid) {
      throw CosmosException.wrong(
          WITHIN + " must be a number of seconds, or several numbers separated by commas.");
    }
  }

  private static long seconds(String text) {
    return Math.clamp(Long.parseLong(text), 0, Integer.MAX_VALUE);
  }

  /**
   * {@code POST lives}: explains the expiry of items by {@code keys}, each with {@code id} and
   * {@code partitionKey} as in the header of that name. Without {@code keys}, it counts items that
   * no rule expires: all of them, and by reason in a sample of the container.
   */
  public Reply lives(Exchange exchange) {
    Container container = containers.find(exchange.address());
    Value keys = body(exchange, Set.of("keys")).field("keys");
    if (keys.isMissing()) {
      return reply(exchange, neverExpiring(container, exchange));
    }
    if (!keys.isArray()) {
      throw CosmosException.wrong("keys must be an array.");
    }
    List<DocumentKey> named = new ArrayList<>();
    Fields each = keys.asDocument().fields();
    while (each.next()) {
      Document key = each.value().asDocument();
      named.add(
          new DocumentKey(
              PartitionKeys.values(Json.write(key.field("partitionKey")), container),
              key.field("id")));
    }
    if (named.size() > ExpiryService.MAX_EXPLAINED) {
      throw CosmosException.wrong(
          "keys has more than " + ExpiryService.MAX_EXPLAINED + " elements.");
    }
    DocumentWriter reply =
        Document.writer()
            .put("id", container.id())
            .put("now", exchange.now() / MILLIS)
            .startArray("lives");
    for (Life life : container.collection().expiry(exchange).explain(named)) {
      reply.startDocument().put("id", life.key().id());
      life.write(reply, instant -> Value.of(instant / MILLIS));
      reply.end();
    }
    return reply(exchange, reply.end().build());
  }

  /**
   * {@code POST warnings}: items that will expire within {@code withinSeconds}, each once. {@code
   * after} is the {@code next} of the previous reply.
   */
  public Reply warnings(Exchange exchange) {
    Container container = containers.find(exchange.address());
    Document body = body(exchange, Set.of("withinSeconds", "after", "maxItemCount"));
    long within = bounded(body, "withinSeconds", 0, Integer.MAX_VALUE);
    long most = bounded(body, "maxItemCount", STANDARD_WARNINGS, ExpiryService.MAX_WARNINGS);
    Value after = body.field("after");
    if (!after.isMissing() && after.type() != Type.STRING) {
      throw CosmosException.wrong("The property 'after' must be a string.");
    }
    Warnings warnings =
        container
            .collection()
            .expiry(exchange)
            .warnings(after.isMissing() ? "" : after.asString(), within * MILLIS, (int) most);
    DocumentWriter reply =
        Document.writer()
            .put("id", container.id())
            .put("now", exchange.now() / MILLIS)
            .startArray("warnings");
    for (Soonest.Due due : warnings.documents()) {
      reply
          .startDocument()
          .put("id", due.key().id())
          .put("partitionKey", Value.array(due.key().partition()))
          .put("deadline", due.stored().deadline() / MILLIS)
          .put("rule", due.rule())
          .end();
    }
    return reply(
        exchange, reply.end().put("next", warnings.next()).put("more", warnings.more()).build());
  }

  /** Returns the body of a request; 400 for a property that it does not have. */
  private static Document body(Exchange exchange, Set<String> known) {
    Document body = AccountBodies.of(exchange);
    Fields fields = body.fields();
    while (fields.next()) {
      if (!known.contains(fields.name())) {
        throw CosmosException.wrong("The property '" + fields.name() + "' is unknown.");
      }
    }
    return body;
  }

  private static long bounded(Document body, String name, long standard, long most) {
    Value value = body.field(name);
    double number = value.isMissing() ? standard : value.isNumber() ? value.asDouble() : 0;
    if (number < 1 || number > most || number != Math.rint(number)) {
      throw CosmosException.wrong(
          "The property '" + name + "' must be a whole number from 1 to " + most + ".");
    }
    return (long) number;
  }

  private static Document neverExpiring(Container container, Exchange exchange) {
    ExpiryService expiry = container.collection().expiry(exchange);
    NeverExpiring report = expiry.neverExpiring(SAMPLE);
    DocumentWriter reply =
        Document.writer()
            .put("id", container.id())
            .put("now", exchange.now() / MILLIS)
            .put("sampled", report.sampled())
            .put("exact", report.exact())
            .put("neverExpiring", report.documents())
            .startArray("reasons");
    for (NeverExpiring.Cause cause : report.never()) {
      reply.startDocument().put("rule", cause.verdict().rule());
      cause.verdict().writeReason(reply);
      reply.put(ITEMS, cause.documents()).startArray("keys");
      for (DocumentKey key : cause.keys()) {
        reply
            .startDocument()
            .put("id", key.id())
            .put("partitionKey", Value.array(key.partition()))
            .end();
      }
      reply.end().end();
    }
    reply.end();
    expiry
        .countNeverExpiring(expiry.after(MOST_MILLIS))
        .ifPresent(total -> reply.put("total", total));
    return reply.build();
  }

  /** {@code POST whatif} with the body of a replace: the items that it would expire at once. */
  public Reply whatIf(Exchange exchange) {
    Container container = containers.find(exchange.address());
    Usage usage =
        containers.whatIf(exchange, container, container.redefined(AccountBodies.of(exchange)));
    DocumentWriter reply = Document.writer().put("id", container.id()).startDocument("expiresNow");
    usage.write(reply, ITEMS);
    return reply(exchange, reply.end().build());
  }

  /** {@code POST undo}: restores the items that the last change of time to live expired. */
  public Reply undo(Exchange exchange) {
    Container container = containers.find(exchange.address());
    Containers.Undone undone =
        ChangeAuthor.as(AUTHOR, () -> containers.undo(container, exchange.now()));
    return reply(
        exchange,
        Document.writer()
            .put("id", container.id())
            .put("restored", undone.restored().documents())
            .put("container", undone.container().resource())
            .build());
  }

  private static Reply reply(Exchange exchange, Document document) {
    exchange.charge(1);
    return new Reply(AccountBodies.OK).body(Json.bytes(document));
  }
}
