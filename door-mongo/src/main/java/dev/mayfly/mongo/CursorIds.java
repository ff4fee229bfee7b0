package dev.mayfly.mongo;

import dev.mayfly.cluster.Member;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Cursor ids on several servers: the lowest ten bits are the slot of the server that has the
 * cursor, so that any other one finds it. The others are random.
 */
final class CursorIds {
  private CursorIds() {}

  /** Returns an id for a new cursor of a server. */
  static long next(int slot) {
    return ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE / Member.SLOTS) * Member.SLOTS
        + slot;
  }

  /** Returns the slot of the server that has a cursor. */
  static int slot(long cursor) {
    return (int) Math.floorMod(cursor, (long) Member.SLOTS);
  }
}
