package dev.mayfly.engine.catalog;

import java.util.function.LongConsumer;

/**
 * The engine's one count of writes: versions, positions and the order of rule changes.
 *
 * <p>Numbers are handed out from blocks whose end has been made durable, so that none is handed out
 * twice, whatever happens to the process.
 */
public final class Sequence {
  private static final long BLOCK = 1 << 20;

  private final LongConsumer reserve;
  private long next;
  private long ceiling;

  /**
   * @param start the first number: the end of the last block that was reserved
   * @param reserve makes durable that numbers below its argument are taken
   */
  public Sequence(long start, LongConsumer reserve) {
    this.reserve = reserve;
    this.next = start;
    this.ceiling = start;
  }

  public long next() {
    return next(1);
  }

  /** Hands out so many numbers in a row and returns the first. */
  public synchronized long next(long count) {
    if (next + count > ceiling) {
      long end = next + count + BLOCK;
      reserve.accept(end);
      ceiling = end;
    }
    long first = next;
    next += count;
    return first;
  }

  /** The number that comes next. */
  public synchronized long peek() {
    return next;
  }
}
