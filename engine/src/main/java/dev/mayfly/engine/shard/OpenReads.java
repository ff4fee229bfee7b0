package dev.mayfly.engine.shard;

import dev.mayfly.engine.OperationContext;
import java.util.TreeMap;

/**
 * Instants of open cursors and transactions: the sweep does not remove documents that were live at
 * these instants, for a limited time. Safe for many threads.
 *
 * <p>While a leap of the clock is in doubt, a reader reads at the later time and is registered at
 * the confirmed one, like everything that decides about removals.
 */
public final class OpenReads {
  /** How long a cursor or transaction can delay the sweep. */
  public static final long MAX_READ_MILLIS = 600_000;

  /** By the confirmed time at which they began. */
  private final TreeMap<Long, Integer> open = new TreeMap<>();

  private long latestInPause = Long.MIN_VALUE;

  /** The latest result of {@link #horizon}: documents live before it may be removed. */
  private long latestHorizon = Long.MIN_VALUE;

  /**
   * An open reader.
   *
   * @param now the instant at which it reads
   * @param since the confirmed time when it began
   */
  public record Reading(long now, long since) {}

  /**
   * Registers a reader at the instant of its operation. If the sweep may have removed documents
   * that were live at this instant, the operation goes on at a new one.
   *
   * @param confirmed the latest confirmed time
   * @param paused whether expiry is paused, so that the reader sees documents that are due
   */
  public synchronized Reading enter(OperationContext operation, long confirmed, boolean paused) {
    long now = operation.now() < latestHorizon ? operation.renew() : operation.now();
    Reading reading = new Reading(now, Math.min(now, confirmed));
    open.merge(reading.since(), 1, Integer::sum);
    latestInPause = paused ? reading.since() : latestInPause;
    return reading;
  }

  /**
   * Returns whether a reader is open that started while expiry was paused, and after an instant.
   */
  public synchronized boolean readsFromPause(long since) {
    return !open.isEmpty() && open.firstKey() <= latestInPause && latestInPause >= since;
  }

  public synchronized void leave(Reading reading) {
    open.computeIfPresent(reading.since(), (_, count) -> count == 1 ? null : count - 1);
  }

  /**
   * Returns the instant at which documents must have been expired to be removed: not after the
   * oldest instant at which an open reader began. Readers that enter later read at this instant or
   * at a later one.
   *
   * @param now the confirmed time
   */
  public synchronized long horizon(long now) {
    long horizon = Math.max(oldest(), now - MAX_READ_MILLIS);
    latestHorizon = Math.max(latestHorizon, Math.min(now, horizon));
    return horizon;
  }

  /** Returns whether a reader is open that began after a confirmed time. */
  public synchronized boolean startedAfter(long instant) {
    return !open.isEmpty() && open.lastKey() > instant;
  }

  /**
   * The confirmed time when the oldest open reader began; {@link Long#MAX_VALUE} if there is none.
   */
  public synchronized long oldest() {
    return open.isEmpty() ? Long.MAX_VALUE : open.firstKey();
  }
}
