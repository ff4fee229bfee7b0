package dev.mayfly.sql;

import dev.mayfly.value.Value;
import java.util.List;

/**
 * Built-in function: its signature and its implementation.
 *
 * <p>The result is undefined if an argument is not of its kind, so the implementation receives only
 * arguments of the right kinds.
 */
final class BuiltIn implements Function {
  /** Implementation of a function. */
  @FunctionalInterface
  interface Computation {
    Value of(Value[] arguments);
  }

  /** Implementation that also depends on the time of the query. */
  @FunctionalInterface
  interface TimedComputation {
    Value of(Value[] arguments, long now);
  }

  private final String name;
  private final List<Kind> kinds;
  private final int minArguments;
  private final int maxArguments;
  private final boolean deterministic;
  private final TimedComputation computation;

  private BuiltIn(Signature signature, boolean deterministic, TimedComputation computation) {
    this.name = signature.name;
    this.kinds = signature.kinds;
    this.minArguments = signature.minArguments;
    this.maxArguments = signature.maxArguments;
    this.deterministic = deterministic;
    this.computation = computation;
  }

  /** Describes a function that takes one argument of each kind. */
  static Signature named(String name, Kind... kinds) {
    return new Signature(name, List.of(kinds), kinds.length, kinds.length);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int minArguments() {
    return minArguments;
  }

  @Override
  public int maxArguments() {
    return maxArguments;
  }

  @Override
  public boolean deterministic() {
    return deterministic;
  }

  @Override
  public Value call(Value[] arguments, Row row) {
    int last = kinds.size() - 1;
    for (int i = 0; i < arguments.length; i++) {
      if (!kinds.get(Math.min(i, last)).admits(arguments[i])) {
        return Value.MISSING;
      }
    }
    return computation.of(arguments, row.now());
  }

  /**
   * Signature of a function.
   *
   * @param kinds by position; the last one applies to all further arguments
   */
  record Signature(String name, List<Kind> kinds, int minArguments, int maxArguments) {
    /** Makes all but the first {@code required} arguments optional. */
    Signature required(int required) {
      return new Signature(name, kinds, required, maxArguments);
    }

    /** Allows up to {@code maxArguments} arguments; further ones are of the last kind. */
    Signature upTo(int maxArguments) {
      return new Signature(name, kinds, minArguments, maxArguments);
    }

    /** Allows any number of further arguments of the last kind. */
    Signature orMore() {
      return new Signature(name, kinds, minArguments, Integer.MAX_VALUE);
    }

    Function is(Computation computation) {
      return new BuiltIn(this, true, (arguments, _) -> computation.of(arguments));
    }

    /** Returns a function that is not deterministic. */
    Function varies(TimedComputation computation) {
      return new BuiltIn(this, false, computation);
    }
  }
}
