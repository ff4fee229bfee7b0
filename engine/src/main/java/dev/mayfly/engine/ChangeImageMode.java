package dev.mayfly.engine;

/** Images of a document in its changes. */
public enum ChangeImageMode {
  NONE(false, false),
  BEFORE(true, false),
  AFTER(false, true),
  BOTH(true, true),
  /** The new document of inserts and replacements; the changed fields of updates. */
  DIFFERENCES(false, true);

  private final boolean before;
  private final boolean after;

  ChangeImageMode(boolean before, boolean after) {
    this.before = before;
    this.after = after;
  }

  /** Returns whether a change has the whole document before it. */
  public boolean before() {
    return before;
  }

  /** Returns whether a change has the document after it; see {@link #DIFFERENCES} for updates. */
  public boolean after() {
    return after;
  }
}
