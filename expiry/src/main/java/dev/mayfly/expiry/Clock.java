package dev.mayfly.expiry;

/** Where the engine learns what time it is. Asked once per operation, at its entry. */
@FunctionalInterface
public interface Clock {
  /** Milliseconds since the epoch. */
  long now();
}
