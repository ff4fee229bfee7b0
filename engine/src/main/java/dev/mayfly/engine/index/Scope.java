package dev.mayfly.engine.index;

import dev.mayfly.value.FieldPath;

/**
 * Says for some paths whether a wildcard index holds them.
 *
 * <p>The most precise scope that covers a path decides: a deeper one before a shallower one, a leaf
 * before a subtree. A path that no scope covers is held.
 */
public record Scope(FieldPath path, Reach reach, boolean included) {
  /** The step that stands for the elements of an array, whatever their place. */
  public static final String ELEMENTS = "[]";

  /** How far a scope reaches. */
  public enum Reach {
    /** The value at the path alone. */
    LEAF,
    /** The path and everything below it. */
    SUBTREE
  }

  /** Holds the path and everything below it. */
  public static Scope include(FieldPath path) {
    return new Scope(path, Reach.SUBTREE, true);
  }

  /** Leaves out the path and everything below it. */
  public static Scope exclude(FieldPath path) {
    return new Scope(path, Reach.SUBTREE, false);
  }

  /** Holds the value at the path alone; an explicit index then has an entry for its absence. */
  public static Scope includeLeaf(FieldPath path) {
    return new Scope(path, Reach.LEAF, true);
  }

  /** Leaves out the value at the path alone. */
  public static Scope excludeLeaf(FieldPath path) {
    return new Scope(path, Reach.LEAF, false);
  }

  /** Larger for what decides first. */
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
