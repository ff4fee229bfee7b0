package dev.mayfly.query;

/** Index of the array element that matched, set during a match. */
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
