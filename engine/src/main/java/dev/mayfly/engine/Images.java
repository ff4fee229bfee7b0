package dev.mayfly.engine;

/** Which images of a document its changes carry. */
public enum Images {
  NONE(false, false),
  BEFORE(true, false),
  AFTER(false, true),
  BOTH(true, true);

  private final boolean before;
  private final boolean after;

  Images(boolean before, boolean after) {
    this.before = before;
    this.after = after;
  }

  public boolean before() {
    return before;
  }

  public boolean after() {
    return after;
  }
}
