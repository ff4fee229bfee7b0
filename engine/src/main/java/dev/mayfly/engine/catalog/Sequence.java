package dev.mayfly.engine.catalog;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Sequence of the engine: numbers all writes and rule changes. Its numbers are versions of
 * documents, positions of changes and the order of rule changes.
 *
 * <p>Numbers come from blocks whose end is durable, so that no number is used twice, even after a
 * crash. Safe for many threads; only a new block takes a lock.
 */
public final class Sequence {
  private static final long BLOCK = 1 << 20;

  private final LongConsumer reserve;
  private final AtomicLong next;
  private volatile long ceiling;

  /**
   * @param start the first number: the end of the last reserved block
   * @param reserve makes durable that numbers below its argument are used
   */
  public Sequence(long start, LongConsumer reserve) {
    this.reserve = reserve;
    this.next = new AtomicLong(start);
    this.ceiling = start;
  }

  public long next() {
    return next(1);
  }

  /** Returns the first of some consecutive numbers. */
  public long next(long count) {
    long first = next.getAndAdd(count);
    if (first + count > ceiling) {
      reserveBelow(first + count);
    }
    return first;
  }

  private synchronized void reserveBelow(long end) {
    if (end > ceiling) {
      reserve.accept(end + BLOCK);
      ceiling = end + BLOCK;
    }
  }

  /** The number after the last one that was used. */
  public long peek() {
    return next.get();
  }
}
