package dev.mayfly.cosmos.attachment;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.http.Request;
import java.util.Locale;
import java.util.Set;

/** Uploaded media: bytes and content type. */
final class Content {
  static final String UNKNOWN = "application/octet-stream";

  private static final int MAX_BYTES = 2 << 20;
  private static final Set<String> TYPES =
      Set.of(
          "application",
          "audio",
          "chemical",
          "example",
          "font",
          "image",
          "message",
          "model",
          "multipart",
          "text",
          "video");

  private final byte[] bytes;
  private final String type;

  Content(byte[] bytes, String type) {
    this.bytes = bytes;
    this.type = type;
  }

  /**
   * Returns the media that a request uploads.
   *
   * @throws CosmosException 400 if the type is unknown; 413
   */
  static Content of(Request request) {
    String header = request.header(HeaderNames.CONTENT_TYPE);
    String type = header == null || header.isBlank() ? UNKNOWN : header;
    int slash = type.indexOf('/');
    String family = type.substring(0, Math.max(slash, 0)).toLowerCase(Locale.ROOT);
    if (!TYPES.contains(family)) {
      throw CosmosException.wrong("The content type '" + type + "' of the media is invalid.");
    }
    if (request.body().length > MAX_BYTES) {
      throw new CosmosException(
          Status.TOO_LARGE, CosmosException.errors("Request size is too large"));
    }
    return new Content(request.body(), type);
  }

  /** Returns the bytes, which must not be modified. */
  byte[] bytes() {
    return bytes;
  }

  String type() {
    return type;
  }
}
