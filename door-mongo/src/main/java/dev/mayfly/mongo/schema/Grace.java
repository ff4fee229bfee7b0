package dev.mayfly.mongo.schema;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;

/** How long the expiries of a rule change can be undone: an option of our own. */
final class Grace {
  static final String FIELD = "mayflyGraceSeconds";

  private static final long MILLIS = 1000;
  private static final long MOST_SECONDS = Integer.MAX_VALUE;

  private Grace() {}

  /**
   * The spec with the grace that a request asks for, if it does.
   *
   * @throws CommandException when it is less than none
   */
  static CollectionSpec asked(Section request, CollectionSpec spec) {
    if (!request.has(FIELD)) {
      return spec;
    }
    long seconds = Math.min(request.number(FIELD), MOST_SECONDS);
    if (seconds < 0) {
      throw CommandException.outOfBounds(FIELD, ">= 0", seconds);
    }
    return spec.withTimeToLive(spec.timeToLive().withGrace(seconds * MILLIS));
  }
}
