package dev.mayfly.engine.read;

import dev.mayfly.engine.WouldBlock;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Decides which queries of a collection are tried on the event loop: short ones, whose index
 * entries and records are in memory. Whether a query is short is known only by running it, so an
 * attempt that fails costs its work twice. After failures, fewer queries are tried; after
 * successes, more.
 *
 * <p>Example: after three failures in a row, one query of eight is tried. Safe for many threads.
 */
public final class InlineQueries {
  /** How many index entries and records a query may read on the event loop: some 100 us. */
  static final int MAX_LOOKS = 64;

  private static final int MAX_CAUTION = 7;

  /** One query of {@code 1 << caution} is tried. Lost updates do no harm. */
  private volatile int caution;

  /**
   * Begins an attempt.
   *
   * @throws WouldBlock if this query is not tried
   */
  public void begin() {
    int now = caution;
    if (now > 0 && ThreadLocalRandom.current().nextInt(1 << now) != 0) {
      throw new WouldBlock();
    }
  }

  /** Ends an attempt. */
  public void end(boolean succeeded) {
    int now = caution;
    int next = Math.clamp(succeeded ? now - 1 : now + 1, 0, MAX_CAUTION);
    if (next != now) {
      caution = next;
    }
  }
}
