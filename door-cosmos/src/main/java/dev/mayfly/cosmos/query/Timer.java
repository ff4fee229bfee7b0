package dev.mayfly.cosmos.query;

import dev.mayfly.expiry.Clock;

/**
 * Measures how long a page takes.
 *
 * @param startedAt time of the query, for functions of the current time
 * @param clockStart time of the clock at the beginning of the page
 */
record Timer(Clock clock, long startedAt, long clockStart) {
  static Timer start(Clock clock, long now) {
    return new Timer(clock, now, clock.now());
  }

  long millis() {
    return Math.max(0, clock.now() - clockStart);
  }

  boolean passed(long limit) {
    return millis() >= limit;
  }
}
