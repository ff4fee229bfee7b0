package dev.mayfly.expiry;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is moved by hand, and only moves forward. */
public final class HandClock implements Clock {
  private final AtomicLong millis;

  public HandClock(long epochMillis) {
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

  /** Moves the clock forward and returns the new time. */
  public long advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("a clock does not go back: " + by);
    }
    return millis.addAndGet(by.toMillis());
  }
}
