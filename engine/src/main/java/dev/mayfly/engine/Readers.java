package dev.mayfly.engine;

import java.util.TreeMap;

/** The instants at which cursors are reading: the sweep leaves to them what was live then. */
final class Readers {
  private final TreeMap<Long, Integer> open = new TreeMap<>();

  synchronized void enter(long now) {
    open.merge(now, 1, Integer::sum);
  }

  synchronized void leave(long now) {
    open.computeIfPresent(now, (_, count) -> count == 1 ? null : count - 1);
  }

  /** The oldest instant at which somebody reads; {@link Long#MAX_VALUE} when nobody does. */
  synchronized long oldest() {
    return open.isEmpty() ? Long.MAX_VALUE : open.firstKey();
  }
}
