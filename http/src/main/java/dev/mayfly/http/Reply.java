package dev.mayfly.http;

import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What a client is told. Filled by one thread, then handed over. */
public final class Reply {
  private static final byte[] NO_BODY = {};
  private static final int USUAL_HEADERS = 16;
  private static final String JSON = "application/json";

  private final int status;
  private String[] headers = new String[2 * USUAL_HEADERS];
  private int used;
  private byte[] body = NO_BODY;
  private String contentType = JSON;

  public Reply(int status) {
    this.status = status;
  }

  /** Adds a header; one of that name replaces what was said before. */
  public Reply header(String name, String value) {
    for (int i = 0; i < used; i += 2) {
      if (headers[i].equals(name)) {
        headers[i + 1] = value;
        return this;
      }
    }
    if (used == headers.length) {
      headers = Arrays.copyOf(headers, 2 * used);
    }
    headers[used++] = name;
    headers[used++] = value;
    return this;
  }

  /** JSON to be sent; taken over, not copied. */
  public Reply body(byte[] json) {
    return body(json, JSON);
  }

  /** Something to be sent, and what it is; taken over, not copied. */
  public Reply body(byte[] bytes, String type) {
    body = bytes;
    contentType = type;
    return this;
  }

  public int status() {
    return status;
  }

  public byte[] body() {
    return body;
  }

  /** What the body is. */
  public String contentType() {
    return contentType;
  }

  /** The header of that name, as it was written; null when there is none. */
  public @Nullable String header(String name) {
    for (int i = 0; i < used; i += 2) {
      if (headers[i].equals(name)) {
        return headers[i + 1];
      }
    }
    return null;
  }

  /** Tells all headers, in the order they were added. */
  public void headers(BiConsumer<String, String> each) {
    for (int i = 0; i < used; i += 2) {
      each.accept(headers[i], headers[i + 1]);
    }
  }
}
