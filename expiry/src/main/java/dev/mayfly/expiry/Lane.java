package dev.mayfly.expiry;

import dev.mayfly.value.Document;

/**
 * An order in which documents expire: each stands at a place, and is expired once its place plus
 * the lane's life has come.
 *
 * @param number identifies the lane within its collection; never used again for another
 * @param lifeMillis how long after its place a document lives
 * @param since the first sequence whose headers tell the place; for older documents {@code places}
 *     reads it from the document
 * @param places finds the place of a document that was written before {@code since}
 */
public record Lane(int number, long lifeMillis, long since, Places places) {
  /** Documents without a {@code ttl} of their own, by the second of their last write. */
  public static final int INHERITED = 0;

  /** Documents with a {@code ttl} of their own, by the second at which it runs out. */
  public static final int OWN = 1;

  /** The first number free for lanes whose places are written out in headers. */
  public static final int FIRST_EXPLICIT = 2;

  /** Reads the place of a document in one lane from the document itself. */
  @FunctionalInterface
  public interface Places {
    /** The place, or {@link Header#NO_PLACE} when the document is not in the lane. */
    long of(Document document);
  }

  /** The highest place that is expired at {@code now}. */
  public long cutoff(long now) {
    long cutoff = now - lifeMillis;
    return cutoff > now ? Long.MIN_VALUE : cutoff;
  }

  /** True when the place is told by the fixed fields of a header, not by an explicit place. */
  static boolean implicit(int number) {
    return number < FIRST_EXPLICIT;
  }
}
