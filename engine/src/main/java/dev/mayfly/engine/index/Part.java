package dev.mayfly.engine.index;

import dev.mayfly.value.FieldPath;

/**
 * Part of an index: a path, a direction and a kind.
 *
 * @param path the path of the value; for a wildcard, the path below which every value is indexed
 * @param kind determines the components of a document in the keys
 */
public record Part(FieldPath path, boolean descending, IndexKind kind) {
  /** Returns an ascending part. */
  public static Part ascending(FieldPath path) {
    return new Part(path, false, new ValueKind());
  }

  /** Returns a descending part. */
  public static Part descending(FieldPath path) {
    return new Part(path, true, new ValueKind());
  }

  /** Returns a wildcard part for all paths below a path. */
  public static Part wildcard(FieldPath below) {
    return new Part(below, false, new WildcardKind());
  }

  /** Returns a {@code 2dsphere} part. */
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
