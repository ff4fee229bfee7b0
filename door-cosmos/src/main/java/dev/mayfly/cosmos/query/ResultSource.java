package dev.mayfly.cosmos.query;

import dev.mayfly.value.Value;

/** Source of all results of a query, in order, from the first on. */
@FunctionalInterface
interface ResultSource {
  /** Passes results to a visitor until there are no more or the visitor returns false. */
  void each(Visitor visitor);

  /** Receives results one by one. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Receives a result; returns false if no further results are needed.
     *
     * @param deadline epoch milliseconds at which the first of the items expires that the result
     *     was computed from
     */
    boolean visit(Value result, long deadline);
  }
}
