package dev.mayfly.cosmos.rest;

/**
 * Number of a resource: the cell that has created it, and the value of a counter of that cell. So
 * the numbers of two cells differ. In the home cell, and on a server that is alone, it is the
 * counter.
 *
 * @param cell number of the cell, from 0 to 511
 */
public record ResourceNumber(int cell, int counter) {
  private static final int COUNTER_BITS = 22;
  private static final int MAX_COUNTER = (1 << COUNTER_BITS) - 1;
  private static final int THREE_BYTES = (1 << 24) - 1;

  /** Returns the two parts of a number. */
  public static ResourceNumber of(int value) {
    return new ResourceNumber(value >>> COUNTER_BITS, value & MAX_COUNTER);
  }

  /** Returns the number. */
  public int value() {
    return (cell << COUNTER_BITS) + counter;
  }

  /**
   * Returns a number of three bytes. The bits of the cell are reversed, so that the numbers of two
   * cells stay apart as long as possible: up to a counter of 65,535 with 256 cells, and longer with
   * fewer of them.
   */
  int inThreeBytes() {
    return (counter ^ (Integer.reverse(cell) >>> (Integer.SIZE - 24))) & THREE_BYTES;
  }
}
