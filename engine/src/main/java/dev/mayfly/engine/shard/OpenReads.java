package dev.mayfly.engine.shard;

import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Instants of open cursors and transactions: the sweep does not remove documents that were live at
 * these instants, for a limited time. Safe for many threads.
 */
public final class OpenReads {
  /** How long a cursor or transaction can delay the sweep. */
  public static final long MAX_READ_MILLIS = 600_000;

  private final TreeMap<Long, Integer> open = new TreeMap<>();
  private long latestInPause = Long.MIN_VALUE;

  /**
   * Registers a reader and reads the clock, atomically: between the two, a sweep could remove
   * documents that are live at the instant of the reader.
   *
   * @param paused whether expiry is paused, so that the reader sees documents that are due
   */
  public synchronized long enter(LongSupplier clock, boolean paused) {
    long now = clock.getAsLong();
    open.merge(now, 1, Integer::sum);
    latestInPause = paused ? now : latestInPause;
    return now;
  }

  /**
   * Returns whether a reader is open that started while expiry was paused, and after an instant.
   */
  public synchronized boolean readsFromPause(long since) {
    return !open.isEmpty() && open.firstKey() <= latestInPause && latestInPause >= since;
  }

  public synchronized void leave(long now) {
    open.computeIfPresent(now, (_, count) -> count == 1 ? null : count - 1);
  }

  /** The oldest instant of an open reader; {@link Long#MAX_VALUE} if there is none. */
  public synchronized long oldest() {
    return open.isEmpty() ? Long.MAX_VALUE : open.firstKey();
  }
}
