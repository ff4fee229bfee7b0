package dev.mayfly.expiry;

/**
 * Mark of a lane: documents at or below a place, last written before a sequence, are expired
 * regardless of the current rules. Immutable.
 *
 * <p>A rule change leaves a mark as a watermark. The sweep records with a mark that documents are
 * swept.
 *
 * @param lifeMillis the TTL of the lane when they expired
 * @param since as {@link Lane#since()} of that lane
 */
public record Mark(
    int lane, long place, long sequence, long lifeMillis, long since, Lane.Places places) {

  /** Returns whether this mark expires all documents that the other one expires. */
  public boolean covers(Mark other) {
    return lane == other.lane && place >= other.place && sequence >= other.sequence;
  }
}
