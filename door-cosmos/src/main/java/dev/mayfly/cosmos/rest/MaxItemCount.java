package dev.mayfly.cosmos.rest;

import dev.mayfly.http.Request;
import java.util.OptionalInt;

/** The header {@code x-ms-max-item-count}: the number of results per page. */
public final class MaxItemCount {
  private MaxItemCount() {}

  /**
   * Parses the header.
   *
   * @return empty if it is missing; 0 or less lets the server choose
   * @throws CosmosException 400 if it is not a 32-bit integer
   */
  public static OptionalInt of(Request request) {
    String text = request.header(HeaderNames.MAX_ITEM_COUNT);
    if (text == null || text.isEmpty()) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(Integer.parseInt(text.strip()));
    } catch (NumberFormatException invalid) {
      throw CosmosException.header(HeaderNames.MAX_ITEM_COUNT, text);
    }
  }
}
