package dev.mayfly.cluster;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Lease of a server on its cells, by the monotonic clock: it lasts for a while from the start of
 * the last sign of life that was written.
 *
 * <p>Terms are numbered. A sign of life that is written after the lease has ended begins a new
 * term: cells that were claimed in an earlier one are not served until they are claimed again,
 * because another server may be claiming them. Safe for many threads; asking takes no lock.
 */
final class Lease {
  private final LongSupplier ticker;
  private final long nanos;

  /** The current term; number 0 before the first one. */
  private volatile Term term = new Term(0, 0);

  private record Term(long number, long end) {}

  /**
   * @param ticker the monotonic clock in nanoseconds
   */
  Lease(LongSupplier ticker, Duration length) {
    this.ticker = ticker;
    this.nanos = length.toNanos();
  }

  /**
   * Extends the lease after a sign of life was written.
   *
   * @param start when the server began to write it
   */
  synchronized void renew(long start) {
    long now = ticker.getAsLong();
    Term before = term;
    long end = start + nanos;
    if (end - now <= 0) {
      return;
    }
    term = new Term(isValid(before, now) ? before.number() : before.number() + 1, end);
  }

  private static boolean isValid(Term term, long now) {
    return term.number() > 0 && now - term.end() < 0;
  }

  /** Returns the number of the current term; 0 if there is no lease. */
  long current() {
    Term now = term;
    return isValid(now, ticker.getAsLong()) ? now.number() : 0;
  }

  /** Returns whether the lease has not ended since a term has begun. */
  boolean holds(long number) {
    Term now = term;
    return now.number() == number && isValid(now, ticker.getAsLong());
  }
}
