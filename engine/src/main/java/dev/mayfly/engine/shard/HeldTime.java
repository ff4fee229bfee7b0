package dev.mayfly.engine.shard;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Measures for how long writers hold what all writers of a shard share: its lock in exclusive mode,
 * and the section that orders their commits. A benchmark switches it on with the system property
 * {@code mayfly.measureLocks}; otherwise the JIT compiler removes it.
 *
 * <p>The measured time includes one reading of the ticker per section. Safe for many threads.
 */
public final class HeldTime {
  private static final boolean ON = Boolean.getBoolean("mayfly.measureLocks");
  private static final LongAdder NANOS = new LongAdder();
  private static final LongAdder SECTIONS = new LongAdder();

  /** Set before the first engine is opened. */
  private static LongSupplier ticker = () -> 0;

  private HeldTime() {}

  /** Sets the clock for durations, in nanoseconds. */
  public static void useTicker(LongSupplier nanos) {
    ticker = nanos;
  }

  /** Returns whether it measures. */
  public static boolean isOn() {
    return ON;
  }

  /** Returns the nanoseconds that all sections have taken so far. */
  public static long nanos() {
    return NANOS.sum();
  }

  /** Returns the number of sections that have ended. */
  public static long sections() {
    return SECTIONS.sum();
  }

  /** Returns the start of a section, for {@link #end}. Call it when the lock is held. */
  static long start() {
    return ON ? ticker.getAsLong() : 0;
  }

  /** Ends a section. Call it before the lock is released. */
  static void end(long start) {
    if (ON) {
      NANOS.add(ticker.getAsLong() - start);
      SECTIONS.increment();
    }
  }
}
