package dev.mayfly.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes whose outcome is known and whose commit is yet to come, so that several callers share it:
 * nobody is to be told of an outcome before {@link #keep} has returned. Belongs to one thread.
 */
public final class Pledge {
  private final List<Given> given = new ArrayList<>(1);

  private record Given(Turns turns, Turn turn) {}

  void give(Turns turns, Turn turn) {
    given.add(new Given(turns, turn));
  }

  /** Whether nothing was promised. */
  public boolean isEmpty() {
    return given.isEmpty();
  }

  /**
   * Commits what was promised, unless another has done so by keeping his own.
   *
   * @throws RuntimeException what the commit failed with: nothing was written then
   */
  public void keep() {
    for (Given one : given) {
      one.turns().keep(one.turn());
    }
  }

  /** As {@link #keep}; false when that has to wait, for the store or for somebody else. */
  public boolean keepAtOnce() {
    for (Given one : given) {
      if (!one.turns().keepAtOnce(one.turn())) {
        return false;
      }
    }
    return true;
  }
}
