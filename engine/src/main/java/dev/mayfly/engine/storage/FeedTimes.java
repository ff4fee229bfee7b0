package dev.mayfly.engine.storage;

import java.util.ArrayList;
import java.util.List;

/**
 * Positions in a feed at which the times of changes go back, oldest first. A time goes back when a
 * clock leap is revoked. Between two of these positions, times go back by a few seconds at most.
 * Immutable.
 */
public record FeedTimes(List<Back> backs) {
  public static final FeedTimes NONE = new FeedTimes(List.of());

  /** The first change after a leap was revoked, and its time in epoch milliseconds. */
  public record Back(long position, long time) {}

  public FeedTimes {
    backs = List.copyOf(backs);
  }

  /** Returns these positions and one more at the end, without those that are trimmed. */
  public FeedTimes with(Back next, long trimmedTo) {
    List<Back> kept = new ArrayList<>();
    for (Back back : backs) {
      if (back.position() > trimmedTo && back.position() != next.position()) {
        kept.add(back);
      }
    }
    kept.add(next);
    return new FeedTimes(kept);
  }

  /**
   * Returns an upper bound of the actual time of a change. It is below the recorded time if a clock
   * leap was revoked later.
   *
   * @param time the recorded time of the change
   */
  public long latestTime(long position, long time) {
    long latest = time;
    for (Back back : backs) {
      latest = back.position() > position ? Math.min(latest, back.time()) : latest;
    }
    return latest;
  }

  public byte[] encode() {
    ByteBuilder to = new ByteBuilder();
    backs.forEach(back -> to.varint(back.position()).varint(back.time()));
    return to.bytes();
  }

  public static FeedTimes decode(byte[] stored) {
    ByteCursor cursor = new ByteCursor(stored, 0);
    List<Back> backs = new ArrayList<>();
    while (!cursor.atEnd()) {
      backs.add(new Back(cursor.varint(), cursor.varint()));
    }
    return new FeedTimes(backs);
  }
}
