package dev.mayfly.query;

/** Where in an array the element lies by which a document passed; written while it is asked. */
final class MatchedPosition {
  static final int NONE = -1;

  private int index = NONE;

  int index() {
    return index;
  }

  void set(int index) {
    this.index = index;
  }
}
