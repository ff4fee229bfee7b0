package dev.mayfly.cli;

import dev.mayfly.value.Document;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Target of a command: a running server, or a directory that no server has open. */
interface CommandTarget extends AutoCloseable {
  /**
   * Sends a request to the {@link dev.mayfly.admin.AdminApi}.
   *
   * @throws CommandFailure when the request fails
   */
  Document request(String method, String path, Document body);

  default Document request(String method, String path) {
    return request(method, path, Document.EMPTY);
  }

  @Override
  void close();

  /** Path of a collection named {@code database.collection}. */
  static String path(String namespace) {
    int dot = namespace.indexOf('.');
    if (dot <= 0 || dot == namespace.length() - 1) {
      throw CommandFailure.usage(
          "A collection must be DATABASE.COLLECTION, a container"
              + " cosmos:DATABASE.CONTAINER, not '"
              + namespace
              + "'.");
    }
    return "/collections/"
        + escaped(namespace.substring(0, dot))
        + "/"
        + escaped(namespace.substring(dot + 1));
  }

  static String escaped(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
