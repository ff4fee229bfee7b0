package dev.mayfly.engine;

import java.util.TreeMap;
import java.util.function.LongSupplier;

/** The instants at which cursors are reading: the sweep leaves to them what was live then. */
final class Readers {
  private final TreeMap<Long, Integer> open = new TreeMap<>();

  /**
   * Notes a reader and takes its look at the clock. Both at once: a sweep that looks in between
   * would take away what has just expired, but was live for the reader.
   */
  synchronized long enter(LongSupplier clock) {
    long now = clock.getAsLong();
    open.merge(now, 1, Integer::sum);
    return now;
  }

  synchronized void leave(long now) {
    open.computeIfPresent(now, (_, count) -> count == 1 ? null : count - 1);
  }

  /** The oldest instant at which somebody reads; {@link Long#MAX_VALUE} when nobody does. */
  synchronized long oldest() {
    return open.isEmpty() ? Long.MAX_VALUE : open.firstKey();
  }
}
