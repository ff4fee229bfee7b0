package dev.mayfly.engine.index;

import dev.mayfly.value.FieldPath;

/**
 * One part of an index.
 *
 * @param path the path of the value; of a wildcard, the path below which every value is indexed
 * @param kind which components a document has in the keys
 */
public record Part(FieldPath path, boolean descending, IndexKind kind) {
  /** A path, smallest value first. */
  public static Part ascending(FieldPath path) {
    return new Part(path, false, new ValueKind());
  }

  /** A path, largest value first. */
  public static Part descending(FieldPath path) {
    return new Part(path, true, new ValueKind());
  }

  /** Every path below this one. */
  public static Part wildcard(FieldPath below) {
    return new Part(below, false, new WildcardKind());
  }

  /** A path to geometries on the sphere. */
  public static Part sphere(FieldPath path) {
    return new Part(path, false, new SphereKind());
  }

  /** See {@link IndexKind#manyPaths}. */
  public boolean manyPaths() {
    return kind.manyPaths();
  }

  /** See {@link IndexKind#derived}. */
  public boolean derived() {
    return kind.derived();
  }

  /** See {@link IndexKind#plain}. */
  public boolean plain() {
    return kind.plain();
  }
}
