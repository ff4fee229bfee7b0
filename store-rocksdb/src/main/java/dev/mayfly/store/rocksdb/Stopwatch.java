package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreStats.Timed;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counts operations and their total duration. Safe for many threads. */
final class Stopwatch {
  private final LongSupplier ticker;
  private final LongAdder count = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private volatile long lastNanos;

  Stopwatch(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /** Returns the start of an operation, to be passed at its end. */
  long start() {
    return ticker.getAsLong();
  }

  void ended(long start) {
    long taken = ticker.getAsLong() - start;
    count.increment();
    nanos.add(taken);
    lastNanos = taken;
  }

  /** Returns the duration of the operation that ended last; 0 before the first. */
  long lastNanos() {
    return lastNanos;
  }

  Timed timed() {
    return new Timed(count.sum(), nanos.sum());
  }
}
