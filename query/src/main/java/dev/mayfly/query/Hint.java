package dev.mayfly.query;

import dev.mayfly.value.Value;
import java.util.List;

/** Which way to the documents a query insists on. */
public sealed interface Hint {
  /** Any way will do. */
  Hint NONE = new None();

  /** See {@link #NONE}. */
  record None() implements Hint {}

  /** Through the index of that name. */
  record Index(String name) implements Hint {}

  /**
   * Through the keys of the index of that name that lie at or behind some values and before others,
   * in the order of its keys.
   *
   * @param from a value for each part of the index; empty to begin with the first key
   * @param below a value for each part of the index; empty to end with the last key
   */
  record MinMax(String name, List<Value> from, List<Value> below) implements Hint {
    public MinMax {
      from = List.copyOf(from);
      below = List.copyOf(below);
    }
  }

  /** Through all documents in their natural order, or against it. */
  record Natural(boolean backward) implements Hint {}
}
