package dev.mayfly.engine.shard;

import dev.mayfly.engine.OperationContext;
import java.util.TreeMap;

/**
 * Instants of open cursors and transactions: the sweep does not remove documents that were live at
 * these instants, for a limited time. Safe for many threads.
 */
public final class OpenReads {
  /** How long a cursor or transaction can delay the sweep. */
  public static final long MAX_READ_MILLIS = 600_000;

  private final TreeMap<Long, Integer> open = new TreeMap<>();
  private long latestInPause = Long.MIN_VALUE;

  /** The latest result of {@link #horizon}: documents live before it may be removed. */
  private long latestHorizon = Long.MIN_VALUE;

  /**
   * Registers a reader at the instant of its operation and returns the instant. If the sweep may
   * have removed documents that were live at this instant, the operation goes on at a new one.
   *
   * @param paused whether expiry is paused, so that the reader sees documents that are due
   */
  public synchronized long enter(OperationContext operation, boolean paused) {
    long now = operation.now() < latestHorizon ? operation.renew() : operation.now();
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

  /**
   * Returns the instant at which documents must have been expired to be removed: not after the
   * oldest instant that an open reader may read. Readers that enter later read at this instant or
   * at a later one.
   *
   * @param now the confirmed time
   */
  public synchronized long horizon(long now) {
    long horizon = Math.max(oldest(), now - MAX_READ_MILLIS);
    latestHorizon = Math.max(latestHorizon, Math.min(now, horizon));
    return horizon;
  }

  /** The oldest instant of an open reader; {@link Long#MAX_VALUE} if there is none. */
  public synchronized long oldest() {
    return open.isEmpty() ? Long.MAX_VALUE : open.firstKey();
  }
}
