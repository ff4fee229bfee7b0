package dev.mayfly.sql;

import dev.mayfly.value.Value;

/** Built-in function. Immutable; the compiler checks the number of arguments. */
public interface Function {
  /** Returns the name in upper case. */
  String name();

  /** Returns the minimum number of arguments. */
  int minArguments();

  /** Returns the maximum number of arguments; {@link Integer#MAX_VALUE} for no limit. */
  int maxArguments();

  /**
   * Returns the value of the function; undefined if an argument has the wrong type.
   *
   * @param arguments values, which may be undefined; owned by the caller, must not be kept or
   *     modified
   */
  Value call(Value[] arguments, Row row);

  /** Whether the same arguments give the same value, so that a call with constants is folded. */
  default boolean deterministic() {
    return true;
  }
}
