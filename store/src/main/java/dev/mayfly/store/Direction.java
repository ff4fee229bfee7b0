package dev.mayfly.store;

/** Which way a scan runs. */
public enum Direction {
  /** From the lowest key to the highest. */
  UP,
  /** From the highest key to the lowest. */
  DOWN
}
