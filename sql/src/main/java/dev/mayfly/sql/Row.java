package dev.mayfly.sql;

import dev.mayfly.query.Interrupt;
import dev.mayfly.query.StepCounter;
import dev.mayfly.query.ValueMemory;
import dev.mayfly.value.Value;
import java.util.Arrays;

/**
 * One row of bindings while it is looked at: the values of aliases and loop variables by slot, and
 * the query's instant. Mutable, for one thread; a query has one row and binds each document and
 * each element to it in turn.
 */
public final class Row {
  /** How often loops may go round for one document: some seconds, where nothing else is done. */
  private static final int MOST_ROUNDS = 50_000_000;

  /** What a query may hold. */
  static final long MOST_BYTES = 64L << 20;

  private final Value[] variables;
  private final long now;
  private final StepCounter stepCounter = new StepCounter();
  private final ValueMemory memory = new ValueMemory(MOST_BYTES);
  private int rounds;

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

  /** Binds a variable to another document, with which all loops begin again. */
  public void document(int slot, Value document) {
    rounds = 0;
    variables[slot] = document;
  }

  /**
   * Binds the variable of a loop.
   *
   * @throws EvaluationException TOO_LONG when the loops over what is in one document, which
   *     multiply, do not come to an end
   */
  void next(int slot, Value value) {
    if (rounds == MOST_ROUNDS) {
      throw new EvaluationException(EvaluationException.Reason.TOO_LONG);
    }
    rounds++;
    stepCounter.step();
    variables[slot] = value;
  }

  /** What the values take that the evaluation keeps. */
  ValueMemory memory() {
    return memory;
  }

  /** Counts a step of an evaluation. */
  void step() {
    stepCounter.step();
  }

  /** The value, the making of which counts as steps. */
  Value made(Value value) {
    stepCounter.step(value.isMissing() ? 1 : Interrupt.ofBytes(value.length()));
    return value;
  }

  /** The instant of the query in epoch milliseconds. */
  public long now() {
    return now;
  }
}
