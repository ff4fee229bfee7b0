package dev.mayfly.expiry;

/**
 * What has expired stays expired: documents of a lane at or below a place, last written before a
 * sequence, are dead whatever the rules say now.
 *
 * <p>A mark made when a rule changes is a watermark; a mark made by the sweep says that those
 * documents have been swept.
 *
 * @param lifeMillis how long the lane had let documents live when they expired
 * @param since as {@link Lane#since()} of that lane
 */
public record Mark(
    int lane, long place, long sequence, long lifeMillis, long since, Lane.Places places) {

  /** True when this mark kills all that {@code other} kills. */
  public boolean covers(Mark other) {
    return lane == other.lane && place >= other.place && sequence >= other.sequence;
  }
}
