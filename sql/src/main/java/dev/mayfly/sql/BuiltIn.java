package dev.mayfly.sql;

import dev.mayfly.value.Value;
import java.util.List;

/**
 * Built-in function: its signature and its implementation.
 *
 * <p>Undefined if an argument is not of its kind, so the implementation receives only arguments of
 * the right kinds.
 */
final class BuiltIn implements Function {
  /** Implementation of a function. */
  @FunctionalInterface
  interface Computation {
    Value of(Value[] arguments);
  }

  /** Implementation that also depends on the time of the query. */
  @FunctionalInterface
  interface Timely {
    Value of(Value[] arguments, long now);
  }

  private final String name;
  private final List<Kind> kinds;
  private final int fewest;
  private final int most;
  private final boolean deterministic;
  private final Timely computation;

  private BuiltIn(Takes takes, boolean deterministic, Timely computation) {
    this.name = takes.name;
    this.kinds = takes.kinds;
    this.fewest = takes.fewest;
    this.most = takes.most;
    this.deterministic = deterministic;
    this.computation = computation;
  }

  /** Describes a function that takes one argument of each kind. */
  static Takes named(String name, Kind... kinds) {
    return new Takes(name, List.of(kinds), kinds.length, kinds.length);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int fewest() {
    return fewest;
  }

  @Override
  public int most() {
    return most;
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
  record Takes(String name, List<Kind> kinds, int fewest, int most) {
    /** Makes all but the first {@code required} arguments optional. */
    Takes butOnly(int required) {
      return new Takes(name, kinds, required, most);
    }

    /** Allows up to {@code most} arguments; further ones are of the last kind. */
    Takes upTo(int most) {
      return new Takes(name, kinds, fewest, most);
    }

    /** Allows any number of further arguments of the last kind. */
    Takes orMore() {
      return new Takes(name, kinds, fewest, Integer.MAX_VALUE);
    }

    Function is(Computation computation) {
      return new BuiltIn(this, true, (arguments, _) -> computation.of(arguments));
    }

    /** Returns a function that is not deterministic. */
    Function varies(Timely computation) {
      return new BuiltIn(this, false, computation);
    }
  }
}
