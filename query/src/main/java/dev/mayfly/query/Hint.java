package dev.mayfly.query;

/** Which way to the documents a query insists on. */
public sealed interface Hint {
  /** Any way will do. */
  Hint NONE = new None();

  /** See {@link #NONE}. */
  record None() implements Hint {}

  /** Through the index of that name. */
  record Index(String name) implements Hint {}

  /** Through all documents in their natural order, or against it. */
  record Natural(boolean backward) implements Hint {}
}
