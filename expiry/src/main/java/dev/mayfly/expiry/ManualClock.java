package dev.mayfly.expiry;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Manual clock: stands still until it is moved, and moves forward only. Safe for many threads. */
public final class ManualClock implements Clock {
  /** The end of the year 9999, the last year in ISO 8601 dates with four digits. */
  private static final long LAST = 253_402_300_799_999L;

  private final AtomicLong millis;

  public ManualClock(long epochMillis) {
    millis = new AtomicLong(epochMillis);
  }

  @Override
  public long now() {
    return millis.get();
  }

  @Override
  public boolean isManual() {
    return true;
  }

  /**
   * Moves the clock forward and returns the new time.
   *
   * @throws IllegalArgumentException if the duration is negative or leads beyond the year 9999
   */
  public long advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("a manual clock cannot go back: " + by);
    }
    long most = Math.max(0, LAST - millis.get());
    if (by.compareTo(Duration.ofMillis(most)) > 0) {
      throw new IllegalArgumentException("a manual clock cannot go beyond the year 9999: " + by);
    }
    return millis.addAndGet(by.toMillis());
  }
}
