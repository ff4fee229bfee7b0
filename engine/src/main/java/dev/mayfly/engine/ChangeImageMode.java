package dev.mayfly.engine;

/** Which images of a document its changes carry. */
public enum ChangeImageMode {
  NONE(false, false),
  BEFORE(true, false),
  AFTER(false, true),
  BOTH(true, true),
  /** The new document of inserts and replacements; of updates what they have changed. */
  DIFFERENCES(false, true);

  private final boolean before;
  private final boolean after;

  ChangeImageMode(boolean before, boolean after) {
    this.before = before;
    this.after = after;
  }

  /** Whether a change shows the whole document before it. */
  public boolean before() {
    return before;
  }

  /** Whether a change shows the whole document after it; see {@link #DIFFERENCES} for updates. */
  public boolean after() {
    return after;
  }
}
