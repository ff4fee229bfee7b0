package dev.mayfly.engine;

/** Which images of a document its changes carry. */
public enum Images {
  NONE(false, false, false),
  BEFORE(true, true, false),
  AFTER(false, false, true),
  BOTH(true, true, true),
  /** The new document of each write, and enough to tell what an update has changed in it. */
  DIFFERENCES(false, true, true);

  private final boolean before;
  private final boolean beforeUpdates;
  private final boolean after;

  Images(boolean before, boolean beforeUpdates, boolean after) {
    this.before = before;
    this.beforeUpdates = beforeUpdates;
    this.after = after;
  }

  /** Whether the end of a document shows it as it was. */
  public boolean before() {
    return before;
  }

  /** Whether a change of this kind shows the document before it. */
  boolean before(Change.Kind kind) {
    return kind == Change.Kind.UPDATE ? beforeUpdates : before;
  }

  public boolean after() {
    return after;
  }
}
