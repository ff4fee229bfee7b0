package dev.mayfly.expiry;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Manual clock, for tests: moves forward only. A standing clock stops between its moves. An offset
 * clock goes on with another clock, ahead of it by the sum of its moves. Safe for many threads.
 */
public final class ManualClock implements Clock {
  /** The end of the year 9999, the last year in ISO 8601 dates with four digits. */
  private static final long LAST = 253_402_300_799_999L;

  private final Clock base;
  private final boolean stands;
  private final AtomicLong offset;

  /** Creates a standing clock. */
  public ManualClock(long epochMillis) {
    this(() -> 0, true, epochMillis);
  }

  private ManualClock(Clock base, boolean stands, long offset) {
    this.base = base;
    this.stands = stands;
    this.offset = new AtomicLong(offset);
  }

  /** Returns an offset clock, which shows the time of the other clock until it is moved. */
  public static ManualClock offset(Clock base) {
    return new ManualClock(base, false, 0);
  }

  @Override
  public long now() {
    return base.now() + offset.get();
  }

  /** Whether it stops between its moves. */
  public boolean stands() {
    return stands;
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
    long time = base.now();
    long most = Math.max(0, LAST - time - offset.get());
    if (by.compareTo(Duration.ofMillis(most)) > 0) {
      throw new IllegalArgumentException("a manual clock cannot go beyond the year 9999: " + by);
    }
    return time + offset.addAndGet(by.toMillis());
  }
}
