package dev.mayfly.query;

import dev.mayfly.value.FieldPath;

/** One key of an order: the path whose value counts, and the direction. */
public record Sort(FieldPath path, boolean descending) {
  /** Smallest first. */
  public static Sort ascending(FieldPath path) {
    return new Sort(path, false);
  }

  /** Largest first. */
  public static Sort descending(FieldPath path) {
    return new Sort(path, true);
  }
}
