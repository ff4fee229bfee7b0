package dev.mayfly.engine;

/**
 * How far the wall clock is believed.
 *
 * @param leapMillis a difference of more than this between the wall clock and the monotonic clock
 *     is a leap; 0 to believe every reading
 * @param confirmMillis for how long the wall clock must go on after a leap forward before it is
 *     believed by itself; for a leap of more than a hundred times as much, a hundredth of it
 */
public record ClockLimits(long leapMillis, long confirmMillis) {
  /** A leap is more than 5 minutes, and is believed after 10 minutes. */
  public static final ClockLimits STANDARD = new ClockLimits(5 * 60_000, 10 * 60_000);

  private static final long CONFIRM_SHARE = 100;

  public ClockLimits {
    if (leapMillis < 0 || confirmMillis < 0) {
      throw new IllegalArgumentException("limits of the clock are negative");
    }
  }

  /** How long the wall clock must go on after a leap before it is believed by itself. */
  public long confirmMillis(long leap) {
    return Math.max(confirmMillis, leap / CONFIRM_SHARE);
  }
}
