package dev.mayfly.expiry;

/** Deadline of a document: the first instant at which it is not visible, in epoch milliseconds. */
public final class Deadline {
  /** The deadline of a document that does not expire. */
  public static final long NEVER = Long.MAX_VALUE;

  private Deadline() {}

  /**
   * Returns the deadline of a document at a place of a lane with a TTL. On overflow it is {@link
   * #NEVER}.
   */
  public static long of(long place, long lifeMillis) {
    if (place == Header.NO_PLACE) {
      return NEVER;
    }
    long deadline = place + lifeMillis;
    return lifeMillis > 0 && deadline < place ? NEVER : deadline;
  }

  /** Returns true from the deadline on. */
  public static boolean passed(long deadline, long now) {
    return deadline <= now;
  }
}
