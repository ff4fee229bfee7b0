package dev.mayfly.expiry;

/** The first instant at which a document is not visible, in epoch milliseconds. */
public final class Deadline {
  /** The deadline of a document that does not expire. */
  public static final long NEVER = Long.MAX_VALUE;

  private Deadline() {}

  /** The deadline of a document at {@code place} of a lane with that life; never wraps around. */
  public static long of(long place, long lifeMillis) {
    if (place == Header.NO_PLACE) {
      return NEVER;
    }
    long deadline = place + lifeMillis;
    return lifeMillis > 0 && deadline < place ? NEVER : deadline;
  }

  /** True from the deadline itself onwards. */
  public static boolean passed(long deadline, long now) {
    return deadline <= now;
  }
}
