package dev.mayfly.sql;

import dev.mayfly.value.Value;

/** A built-in function. Immutable; the number of arguments is checked when a query is compiled. */
public interface Function {
  /** The name in upper case. */
  String name();

  /** The smallest number of arguments. */
  int fewest();

  /** The largest number of arguments; {@link Integer#MAX_VALUE} when there is no such number. */
  int most();

  /**
   * The function's value; undefined when an argument is not what it takes.
   *
   * @param arguments the values of the arguments, undefined ones among them; the caller's, not to
   *     be kept or changed
   */
  Value call(Value[] arguments, Row row);

  /**
   * True when the same arguments give the same value, so that a call with constants can be done
   * once.
   */
  default boolean deterministic() {
    return true;
  }
}
