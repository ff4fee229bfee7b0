package dev.mayfly.query;

/** Predicate on several bits of a value. */
public enum BitPredicate {
  ALL_SET(true, true),
  ALL_CLEAR(false, true),
  ANY_SET(true, false),
  ANY_CLEAR(false, false);

  private final boolean set;
  private final boolean all;

  BitPredicate(boolean set, boolean all) {
    this.set = set;
    this.all = all;
  }

  /** Returns whether the bits must be set rather than clear. */
  boolean wantsSet() {
    return set;
  }

  /** Returns whether all bits must match; otherwise one is enough. */
  boolean wantsAll() {
    return all;
  }
}
