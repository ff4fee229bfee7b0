package dev.mayfly.query;

import dev.mayfly.value.FieldPath;

/** Which of the documents that pass a filter are needed. */
public sealed interface Distinctness {
  /** All of them. */
  Distinctness ALL = new All();

  /** See {@link #ALL}. */
  record All() implements Distinctness {}

  /**
   * One for each value at a path, the elements of arrays one by one, as {@link Expansion} has them;
   * others may be left out, and so may those without a value.
   *
   * @param collation tells which texts are the same value
   */
  record OneForEach(FieldPath path, Collation collation) implements Distinctness {}
}
