package dev.mayfly.cosmos.feed;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.item.ItemForm;
import dev.mayfly.cosmos.item.Items;
import dev.mayfly.cosmos.item.KeyRange;
import dev.mayfly.cosmos.item.PartitionKeys;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * {@code GET .../docs}: all items in the order of their keys, in pages.
 *
 * <p>A page ends when it is full or when it has examined enough items: with a range of effective
 * keys a page may be empty although the next one is not.
 */
public final class ReadFeed implements Endpoint {
  private static final int MAX_EXAMINED = 10_000;

  private final Items items;

  public ReadFeed(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    Request request = exchange.request();
    Container container = items.container(exchange);
    KeyRange range = KeyRange.of(request, container);
    Page page = new Page(container, request);
    String next = "";
    try (Cursor cursor = open(container.collection(), range.prefix(), exchange)) {
      int examined = 0;
      Document last = Document.EMPTY;
      while (next.isEmpty() && cursor.next()) {
        if (page.full() || examined == MAX_EXAMINED) {
          next = ReadFeedContinuation.of(key(container, last));
        } else {
          last = cursor.document();
          examined++;
          if (range.includes(container, last)) {
            page.add(ItemForm.json(container, cursor.current()));
          }
        }
      }
      exchange.charge(cursor.charge());
    }
    Reply reply = page.reply(Items.lsn(container.collection()));
    return next.isEmpty() ? reply : reply.header(HeaderNames.CONTINUATION, next);
  }

  private static Cursor open(Collection collection, List<Value> prefix, Exchange exchange) {
    String continuation = exchange.request().header(HeaderNames.CONTINUATION);
    return continuation == null || continuation.isEmpty()
        ? collection.records(exchange, prefix)
        : collection.records(exchange, prefix, ReadFeedContinuation.parse(continuation));
  }

  private static DocumentKey key(Container container, Document item) {
    return new DocumentKey(PartitionKeys.of(container, item), item.field("id"));
  }
}
