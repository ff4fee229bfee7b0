package dev.mayfly.cli.doctor;

import dev.mayfly.value.Document;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Source of a report: a running server, or a data directory that no server has open. */
public interface ReportSource extends AutoCloseable {
  /** Sends a request without a body to the {@link dev.mayfly.admin.AdminApi}. */
  Document request(String method, String path);

  /**
   * Returns the text at a path outside of the admin API, such as {@code /metrics}, with any status;
   * empty if this is not a server.
   */
  Optional<String> text(String path);

  @Override
  void close();

  /** Path of a collection in the admin API. */
  static String path(String database, String collection) {
    return "/collections/" + escaped(database) + "/" + escaped(collection);
  }

  /** A name as a part of a path. */
  static String escaped(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
