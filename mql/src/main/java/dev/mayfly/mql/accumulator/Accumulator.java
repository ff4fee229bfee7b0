package dev.mayfly.mql.accumulator;

import dev.mayfly.value.Value;

/**
 * Accumulator of one group, as in {@code $group}: reduces many values to one.
 *
 * <p>Mutable; for one thread. Its {@link #state()} can be written to disk and merged into another
 * accumulator of the same kind, so that groups may exceed memory.
 */
public interface Accumulator {
  /** Adds a value, which may be missing. */
  void add(Value value);

  /** Returns the result for the values so far; null, never missing, if there is none. */
  Value result();

  /** Returns the approximate memory use in bytes. */
  long bytes();

  /** Returns the whole state, for {@link #merge}. */
  Value state();

  /** Adds the state of another accumulator of the same kind, as if its values came next. */
  void merge(Value state);
}
