package dev.mayfly.mongo.admin;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.SweepStats;
import dev.mayfly.engine.Usage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Parameters and counters of MongoDB's TTL monitor, applied to the sweep of the engine.
 *
 * <p>The engine sweeps when documents expire, not periodically. In addition a pass is made and
 * counted every {@code ttlMonitorSleepSecs}, because some clients wait for one. Thread-safe.
 */
public final class TtlMonitor {
  private final Engine engine;
  private final LongSupplier ticker;
  private final AtomicLong passes = new AtomicLong();
  private final AtomicLong lastPassNanos;
  private volatile long sleepSeconds = 60;

  /**
   * A monitor whose first pass is one sleep from now.
   *
   * @param ticker monotonic nanoseconds
   */
  public TtlMonitor(Engine engine, LongSupplier ticker) {
    this.engine = engine;
    this.ticker = ticker;
    this.lastPassNanos = new AtomicLong(ticker.getAsLong());
  }

  /** Makes a pass if it is due. Called periodically. */
  public void tick() {
    long now = ticker.getAsLong();
    long last = lastPassNanos.get();
    boolean due = now - last >= TimeUnit.SECONDS.toNanos(sleepSeconds);
    if (due && !engine.expiryPaused() && lastPassNanos.compareAndSet(last, now)) {
      engine.clockMoved();
      passes.incrementAndGet();
    }
  }

  long sleepSeconds() {
    return sleepSeconds;
  }

  void sleepSeconds(long seconds) {
    sleepSeconds = seconds;
  }

  boolean enabled() {
    return !engine.expiryPaused();
  }

  void enabled(boolean on) {
    if (on) {
      engine.resumeExpiry();
    } else {
      engine.pauseExpiry();
    }
  }

  /** Returns the number of passes, periodic ones and those of the engine. */
  long passes() {
    return passes.get() + stats().passes();
  }

  SweepStats stats() {
    return engine.sweepStats();
  }

  /** Returns the expired documents that are not swept yet. */
  Usage backlog() {
    return engine.backlog();
  }
}
