package dev.mayfly.query;

import dev.mayfly.value.Value;
import java.util.List;

/** Access path that a query must use. */
public sealed interface Hint {
  /** No hint. */
  Hint NONE = new None();

  /** See {@link #NONE}. */
  record None() implements Hint {}

  /** The index with this name. */
  record Index(String name) implements Hint {}

  /**
   * The index with this name, between two bounds and in the order of its keys ({@code min} and
   * {@code max}).
   *
   * @param from a value for each part of the index, inclusive; empty for no lower bound
   * @param below a value for each part of the index, exclusive; empty for no upper bound
   */
  record MinMax(String name, List<Value> from, List<Value> below) implements Hint {
    public MinMax {
      from = List.copyOf(from);
      below = List.copyOf(below);
    }
  }

  /** A scan of all documents in natural order, or reversed. */
  record Natural(boolean backward) implements Hint {}
}
