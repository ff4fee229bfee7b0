package dev.mayfly.engine.index;

import dev.mayfly.value.FieldPath;

/**
 * One part of an index.
 *
 * @param path where the value is; of a wildcard, the path below which every value is indexed
 * @param wildcard true when each entry holds the path of its value, then the value
 */
public record Part(FieldPath path, boolean descending, boolean wildcard) {
  /** A path, smallest value first. */
  public static Part ascending(FieldPath path) {
    return new Part(path, false, false);
  }

  /** A path, largest value first. */
  public static Part descending(FieldPath path) {
    return new Part(path, true, false);
  }

  /** Every path below this one. */
  public static Part wildcard(FieldPath below) {
    return new Part(below, false, true);
  }
}
