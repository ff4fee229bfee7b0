package dev.mayfly.mql.accumulator;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.value.Value;
import java.util.function.Supplier;

/**
 * What is gathered in each group, and how.
 *
 * @param input what each document contributes
 * @param start makes the accumulator of a new group
 * @param alike whether every group starts alike, whatever its key
 */
public record Accumulation(Expression input, Start start, boolean alike) {
  /** Makes accumulators. */
  @FunctionalInterface
  public interface Start {
    /**
     * A fresh accumulator.
     *
     * @param group a scope whose root is the key of the group if that is an object, else empty: how
     *     many elements to keep may depend on it
     */
    Accumulator start(Scope group);
  }

  /** Every group starts alike. */
  public static Accumulation of(Expression input, Supplier<Accumulator> start) {
    return new Accumulation(input, _ -> start.get(), true);
  }

  /** An accumulator for a group; see {@link Start#start}. */
  public Accumulator start(Scope group) {
    return start.start(group);
  }

  /** Adds what the document in the scope contributes. */
  public void add(Accumulator accumulator, Scope scope) {
    Value value = input.evaluate(scope);
    accumulator.add(value);
  }
}
