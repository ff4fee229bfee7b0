package dev.mayfly.mql.accumulator;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.value.Value;
import java.util.function.Supplier;

/**
 * Accumulator of an output field with its input expression.
 *
 * @param input the value that each document contributes
 * @param start creates the accumulator of a new group
 * @param alike whether the accumulator does not depend on the group key
 */
public record Accumulation(Expression input, Start start, boolean alike) {
  /** Creates accumulators. */
  @FunctionalInterface
  public interface Start {
    /**
     * Creates an accumulator.
     *
     * @param group a scope whose root is the group key if that is an object, else empty: the number
     *     of elements to keep may depend on it
     */
    Accumulator start(Scope group);
  }

  /** Returns an accumulation that does not depend on the group key. */
  public static Accumulation of(Expression input, Supplier<Accumulator> start) {
    return new Accumulation(input, _ -> start.get(), true);
  }

  /** Creates the accumulator of a group; see {@link Start#start}. */
  public Accumulator start(Scope group) {
    return start.start(group);
  }

  /** Adds the input of the document in the scope. */
  public void add(Accumulator accumulator, Scope scope) {
    Value value = input.evaluate(scope);
    accumulator.add(value);
  }
}
