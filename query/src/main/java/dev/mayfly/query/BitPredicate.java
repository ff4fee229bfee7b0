package dev.mayfly.query;

/** What is asked of several bits at once. */
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

  /** True when bits that are set are wanted. */
  boolean wantsSet() {
    return set;
  }

  /** True when every bit has to be as wanted, false when one is enough. */
  boolean wantsAll() {
    return all;
  }
}
