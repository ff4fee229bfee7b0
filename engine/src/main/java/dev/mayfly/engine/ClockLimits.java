package dev.mayfly.engine;

/**
 * Limits within which the wall clock is trusted.
 *
 * @param leapMillis a difference of more than this between the wall clock and the monotonic clock
 *     is a step; 0 to trust every reading
 * @param confirmMillis how long the wall clock must run steadily after a step forward before it is
 *     confirmed without an operator; for a step of more than 100 times as much, 1 % of the step
 */
public record ClockLimits(long leapMillis, long confirmMillis) {
  /** A step is more than 5 minutes, and is confirmed after 10 minutes. */
  public static final ClockLimits STANDARD = new ClockLimits(5 * 60_000, 10 * 60_000);

  private static final long CONFIRM_SHARE = 100;

  public ClockLimits {
    if (leapMillis < 0 || confirmMillis < 0) {
      throw new IllegalArgumentException("limits of the clock are negative");
    }
  }

  /** Returns how long the wall clock must run steadily after a step before it is confirmed. */
  public long confirmMillis(long leap) {
    return Math.max(confirmMillis, leap / CONFIRM_SHARE);
  }
}
