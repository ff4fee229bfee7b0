package dev.mayfly.mongo.schema;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;

/**
 * Parser of {@code mayflyGraceSeconds}: the time within which a TTL change can be undone. This
 * option is Mayfly's own.
 */
final class Grace {
  static final String FIELD = "mayflyGraceSeconds";

  private static final long MILLIS = 1000;
  private static final long MAX_SECONDS = Integer.MAX_VALUE;

  private Grace() {}

  /**
   * Returns the spec with the grace of the request; unchanged if the request has none.
   *
   * @throws CommandException if it is negative
   */
  static CollectionSpec withGrace(Section request, CollectionSpec spec) {
    if (!request.has(FIELD)) {
      return spec;
    }
    long seconds = Math.min(request.number(FIELD), MAX_SECONDS);
    if (seconds < 0) {
      throw CommandException.outOfBounds(FIELD, ">= 0", seconds);
    }
    return spec.withTimeToLive(spec.timeToLive().withGrace(seconds * MILLIS));
  }
}
