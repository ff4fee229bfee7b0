package dev.mayfly.query.sql;

import dev.mayfly.value.Value;
import java.util.Arrays;

/**
 * One row of bindings while it is looked at: the values of aliases and loop variables by slot, and
 * the query's instant. Mutable, for one thread; a query has one row and binds each document and
 * each element to it in turn.
 */
public final class Row {
  private final Value[] variables;
  private final long now;

  private Row(Value[] variables, long now) {
    this.variables = variables;
    this.now = now;
  }

  /**
   * A row with all variables undefined.
   *
   * @param now the instant of the query in epoch milliseconds, the same for all its rows
   */
  public static Row of(int slots, long now) {
    Value[] variables = new Value[slots];
    Arrays.fill(variables, Value.MISSING);
    return new Row(variables, now);
  }

  public Value variable(int slot) {
    return variables[slot];
  }

  public void variable(int slot, Value value) {
    variables[slot] = value;
  }

  /** The instant of the query in epoch milliseconds. */
  public long now() {
    return now;
  }
}
