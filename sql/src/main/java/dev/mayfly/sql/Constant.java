package dev.mayfly.sql;

import dev.mayfly.value.Value;

/** The same value for every row. */
public record Constant(Value value) implements Scalar {
  public static final Constant UNDEFINED = new Constant(Value.MISSING);

  @Override
  public Value evaluate(Row row) {
    return value;
  }
}
