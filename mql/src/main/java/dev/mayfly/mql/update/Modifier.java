package dev.mayfly.mql.update;

import dev.mayfly.value.Value;

/** What becomes of the value at one path. Immutable. */
public interface Modifier {
  /**
   * The value after, or {@link Value#MISSING} for none.
   *
   * @param before the value there, {@link Value#MISSING} when there is none
   * @param path where it is, for messages
   */
  Value apply(Value before, String path, UpdateApplication application);

  /** True when it has left an array as it was and put elements behind it. */
  default boolean appended(Value before, Value after) {
    return false;
  }

  /** True when it makes a value where there is none, and the objects on the way to it. */
  default boolean creates(UpdateApplication application) {
    return true;
  }

  /**
   * True when a path that could not be made is an error, as one through a number, and not just a
   * path with nothing at its end.
   */
  default boolean needsWay(UpdateApplication application) {
    return creates(application);
  }
}
