package dev.mayfly.engine.index;

import dev.mayfly.value.FieldPath;

/**
 * Inclusion or exclusion of paths in a wildcard index. Immutable.
 *
 * <p>The most precise scope that covers a path decides: a deeper one before a shallower one, a leaf
 * before a subtree. A path that no scope covers is included.
 */
public record Scope(FieldPath path, Reach reach, boolean included) {
  /** The step for all elements of an array. */
  public static final String ELEMENTS = "[]";

  /** Extent of a scope. */
  public enum Reach {
    /** Only the value at the path. */
    LEAF,
    /** The path and everything below it. */
    SUBTREE
  }

  /** Includes a path and everything below it. */
  public static Scope include(FieldPath path) {
    return new Scope(path, Reach.SUBTREE, true);
  }

  /** Excludes a path and everything below it. */
  public static Scope exclude(FieldPath path) {
    return new Scope(path, Reach.SUBTREE, false);
  }

  /** Includes only the value at a path; an explicit index then has an entry if it is missing. */
  public static Scope includeLeaf(FieldPath path) {
    return new Scope(path, Reach.LEAF, true);
  }

  /** Excludes only the value at a path. */
  public static Scope excludeLeaf(FieldPath path) {
    return new Scope(path, Reach.LEAF, false);
  }

  /** Returns the precision: the scope with the highest one decides. */
  int precision() {
    return 2 * path.length() + (reach == Reach.LEAF ? 1 : 0);
  }

  boolean covers(FieldPath other) {
    return reach == Reach.LEAF ? other.equals(path) : other.startsWith(path);
  }

  /** Returns whether all steps of a path are names of fields. */
  static boolean isPlain(FieldPath path) {
    for (int i = 0; i < path.length(); i++) {
      if (path.index(i) >= 0 || path.step(i).equals(ELEMENTS)) {
        return false;
      }
    }
    return path.length() > 0;
  }
}
