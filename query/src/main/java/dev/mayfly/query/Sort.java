package dev.mayfly.query;

import dev.mayfly.value.FieldPath;

/**
 * One sort key: path, direction and collation.
 *
 * @param collation by which values are folded before they are compared
 */
public record Sort(FieldPath path, boolean descending, Collation collation) {
  /** Creates a key that compares strings by their bytes. */
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

  /** Returns the same key with another collation. */
  public Sort collated(Collation other) {
    return new Sort(path, descending, other);
  }
}
