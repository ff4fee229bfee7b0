package dev.mayfly.expiry;

import java.util.Arrays;

/**
 * What an entry knows of its document's life, ready to be written as a {@link Header}.
 *
 * <p>Mutable and reusable by one thread: a writer fills it once per document.
 */
public final class HeaderFields {
  /** The document has no {@code ttl} of its own. */
  public static final int NO_TTL = 0;

  /** The document's own {@code ttl} says that it never expires. */
  public static final int NEVER = -1;

  private long sequence;
  private long born;
  private long writtenAt;
  private int ttl;
  private int count;
  private int[] lanes = new int[4];
  private long[] places = new long[4];

  /** Starts anew: a document written at {@code writtenAt} as {@code sequence}. */
  public HeaderFields begin(long sequence, long born, long writtenAt, int ttlSeconds) {
    this.sequence = sequence;
    this.born = born;
    this.writtenAt = writtenAt;
    this.ttl = ttlSeconds;
    this.count = 0;
    return this;
  }

  /** Adds a place in an explicit lane; {@link Header#NO_PLACE} adds nothing. */
  public HeaderFields place(int lane, long place) {
    if (place == Header.NO_PLACE) {
      return this;
    }
    if (count == Header.MAX_PLACES) {
      throw new IllegalStateException("more lanes than a header holds");
    }
    if (count == lanes.length) {
      lanes = Arrays.copyOf(lanes, count * 2);
      places = Arrays.copyOf(places, count * 2);
    }
    lanes[count] = lane;
    places[count++] = place;
    return this;
  }

  public long sequence() {
    return sequence;
  }

  public long born() {
    return born;
  }

  public long writtenAt() {
    return writtenAt;
  }

  public int ttl() {
    return ttl;
  }

  int count() {
    return count;
  }

  int laneAt(int i) {
    return lanes[i];
  }

  long placeAt(int i) {
    return places[i];
  }
}
