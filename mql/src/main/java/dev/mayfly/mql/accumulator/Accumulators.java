package dev.mayfly.mql.accumulator;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.SortedInput;
import dev.mayfly.mql.function.Extremes;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Value;
import java.util.Comparator;
import java.util.List;

/** Factories of accumulators. */
public final class Accumulators {
  private Accumulators() {}

  /** The sum of the numbers; 0 without numbers. */
  public static Accumulator sum() {
    return new SumAccumulators.Sum();
  }

  /** The mean of the numbers. */
  public static Accumulator average() {
    return new SumAccumulators.Average();
  }

  /** The number of values. */
  public static Accumulator count() {
    return new SumAccumulators.Count();
  }

  /** The standard deviation of the numbers, as a population or as a sample. */
  public static Accumulator deviation(boolean sample) {
    return new SumAccumulators.Deviation(sample);
  }

  /** The least value of the order; reverse the order for the greatest. */
  public static Accumulator least(Comparator<Value> order) {
    return new PickAccumulators.Least(order);
  }

  /** The {@code count} least values of the order. */
  public static Accumulator least(Comparator<Value> order, Value count) {
    return new ListAccumulators.Leasts(order, Extremes.count(count));
  }

  public static Accumulator first() {
    return new PickAccumulators.Edge(false);
  }

  public static Accumulator last() {
    return new PickAccumulators.Edge(true);
  }

  /** The first {@code count} values. */
  public static Accumulator first(Value count) {
    return new ListAccumulators.Edges(false, Extremes.count(count));
  }

  /** The last {@code count} values. */
  public static Accumulator last(Value count) {
    return new ListAccumulators.Edges(true, Extremes.count(count));
  }

  /** All values. */
  public static Accumulator all() {
    return new ListAccumulators.All();
  }

  /** All distinct values by the order. */
  public static Accumulator distinct(Comparator<Value> order) {
    return new ListAccumulators.Distinct(order);
  }

  /** One object with the fields of all. */
  public static Accumulator merged() {
    return new PickAccumulators.Merged();
  }

  /** The input of {@link #lowest} and {@link #highest}: an output with its document's sort key. */
  public static Expression sorted(List<Sort> keys, Collation collation, Expression output) {
    return new SortedInput(keys, collation, output);
  }

  /** The one output whose document sorts first, from {@link #sorted}. */
  public static Accumulator lowest() {
    return new ListAccumulators.Ranked(false, 1, true);
  }

  /** The one output whose document sorts last, from {@link #sorted}. */
  public static Accumulator highest() {
    return new ListAccumulators.Ranked(true, 1, true);
  }

  /** The outputs whose documents sort first, from {@link #sorted}. */
  public static Accumulator lowest(Value count) {
    return new ListAccumulators.Ranked(false, Extremes.count(count), false);
  }

  /** The outputs whose documents sort last, from {@link #sorted}. */
  public static Accumulator highest(Value count) {
    return new ListAccumulators.Ranked(true, Extremes.count(count), false);
  }

  /** The median of the numbers. */
  public static Accumulator median() {
    return new ListAccumulators.Percentiles(new double[] {0.5}, true);
  }

  /** The percentiles of the numbers for fractions from 0 to 1. */
  public static Accumulator percentiles(double... parts) {
    return new ListAccumulators.Percentiles(parts, false);
  }
}
