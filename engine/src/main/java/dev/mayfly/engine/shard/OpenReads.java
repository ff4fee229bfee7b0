package dev.mayfly.engine.shard;

import java.util.TreeMap;
import java.util.function.LongSupplier;

/** The instants at which cursors are reading: the sweep leaves to them what was live then. */
public final class OpenReads {
  /** How long a cursor can keep the sweep from what it may still read. */
  public static final long LONGEST_READ_MILLIS = 600_000;

  private final TreeMap<Long, Integer> open = new TreeMap<>();
  private long latestInPause = Long.MIN_VALUE;

  /**
   * Notes a reader and takes its look at the clock. Both at once: a sweep that looks in between
   * would take away what has just expired, but was live for the reader.
   *
   * @param paused whether expiry is paused, so that the reader sees what is long due
   */
  public synchronized long enter(LongSupplier clock, boolean paused) {
    long now = clock.getAsLong();
    open.merge(now, 1, Integer::sum);
    latestInPause = paused ? now : latestInPause;
    return now;
  }

  /** Whether somebody who began while expiry was paused, and after an instant, still reads. */
  public synchronized boolean readsFromPause(long since) {
    return !open.isEmpty() && open.firstKey() <= latestInPause && latestInPause >= since;
  }

  public synchronized void leave(long now) {
    open.computeIfPresent(now, (_, count) -> count == 1 ? null : count - 1);
  }

  /** The oldest instant at which somebody reads; {@link Long#MAX_VALUE} when nobody does. */
  public synchronized long oldest() {
    return open.isEmpty() ? Long.MAX_VALUE : open.firstKey();
  }
}
