package dev.mayfly.query;

import dev.mayfly.value.FieldPath;

/** Which of the matching documents a query needs. */
public sealed interface Distinctness {
  /** All of them. */
  Distinctness ALL = new All();

  /** See {@link #ALL}. */
  record All() implements Distinctness {}

  /**
   * One for each value at a path, array elements one by one, as {@link Expansion} returns them.
   * Others may be omitted, also those without a value.
   *
   * @param collation decides which strings are the same value
   */
  record OneForEach(FieldPath path, Collation collation) implements Distinctness {}
}
