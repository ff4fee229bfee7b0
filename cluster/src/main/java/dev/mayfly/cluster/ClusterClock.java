package dev.mayfly.cluster;

import dev.mayfly.expiry.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Clock of a server of a cluster: the system clock or the highest instant that other servers have
 * sent, whichever is later.
 *
 * <p>It stays below the ceiling, the instant that this server has published with its last sign of
 * life: the next owner of a cell begins at the ceiling at the earliest, so no document that was
 * expired comes back. And it does not follow a system clock that jumps: until the jump is verified
 * with other machines, it goes on by the monotonic clock. A manual clock is always right. Safe for
 * many threads.
 */
final class ClusterClock implements Clock {
  private final Clock system;
  private final LongSupplier ticker;
  private final long maxSkewMillis;
  private final AtomicLong heard = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong ceiling = new AtomicLong();
  private volatile Anchor anchor;

  /** A reading of both clocks that is believed. */
  private record Anchor(long millis, long nanos) {
    long at(long tick) {
      return millis + TimeUnit.NANOSECONDS.toMillis(tick - nanos);
    }
  }

  /**
   * @param ticker the monotonic clock in nanoseconds
   * @param maxSkew a jump of the system clock by more is not believed
   */
  ClusterClock(Clock system, LongSupplier ticker, Duration maxSkew) {
    this.system = system;
    this.ticker = ticker;
    this.maxSkewMillis = maxSkew.toMillis();
    this.anchor = new Anchor(system.now(), ticker.getAsLong());
  }

  @Override
  public boolean isManual() {
    return system.isManual();
  }

  /** The time that operations use: below the ceiling. */
  @Override
  public long now() {
    long time = time();
    return isManual() ? time : Math.min(time, ceiling.get() - 1);
  }

  /** Returns the time without regard to the ceiling. */
  long time() {
    if (isManual()) {
      return system.now();
    }
    return Math.max(believed(), heard.get());
  }

  private long believed() {
    long time = system.now();
    long expected = anchor.at(ticker.getAsLong());
    return Math.abs(time - expected) > maxSkewMillis ? expected : time;
  }

  /** Returns what the system clock shows, be it right or wrong. */
  long systemTime() {
    return system.now();
  }

  /** Records that the system clock agrees with other machines. */
  void verified() {
    anchor = new Anchor(system.now(), ticker.getAsLong());
  }

  /** Records that no machine was compared: small differences of both clocks are drift. */
  void unverifiable() {
    long time = system.now();
    long tick = ticker.getAsLong();
    if (Math.abs(time - anchor.at(tick)) <= maxSkewMillis) {
      anchor = new Anchor(time, tick);
    }
  }

  /** Raises the ceiling to an instant that was published. */
  void ceiling(long until) {
    ceiling.accumulateAndGet(until, Math::max);
  }

  /**
   * Takes notice of the time of another server: from now on this clock shows at least this time.
   *
   * @return false if that is too far ahead; it is ignored then
   */
  boolean hear(long instant) {
    if (isManual()) {
      return true;
    }
    if (instant > believed() + maxSkewMillis) {
      return false;
    }
    if (heard.get() < instant) {
      heard.accumulateAndGet(instant, Math::max);
    }
    return true;
  }
}
