package dev.mayfly.sql;

import dev.mayfly.value.Value;
import java.util.List;

/**
 * A built-in function: what it takes, and what it computes from that.
 *
 * <p>Undefined as soon as one argument is not of its kind, so a computation sees only arguments
 * that it is meant for.
 */
final class BuiltIn implements Function {
  /** A value from arguments of the right kinds. */
  @FunctionalInterface
  interface Computation {
    Value of(Value[] arguments);
  }

  /** A value that also depends on the query's instant. */
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

  /** A function of this name that takes one argument of each kind. */
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
   * The arguments of a function that is being described.
   *
   * @param kinds by position; the last one is that of all further arguments
   */
  record Takes(String name, List<Kind> kinds, int fewest, int most) {
    /** All but this many arguments may be left out. */
    Takes butOnly(int required) {
      return new Takes(name, kinds, required, most);
    }

    /** There may be so many arguments, the further ones of the last kind. */
    Takes upTo(int most) {
      return new Takes(name, kinds, fewest, most);
    }

    /** There may be any number of further arguments of the last kind. */
    Takes orMore() {
      return new Takes(name, kinds, fewest, Integer.MAX_VALUE);
    }

    Function is(Computation computation) {
      return new BuiltIn(this, true, (arguments, _) -> computation.of(arguments));
    }

    /** A function whose value is another each time. */
    Function varies(Timely computation) {
      return new BuiltIn(this, false, computation);
    }
  }
}
