package dev.mayfly.cosmos.feed;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.item.Items;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.MaxItemCount;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Items of one reply in JSON. For one thread. */
final class Page {
  private static final int DEFAULT_ITEMS = 100;
  private static final int MAX_ITEMS = 1000;
  private static final int MAX_BYTES = 4 << 20;

  private final Container container;
  private final int maxItems;
  private final ByteArrayOutputStream json = new ByteArrayOutputStream(1024);
  private int count;

  Page(Container container, Request request) {
    this.container = container;
    this.maxItems = maxItems(request);
    append("{\"_rid\":\"" + container.rid() + "\",\"Documents\":[");
  }

  /** Returns the maximum number of items; with -1 the server chooses. */
  private static int maxItems(Request request) {
    int requested = MaxItemCount.of(request).orElse(DEFAULT_ITEMS);
    return requested > 0 ? Math.min(requested, MAX_ITEMS) : DEFAULT_ITEMS;
  }

  void add(byte[] item) {
    if (count > 0) {
      json.write(',');
    }
    json.writeBytes(item);
    count++;
  }

  boolean full() {
    return count >= maxItems || json.size() >= MAX_BYTES;
  }

  int count() {
    return count;
  }

  private void append(String ascii) {
    json.writeBytes(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  /** Completes the page and returns the reply. */
  Reply reply(long lsn) {
    append("],\"_count\":" + count + "}");
    Reply reply =
        new Reply(200)
            .header(HeaderNames.ITEM_COUNT, Integer.toString(count))
            .body(json.toByteArray());
    return Items.located(reply, container, lsn);
  }
}
