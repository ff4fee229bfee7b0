package dev.mayfly.mql.accumulator;

import dev.mayfly.value.Value;

/**
 * Gathers the values of one group into one value.
 *
 * <p>Mutable, for one thread. What was gathered can be taken out as a {@link #state()}, kept
 * elsewhere and merged into another accumulator of the same kind, so that groups can be larger than
 * memory.
 */
public interface Accumulator {
  /** Takes in one more value, which may be missing. */
  void add(Value value);

  /** What the values so far come to; null, never missing, when they come to nothing. */
  Value result();

  /** About how many bytes of memory this holds. */
  long bytes();

  /** All that was gathered, for {@link #merge}. */
  Value state();

  /** Takes in what another accumulator of the same kind has gathered, as if it came next. */
  void merge(Value state);
}
