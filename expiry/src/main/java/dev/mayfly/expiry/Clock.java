package dev.mayfly.expiry;

/**
 * Clock of the engine. An operation reads it once, at its entry. Implementations are safe for many
 * threads.
 */
@FunctionalInterface
public interface Clock {
  /** Milliseconds since the epoch. */
  long now();

  /**
   * Returns whether this is a manual clock, as in tests. A manual clock is always trusted. Other
   * clocks are compared with the monotonic clock of the machine.
   */
  default boolean isManual() {
    return false;
  }
}
