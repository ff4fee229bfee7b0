package dev.mayfly.admin;

import dev.mayfly.value.Document;

/** Answers requests of the admin API. Safe for many threads. */
@FunctionalInterface
public interface AdminRequests {
  /**
   * Handles a request.
   *
   * @param path relative to {@link AdminApi#ROOT}, URL-encoded
   * @throws AdminException when the request fails
   */
  Document answer(String method, String path, Document body);
}
