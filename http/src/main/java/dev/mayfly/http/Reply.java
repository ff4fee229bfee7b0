package dev.mayfly.http;

import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * HTTP response: status, headers, body. Built by one thread, then handed to the server.
 *
 * <pre>{@code
 * new Reply(201).header("etag", "\"7\"").body(json)
 * }</pre>
 */
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

  /** Sets a header. Characters that HTTP does not allow in a value are percent-encoded. */
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

  /** Sets a JSON body, without copying it. */
  public Reply body(byte[] json) {
    return body(json, JSON);
  }

  /** Sets a body and its content type, without copying it. */
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

  /** Returns the content type of the body. */
  public String contentType() {
    return contentType;
  }

  /** Returns the value of a header; null if it is not set. The name is case-sensitive. */
  public @Nullable String header(String name) {
    for (int i = 0; i < used; i += 2) {
      if (headers[i].equals(name)) {
        return headers[i + 1];
      }
    }
    return null;
  }

  /** Passes all headers to a consumer, in the order in which they were set. */
  public void headers(BiConsumer<String, String> each) {
    for (int i = 0; i < used; i += 2) {
      each.accept(headers[i], headers[i + 1]);
    }
  }
}
