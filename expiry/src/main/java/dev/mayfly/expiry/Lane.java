package dev.mayfly.expiry;

import dev.mayfly.value.Document;

/**
 * Lane: the documents of one rule, ordered by place. A document expires {@code lifeMillis} after
 * its place.
 *
 * @param number identifies the lane within its collection
 * @param lifeMillis the TTL of the rule, counted from the place
 * @param since the first sequence whose headers contain the place; for older documents {@code
 *     places} computes it
 * @param places computes the place of a document that was written before {@code since}
 * @param sliding whether reads move documents to later places, so that the place in a header may be
 *     later than {@code places} computes
 */
public record Lane(int number, long lifeMillis, long since, Places places, boolean sliding) {
  /** Documents without a {@code ttl}, by the second of their last write. */
  public static final int INHERITED = 0;

  /** Documents with a {@code ttl}, by the second at which they expire. */
  public static final int OWN = 1;

  /** The first number of lanes with explicit places in headers. */
  public static final int FIRST_EXPLICIT = 2;

  /** A lane whose documents stay at their places until they are written. */
  public Lane(int number, long lifeMillis, long since, Places places) {
    this(number, lifeMillis, since, places, false);
  }

  /** Function from a document to its place in one lane. */
  @FunctionalInterface
  public interface Places {
    /**
     * Returns the place, or {@link Header#NO_PLACE} if the document is not in the lane.
     *
     * @param usedAt epoch milliseconds of the last write, or of a touch: a sliding lane starts the
     *     life of a document then
     */
    long of(Document document, long usedAt);
  }

  /** The highest place that is expired at an instant. */
  public long cutoff(long now) {
    long cutoff = now - lifeMillis;
    return cutoff > now ? Long.MIN_VALUE : cutoff;
  }

  /**
   * Returns whether the place follows from the write time and {@code ttl} of a header, so that the
   * header has no explicit place.
   */
  static boolean implicit(int number) {
    return number < FIRST_EXPLICIT;
  }
}
