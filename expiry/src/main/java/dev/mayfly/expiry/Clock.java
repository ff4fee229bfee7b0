package dev.mayfly.expiry;

/** Where the engine learns what time it is. Asked once per operation, at its entry. */
@FunctionalInterface
public interface Clock {
  /** Milliseconds since the epoch. */
  long now();

  /**
   * Whether somebody moves this clock on purpose, as in tests: however far it moves, it is
   * believed. Other clocks are compared with the monotonic clock of the machine.
   */
  default boolean movedByHand() {
    return false;
  }
}
