package dev.mayfly.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes whose outcome is known and whose commit is yet to come, so that several callers share it:
 * nobody is to be told of an outcome before {@link #keep} has returned. Belongs to one thread.
 */
public final class Pledge {
  private final List<Given> given = new ArrayList<>(1);
  private @Nullable RuntimeException unflushed;

  private record Given(Turns turns, Turn turn) {}

  void give(Turns turns, Turn turn) {
    given.add(new Given(turns, turn));
  }

  /** Whether nothing was promised. */
  public boolean isEmpty() {
    return given.isEmpty();
  }

  /**
   * Commits what was promised, unless another has done so by keeping his own, and waits for the
   * disk where that was asked for.
   *
   * @throws RuntimeException what the commit failed with: nothing was written then; or what the
   *     flush failed with
   */
  public void keep() {
    for (Given one : given) {
      one.turns().keep(one.turn());
    }
  }

  /**
   * Whether all is committed, or has failed, so that only the disk may be waited for: many can wait
   * for it together, by {@link #awaitFlush}.
   */
  public boolean isCommitted() {
    return given.stream().allMatch(one -> one.turn().isSettled());
  }

  /**
   * Waits until what is committed survives a loss of power, where that was asked for. May be called
   * in another thread than the rest; that goes on when this has returned. What it fails with is
   * thrown by {@link #keepAtOnce}.
   */
  public void awaitFlush() {
    try {
      given.forEach(one -> one.turns().sync(one.turn()));
    } catch (RuntimeException failure) {
      unflushed = failure;
    }
  }

  /** As {@link #keep}; false when that has to wait, for the store or for somebody else. */
  public boolean keepAtOnce() {
    if (unflushed != null) {
      throw unflushed;
    }
    for (Given one : given) {
      if (!one.turns().keepAtOnce(one.turn())) {
        return false;
      }
    }
    return true;
  }
}
