package dev.mayfly.mql.update;

import dev.mayfly.value.Value;

/** Update operator of the value at one path. Immutable. */
public interface Modifier {
  /**
   * Returns the new value, or {@link Value#MISSING} to remove it.
   *
   * @param before the old value, {@link Value#MISSING} if there is none
   * @param path for messages
   */
  Value apply(Value before, String path, UpdateApplication application);

  /** Returns whether the modifier only appended elements to an array. */
  default boolean appended(Value before, Value after) {
    return false;
  }

  /** Returns whether the modifier creates a missing value, and the objects on the path to it. */
  default boolean creates(UpdateApplication application) {
    return true;
  }

  /**
   * Returns whether a path that cannot be created, such as one through a number, is an error.
   * Otherwise it counts as a missing value.
   */
  default boolean requiresPath(UpdateApplication application) {
    return creates(application);
  }
}
