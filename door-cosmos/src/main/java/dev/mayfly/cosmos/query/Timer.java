package dev.mayfly.cosmos.query;

import dev.mayfly.expiry.Clock;

/**
 * Measures how long a page takes.
 *
 * @param clockStart time of the clock at the beginning of the page
 */
record Timer(Clock clock, long clockStart) {
  static Timer start(Clock clock) {
    return new Timer(clock, clock.now());
  }

  long millis() {
    return Math.max(0, clock.now() - clockStart);
  }

  boolean passed(long limit) {
    return millis() >= limit;
  }
}
