package dev.mayfly.engine.index;

import dev.mayfly.query.Mode;

/** How the paths of an index lead into documents. */
public enum Traversal {
  /** MongoDB: arrays on the way fan out, one entry per element. */
  IMPLICIT(Mode.MATCH),

  /**
   * Cosmos: a path leads to one value. In an index of fixed parts an array or object counts as
   * undefined; in a wildcard index it has an entry that says what it is, and the elements of arrays
   * have paths of their own with the step {@link Scope#ELEMENTS}.
   */
  EXPLICIT(Mode.SQL);

  private final Mode mode;

  Traversal(Mode mode) {
    this.mode = mode;
  }

  /** How filters over such an index are read. */
  public Mode mode() {
    return mode;
  }
}
