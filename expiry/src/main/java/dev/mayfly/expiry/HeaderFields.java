package dev.mayfly.expiry;

import java.util.Arrays;

/**
 * Builder of a {@link Header}: the fields of one document. Mutable and reusable; used by one thread
 * at a time.
 */
public final class HeaderFields {
  /** The document has no {@code ttl}. */
  public static final int NO_TTL = 0;

  /** The document has {@code ttl: -1}: it does not expire. */
  public static final int NEVER = -1;

  private long sequence;
  private long born;
  private long writtenAt;
  private int ttl;
  private int count;
  private int[] lanes = new int[4];
  private long[] places = new long[4];

  /**
   * Starts a header.
   *
   * @param sequence of the write
   * @param born the sequence of the insert
   * @param writtenAt epoch milliseconds of the write
   * @param ttlSeconds the document's {@code ttl}, {@link #NEVER} or {@link #NO_TTL}
   */
  public HeaderFields begin(long sequence, long born, long writtenAt, int ttlSeconds) {
    assert born <= sequence;
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
      throw new IllegalStateException("a header has at most " + Header.MAX_PLACES + " places");
    }
    if (count == lanes.length) {
      lanes = Arrays.copyOf(lanes, count * 2);
      places = Arrays.copyOf(places, count * 2);
    }
    lanes[count] = lane;
    places[count++] = place;
    return this;
  }

  /**
   * Makes this the header of a document that is touched, not written. Called after all places.
   *
   * @param instant of the touch
   * @param version the sequence of the last write of the document
   */
  public HeaderFields touched(long instant, long version) {
    return place(Header.TOUCHED, instant).place(Header.VERSION, version);
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
