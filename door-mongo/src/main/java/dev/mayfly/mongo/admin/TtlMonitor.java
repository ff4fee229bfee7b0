package dev.mayfly.mongo.admin;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.SweepStats;
import dev.mayfly.engine.Usage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The face of the sweep that MongoDB's parameters and counters know.
 *
 * <p>The engine sweeps when something is due, without a fixed nap. A pass is made and counted at
 * least every {@code ttlMonitorSleepSecs} all the same, for those who wait for one. Safe for many
 * threads.
 */
public final class TtlMonitor {
  private final Engine engine;
  private final LongSupplier ticker;
  private final AtomicLong passes = new AtomicLong();
  private final AtomicLong lastPassNanos;
  private volatile long sleepSeconds = 60;

  /**
   * A monitor whose first pass comes after its first sleep.
   *
   * @param ticker nanoseconds that go on by themselves
   */
  public TtlMonitor(Engine engine, LongSupplier ticker) {
    this.engine = engine;
    this.ticker = ticker;
    this.lastPassNanos = new AtomicLong(ticker.getAsLong());
  }

  /** Makes a pass when it is time for one; called again and again. */
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

  /** Passes that were made by the clock, and those the engine made because something was due. */
  long passes() {
    return passes.get() + stats().passes();
  }

  SweepStats stats() {
    return engine.sweepStats();
  }

  /** What has expired and is still to be swept. */
  Usage backlog() {
    return engine.backlog();
  }
}
