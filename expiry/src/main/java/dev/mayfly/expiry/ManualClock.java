package dev.mayfly.expiry;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is moved by hand, and only moves forward. */
public final class ManualClock implements Clock {
  /** The end of the year 9999, the last that dates have a common form for. */
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
  public boolean movedByHand() {
    return true;
  }

  /**
   * Moves the clock forward and returns the new time.
   *
   * @throws IllegalArgumentException when that is back, or beyond the year 9999
   */
  public long advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("a clock does not go back: " + by);
    }
    long most = Math.max(0, LAST - millis.get());
    if (by.compareTo(Duration.ofMillis(most)) > 0) {
      throw new IllegalArgumentException("a clock does not go beyond the year 9999: " + by);
    }
    return millis.addAndGet(by.toMillis());
  }
}
