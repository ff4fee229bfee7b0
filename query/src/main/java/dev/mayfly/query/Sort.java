package dev.mayfly.query;

import dev.mayfly.value.FieldPath;

/**
 * One key of an order: the path whose value counts, the direction, and how texts compare.
 *
 * @param collation what values are folded with before they are compared
 */
public record Sort(FieldPath path, boolean descending, Collation collation) {
  /** Texts compared by their bytes. */
  public Sort(FieldPath path, boolean descending) {
    this(path, descending, Collation.SIMPLE);
  }

  /** Smallest first. */
  public static Sort ascending(FieldPath path) {
    return new Sort(path, false);
  }

  /** Largest first. */
  public static Sort descending(FieldPath path) {
    return new Sort(path, true);
  }

  /** The same key with texts compared by a collation. */
  public Sort collated(Collation other) {
    return new Sort(path, descending, other);
  }
}
