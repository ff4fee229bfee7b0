package dev.mayfly.cli;

import dev.mayfly.value.Document;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Where a command is done: a server that runs, or a directory that none has open. */
interface CommandTarget extends AutoCloseable {
  /**
   * Asks what {@link dev.mayfly.admin.AdminApi} answers.
   *
   * @throws CommandFailure when it is refused
   */
  Document ask(String method, String path, Document body);

  default Document ask(String method, String path) {
    return ask(method, path, Document.EMPTY);
  }

  @Override
  void close();

  /** The path of a collection that is named as {@code database.collection}. */
  static String path(String namespace) {
    int dot = namespace.indexOf('.');
    if (dot <= 0 || dot == namespace.length() - 1) {
      throw CommandFailure.usage(
          "A collection is named DATABASE.COLLECTION, a container cosmos:DATABASE.CONTAINER, not '"
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
