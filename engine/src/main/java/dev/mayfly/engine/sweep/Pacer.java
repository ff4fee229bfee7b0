package dev.mayfly.engine.sweep;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Foreground first: how long background work rests after a slice. The policy and its numbers are in
 * the description of this package.
 */
public final class Pacer {
  /** How many times its own length a slice rests while the foreground is busy. */
  private static final int REST = 4;

  private static final long LONGEST_REST_NANOS = 20_000_000;

  /** How long work may be behind before it rests no more. */
  private static final long PATIENCE_MILLIS = 10_000;

  private final LongSupplier ticker;
  private final AtomicLong operations = new AtomicLong();
  private final Set<Object> busy = ConcurrentHashMap.newKeySet();

  /**
   * @param ticker nanoseconds from any origin
   */
  public Pacer(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /** Notes an operation of the foreground. */
  public void foreground() {
    operations.lazySet(operations.getPlain() + 1);
  }

  /** How many operations of the foreground there were, about. */
  long operations() {
    return operations.get();
  }

  public long ticks() {
    return ticker.getAsLong();
  }

  /** Notes whether a task has more to do: all that have share what the foreground leaves. */
  public void busy(Object task, boolean more) {
    if (more) {
      busy.add(task);
    } else {
      busy.remove(task);
    }
  }

  /**
   * How long to rest after a slice, in nanoseconds.
   *
   * @param before the operations of the foreground when it began
   * @param took its length in nanoseconds
   * @param lagMillis how long the task has been behind
   */
  long rest(long before, long took, long lagMillis) {
    if (operations.get() == before) {
      return 0;
    }
    int sharing = Math.max(busy.size(), 1);
    long rest = Math.min(took * REST, LONGEST_REST_NANOS) * sharing;
    return (long) (rest * patience(lagMillis));
  }

  /** From 1 for a task that keeps up, down to 0 for one that has been behind for too long. */
  public static double patience(long lagMillis) {
    return Math.max(PATIENCE_MILLIS - Math.max(lagMillis, 0), 0) / (double) PATIENCE_MILLIS;
  }
}
