package dev.mayfly.engine.catalog;

import java.util.function.LongConsumer;

/**
 * Sequence of the engine: the one counter for versions, feed positions and the order of rule
 * changes.
 *
 * <p>Numbers are reserved on disk in blocks before they are used, so that no number is used twice,
 * even after a crash. Safe for many threads.
 */
public final class Sequence {
  private static final long BLOCK = 1 << 20;

  private final LongConsumer reserve;
  private long next;
  private long ceiling;

  /**
   * @param start the first number: the end of the last reserved block
   * @param reserve stores durably that numbers below its argument are reserved
   */
  public Sequence(long start, LongConsumer reserve) {
    this.reserve = reserve;
    this.next = start;
    this.ceiling = start;
  }

  public long next() {
    return next(1);
  }

  /** Takes consecutive numbers and returns the first. */
  public synchronized long next(long count) {
    assert count > 0;
    if (next + count > ceiling) {
      long end = next + count + BLOCK;
      reserve.accept(end);
      ceiling = end;
    }
    long first = next;
    next += count;
    return first;
  }

  /** The next number, without taking it. */
  public synchronized long peek() {
    return next;
  }
}
