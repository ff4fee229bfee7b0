package dev.mayfly.store;

/** Direction of a scan. */
public enum Direction {
  /** From the lowest key to the highest. */
  UP,
  /** From the highest key to the lowest. */
  DOWN
}
