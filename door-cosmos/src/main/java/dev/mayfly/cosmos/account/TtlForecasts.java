package dev.mayfly.cosmos.account;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.engine.Forecast;
import dev.mayfly.engine.Usage;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Json;
import java.util.List;

/**
 * Mayfly's own endpoints of containers: forecast of expiry by rule, what-if for a replacement, and
 * undo of the last change of time to live.
 */
public final class TtlForecasts {
  private static final String WITHIN = "x-mayfly-within-seconds";
  private static final String ITEMS = "items";
  private static final long MILLIS = 1000;

  private final Containers containers;

  public TtlForecasts(Containers containers) {
    this.containers = containers;
  }

  /** {@code GET forecast}: within a minute, an hour, a day and a week, or as the header sets. */
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
      container.collection().expiry().forecast(until).write(reply, ITEMS);
      reply.end();
    }
    return told(exchange, reply.end().build());
  }

  private static List<Long> within(Exchange exchange) {
    String asked = exchange.request().header(WITHIN);
    if (asked == null) {
      return Forecast.STANDARD_HORIZONS;
    }
    try {
      return List.of(asked.split(",")).stream().map(text -> seconds(text.strip())).toList();
    } catch (NumberFormatException nonsense) {
      throw CosmosException.wrong(
          WITHIN + " is a number of seconds, or several with commas between.");
    }
  }

  private static long seconds(String text) {
    return Math.clamp(Long.parseLong(text), 0, Integer.MAX_VALUE);
  }

  /** {@code POST whatif} with the body of a replace: what it would expire at once. */
  public Reply whatIf(Exchange exchange) {
    Container container = containers.find(exchange.address());
    Usage usage = containers.whatIf(container, container.redefined(AccountBodies.of(exchange)));
    DocumentWriter reply = Document.writer().put("id", container.id()).startDocument("expiresNow");
    usage.write(reply, ITEMS);
    return told(exchange, reply.end().build());
  }

  /** {@code POST undo}: brings back what the last change of time to live expired. */
  public Reply undo(Exchange exchange) {
    Container container = containers.find(exchange.address());
    Containers.Undone undone = containers.undo(container, exchange.now());
    return told(
        exchange,
        Document.writer()
            .put("id", container.id())
            .put("restored", undone.restored().documents())
            .put("container", undone.container().resource())
            .build());
  }

  private static Reply told(Exchange exchange, Document document) {
    exchange.charge(1);
    return new Reply(AccountBodies.OK).body(Json.bytes(document));
  }
}
