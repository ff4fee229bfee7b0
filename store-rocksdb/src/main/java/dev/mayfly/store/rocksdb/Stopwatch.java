package dev.mayfly.store.rocksdb;

import dev.mayfly.store.StoreStats.Timed;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counts operations and their total duration. Safe for many threads. */
final class Stopwatch {
  private final LongSupplier ticker;
  private final LongAdder count = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  Stopwatch(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /** Returns the start of an operation, to be passed at its end. */
  long start() {
    return ticker.getAsLong();
  }

  void ended(long start) {
    count.increment();
    nanos.add(ticker.getAsLong() - start);
  }

  Timed timed() {
    return new Timed(count.sum(), nanos.sum());
  }
}
