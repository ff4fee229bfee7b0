package dev.mayfly.engine.index;

import dev.mayfly.query.Mode;

/** Array semantics of the paths of an index. */
public enum Traversal {
  /** MongoDB: a path traverses arrays, with one entry per element. */
  IMPLICIT(Mode.MATCH),

  /**
   * Cosmos DB: a path leads to one value. In an index of fixed parts an array or object counts as
   * undefined. In a wildcard index it has an entry with its type, and array elements have paths
   * with the step {@link Scope#ELEMENTS}.
   */
  EXPLICIT(Mode.SQL);

  private final Mode mode;

  Traversal(Mode mode) {
    this.mode = mode;
  }

  /** The mode in which filters are evaluated. */
  public Mode mode() {
    return mode;
  }
}
