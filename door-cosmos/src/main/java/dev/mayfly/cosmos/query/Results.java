package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.MaxItemCount;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Results of one page in JSON. For one thread. */
final class Results {
  private static final int DEFAULT_COUNT = 100;
  private static final int MAX_COUNT = 1000;
  private static final int MAX_BYTES = 4 << 20;

  private final ByteArrayOutputStream json = new ByteArrayOutputStream(1024);
  private final int maxCount;
  private final int head;
  private int count;

  Results(Container container, int maxCount) {
    this.maxCount = maxCount;
    append("{\"_rid\":\"" + container.rid() + "\",\"Documents\":[");
    this.head = json.size();
  }

  /** Returns the maximum number of results; with -1 the server chooses. */
  static int maxCount(Request request) {
    int requested = MaxItemCount.of(request).orElse(DEFAULT_COUNT);
    return requested > 0 ? requested : MAX_COUNT;
  }

  void add(Value result) {
    separate();
    try {
      Json.write(result, json);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  void add(byte[] result) {
    separate();
    json.writeBytes(result);
  }

  private void separate() {
    if (count++ > 0) {
      json.write(',');
    }
  }

  boolean full() {
    return count >= maxCount || json.size() >= MAX_BYTES;
  }

  int maxCount() {
    return maxCount;
  }

  int count() {
    return count;
  }

  int bytes() {
    return json.size() - head;
  }

  private void append(String ascii) {
    json.writeBytes(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  /** Completes the page and returns the reply. */
  Reply reply() {
    append("],\"_count\":" + count + "}");
    return new Reply(200)
        .header(HeaderNames.ITEM_COUNT, Integer.toString(count))
        .body(json.toByteArray());
  }
}
