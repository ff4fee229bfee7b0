package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.Failures;
import dev.mayfly.engine.Charge;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.TryRead;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.http.Reply;
import java.util.Optional;

/** {@code GET .../docs/id}: point read; 200, 304 if the client has this version, or 404. */
public final class ReadItem implements Endpoint {
  private final Items items;

  public ReadItem(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    Container container = items.container(exchange);
    Optional<StoredDocument> found = read(exchange, container);
    if (found.isEmpty()) {
      exchange.charge(Charge.MISS);
      throw Failures.of(new EngineException(Reason.NOT_FOUND, container.id()));
    }
    StoredDocument stored = found.get();
    exchange.charge(Charge.read(stored.document().length()));
    boolean unchanged = stored.version() == Items.knownVersion(exchange.request());
    int status = unchanged ? ItemOperation.Done.NOT_MODIFIED : ItemOperation.Done.OK;
    return Items.reply(exchange, container, new ItemOperation.Done(status, found));
  }

  private static Optional<StoredDocument> read(Exchange exchange, Container container) {
    Collection collection = container.collection();
    DocumentKey key = Items.key(exchange, container);
    if (exchange.mayBlock()) {
      return collection.read(key);
    }
    return switch (collection.tryRead(key)) {
      case TryRead.Done(Optional<StoredDocument> found) -> found;
      case TryRead.NotCached _ -> throw new WouldBlock();
    };
  }
}
