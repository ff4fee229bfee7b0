package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.ExpiryService.Touch;
import dev.mayfly.engine.ExpiryService.Touched;
import dev.mayfly.http.Reply;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * {@code POST .../colls/{c}/touch}: gives the items of a condition other deadlines, in slices. The
 * condition is that of a patch: {@code from c where c.n > 5}.
 */
public final class TouchItems implements Endpoint {
  private static final String CONDITION = "condition";
  private static final String LIMIT = "maxMillis";

  /** System properties, which are not stored. */
  private static final List<String> SYSTEM =
      List.of("_rid", "_self", "_etag", "_ts", "_attachments");

  private final Items items;

  public TouchItems(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    Container container = items.container(exchange);
    Value body = Json.parseValue(exchange.request().body(), Limits.COSMOS);
    if (!body.isDocument() || body.isArray()) {
      throw CosmosException.wrong("The body must be an object.");
    }
    Document request = body.asDocument();
    check(request);
    Value text = request.field(CONDITION);
    if (text.type() != Type.STRING) {
      throw CosmosException.wrong(
          "The property 'condition' must be a text such as 'from c where c.n > 5'; 'from c' selects"
              + " all items.");
    }
    Condition condition =
        Condition.parse(
            "touch", text.asString(), container.definition().geospatial(), exchange.now());
    Touch touch =
        Touch.of(request, exchange.now())
            .where(stored -> condition.holds(ItemForm.of(container, stored)));
    ExpiryService expiry = container.collection().expiry(exchange);
    Query query = Query.of(narrowing(text.asString(), condition), Mode.SQL);
    Value limit = request.field(LIMIT);
    Touched touched =
        limit.isMissing()
            ? expiry.touch(query, touch, () -> false)
            : expiry.touch(query, touch, expiry.after(millis(limit)));
    exchange.charge(touched.charge());
    DocumentWriter reply = Document.writer().put("id", container.id());
    touched.write(reply);
    return new Reply(ItemOperation.Done.OK).body(Json.bytes(reply.build()));
  }

  /**
   * Returns a filter of stored items. These have no system properties, so a condition that may read
   * one is checked item by item.
   */
  private static Filter narrowing(String text, Condition condition) {
    return SYSTEM.stream().anyMatch(text::contains) ? Filter.all() : condition.filter();
  }

  private static void check(Document request) {
    Fields fields = request.fields();
    while (fields.next()) {
      if (!fields.named(CONDITION) && !Touch.FIELDS.contains(fields.name())) {
        throw CosmosException.wrong("The property '" + fields.name() + "' is unknown.");
      }
    }
  }

  private static long millis(Value limit) {
    if (!limit.isNumber() || limit.asDouble() < 0) {
      throw CosmosException.wrong("The property 'maxMillis' must be a number of milliseconds.");
    }
    return limit.asLong();
  }
}
