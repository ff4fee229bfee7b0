package dev.mayfly.cosmos.query;

import dev.mayfly.expiry.Clock;

/**
 * How long a page has taken.
 *
 * @param startedAt the instant of the query, which its functions tell
 * @param began what the clock said when the page began
 */
record Timer(Clock clock, long startedAt, long began) {
  static Timer start(Clock clock, long now) {
    return new Timer(clock, now, clock.now());
  }

  long millis() {
    return Math.max(0, clock.now() - began);
  }

  boolean passed(long limit) {
    return millis() >= limit;
  }
}
