package dev.mayfly.engine.storage;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the times of changes in a feed go back, oldest first: a leap of the clock was taken back
 * there. From each of these places to the next one times do not go back, but for a few seconds.
 * Immutable.
 */
public record FeedTimes(List<Back> backs) {
  public static final FeedTimes NONE = new FeedTimes(List.of());

  /** The first change after a leap was taken back, and its time. */
  public record Back(long position, long time) {}

  public FeedTimes {
    backs = List.copyOf(backs);
  }

  /** This with another place at the end, without those up to a position that is trimmed. */
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

  /** An instant no later than its time at which a change at a position was made at the latest. */
  public long madeBy(long position, long time) {
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
