package dev.mayfly.engine.sweep;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Rate limiter of background work: determines how long a task rests after a slice, so that
 * foreground operations go first. The package description contains the policy and its numbers. Safe
 * for many threads.
 */
public final class Pacer {
  /** Length of a rest while the foreground is busy, as a multiple of the slice. */
  private static final int REST_FACTOR = 4;

  private static final long MAX_REST_NANOS = 20_000_000;

  /** Lag from which on a task does not rest. */
  private static final long MAX_LAG_MILLIS = 10_000;

  private final LongSupplier ticker;
  private final BooleanSupplier reading;

  /** An adder: operations on different cores must not share a cache line. */
  private final LongAdder operations = new LongAdder();

  private final Set<Object> busy = ConcurrentHashMap.newKeySet();

  /**
   * @param ticker nanoseconds from any origin
   * @param reading returns whether a query is open that began a short time ago
   */
  public Pacer(LongSupplier ticker, BooleanSupplier reading) {
    this.ticker = ticker;
    this.reading = reading;
  }

  /** Counts an operation of the foreground. */
  public void foreground() {
    operations.increment();
  }

  /** The number of foreground operations. */
  long operations() {
    return operations.sum();
  }

  public long ticks() {
    return ticker.getAsLong();
  }

  /**
   * Records whether a task has more work: these tasks share the time that the foreground leaves.
   */
  public void busy(Object task, boolean more) {
    if (more) {
      busy.add(task);
    } else {
      busy.remove(task);
    }
  }

  /**
   * Returns how long to rest after a slice, in nanoseconds.
   *
   * @param before the number of foreground operations when the slice began
   * @param took the length of the slice in nanoseconds
   * @param lagMillis how long the task has lagged
   */
  long rest(long before, long took, long lagMillis) {
    if (operations.sum() == before && !reading.getAsBoolean()) {
      return 0;
    }
    int sharing = Math.max(busy.size(), 1);
    long rest = Math.min(took * REST_FACTOR, MAX_REST_NANOS) * sharing;
    return (long) (rest * restFactor(lagMillis));
  }

  /**
   * Returns the factor for rests: 1 for a task that keeps up, down to 0 for one that lags too long.
   */
  public static double restFactor(long lagMillis) {
    return Math.max(MAX_LAG_MILLIS - Math.max(lagMillis, 0), 0) / (double) MAX_LAG_MILLIS;
  }
}
