package dev.mayfly.sql;

import dev.mayfly.query.StepCounter;
import dev.mayfly.query.ValueMemory;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Value;
import java.util.Arrays;

/**
 * Row of bindings: values of aliases and loop variables by slot, and the time of the query.
 * Mutable, for one thread: a query has one row and binds each document and element to it in turn.
 */
public final class Row {
  /** Maximum number of iterations for one document: a few seconds of empty loops. */
  private static final int MAX_ITERATIONS = 50_000_000;

  /** Maximum memory of a query. */
  static final long MAX_BYTES = 64L << 20;

  private final Value[] variables;
  private final long now;
  private final StepCounter stepCounter = new StepCounter();
  private final ValueMemory memory = new ValueMemory(MAX_BYTES);
  private int iterations;

  private Row(Value[] variables, long now) {
    this.variables = variables;
    this.now = now;
  }

  /**
   * Creates a row with all variables undefined.
   *
   * @param now time of the query in epoch milliseconds, the same for all its rows
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

  /** Binds a variable to the next document and resets the count of iterations. */
  public void document(int slot, Value document) {
    iterations = 0;
    variables[slot] = document;
  }

  /**
   * Binds a loop variable.
   *
   * @throws EvaluationException TOO_LONG if the joins of one document have too many combinations
   */
  void next(int slot, Value value) {
    if (iterations == MAX_ITERATIONS) {
      throw new EvaluationException(EvaluationException.Reason.TOO_LONG);
    }
    iterations++;
    stepCounter.step();
    variables[slot] = value;
  }

  /** Returns the memory of values that the evaluation keeps. */
  ValueMemory memory() {
    return memory;
  }

  /** Counts one step of the evaluation. */
  void step() {
    stepCounter.step();
  }

  /** Returns the value after counting the steps for its size. */
  Value counted(Value value) {
    stepCounter.step(value.isMissing() ? 1 : Interrupt.ofBytes(value.length()));
    return value;
  }

  /** Returns the time of the query in epoch milliseconds. */
  public long now() {
    return now;
  }
}
