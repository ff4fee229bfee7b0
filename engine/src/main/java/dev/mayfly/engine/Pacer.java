package dev.mayfly.engine;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Foreground first: lets background work run in what the foreground leaves.
 *
 * <p>While operations come in, a background slice is followed by a rest of several times its
 * length; when none came in during the slice, there is no rest. The share never falls to nothing,
 * so that the backlog always shrinks.
 */
final class Pacer {
  /** How many times its own length a slice rests while the foreground is busy. */
  private static final int REST = 4;

  private static final long LONGEST_REST_NANOS = 20_000_000;
  private static final long SHORT_REST_NANOS = 2_000_000;

  private final LongSupplier ticker;
  private final AtomicLong operations = new AtomicLong();

  /**
   * @param ticker nanoseconds from any origin
   */
  Pacer(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /** Notes an operation of the foreground. */
  void foreground() {
    operations.lazySet(operations.getPlain() + 1);
  }

  /** Steps aside for a moment. */
  void rest() {
    LockSupport.parkNanos(SHORT_REST_NANOS);
  }

  /** Runs a slice of background work and rests afterwards if the foreground is busy. */
  <T> T run(Supplier<T> slice) {
    long before = operations.get();
    long start = ticker.getAsLong();
    T done = slice.get();
    long took = ticker.getAsLong() - start;
    if (operations.get() != before) {
      LockSupport.parkNanos(Math.min(took * REST, LONGEST_REST_NANOS));
    }
    return done;
  }
}
