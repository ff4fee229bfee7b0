package dev.mayfly.cosmos.rest;

import dev.mayfly.http.Request;
import java.util.OptionalInt;

/** The header {@code x-ms-max-item-count}: the number of results that a client wants in a page. */
public final class MaxItemCount {
  private MaxItemCount() {}

  /**
   * Reads the header.
   *
   * @return empty when it is missing; 0 or less leaves the number to the server
   * @throws CosmosException 400 when it is no number of 32 bits
   */
  public static OptionalInt of(Request request) {
    String text = request.header(HeaderNames.MAX_ITEM_COUNT);
    if (text == null || text.isEmpty()) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(Integer.parseInt(text.strip()));
    } catch (NumberFormatException nonsense) {
      throw CosmosException.header(HeaderNames.MAX_ITEM_COUNT, text);
    }
  }
}
