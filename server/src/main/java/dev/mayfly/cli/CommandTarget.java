package dev.mayfly.cli;

import dev.mayfly.cli.doctor.ReportSource;
import dev.mayfly.value.Document;

/** Target of a command: a running server, or a directory that no server has open. */
interface CommandTarget extends ReportSource {
  /**
   * Sends a request to the {@link dev.mayfly.admin.AdminApi}.
   *
   * @throws CommandFailure when the request fails
   */
  Document request(String method, String path, Document body);

  @Override
  default Document request(String method, String path) {
    return request(method, path, Document.EMPTY);
  }

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
    return ReportSource.path(namespace.substring(0, dot), namespace.substring(dot + 1));
  }
}
