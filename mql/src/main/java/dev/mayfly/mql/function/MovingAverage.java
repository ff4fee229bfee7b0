package dev.mayfly.mql.function;

import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * Exponential moving average: the latest number has a given weight, all earlier ones the rest.
 * Computed with 34 decimal digits, as MongoDB does. For one thread.
 */
public final class MovingAverage {
  private static final Value ONE = Value.of(1);

  private final Value weight;
  private final Value rest;
  private @Nullable Value average;
  private boolean decimal;

  /**
   * Creates an average without numbers.
   *
   * @param weight of the latest number, between 0 and 1
   */
  public MovingAverage(Value weight) {
    this.weight = Decimals.of(weight);
    this.rest = Decimals.subtract(ONE, weight);
  }

  /** Returns the weight for {@code N} of {@code $expMovingAvg}: 2 / (N + 1). */
  public static Value weightOf(long numbers) {
    return Decimals.divide(Value.of(2), Decimals.add(Value.of(numbers), ONE));
  }

  /** Adds a value; ignores values that are not numbers. */
  public void add(Value value) {
    if (!value.isNumber()) {
      return;
    }
    decimal |= value.type() == Type.DECIMAL128;
    Value number = Decimals.of(value);
    Value before = average;
    average =
        before == null
            ? number
            : Decimals.add(Decimals.multiply(number, weight), Decimals.multiply(before, rest));
  }

  /** Returns the average: null without numbers, a decimal if one was added, else a double. */
  public Value result() {
    Value present = average;
    if (present == null) {
      return Value.NULL;
    }
    return decimal ? present : Value.of(present.asDouble());
  }
}
