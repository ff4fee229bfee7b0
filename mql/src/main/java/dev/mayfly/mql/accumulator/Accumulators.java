package dev.mayfly.mql.accumulator;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.SortedInput;
import dev.mayfly.mql.function.Extremes;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Value;
import java.util.Comparator;
import java.util.List;

/** The ways of gathering values. */
public final class Accumulators {
  private Accumulators() {}

  /** The total of the numbers; 0 when there are none. */
  public static Accumulator sum() {
    return new SumAccumulators.Sum();
  }

  /** The mean of the numbers. */
  public static Accumulator average() {
    return new SumAccumulators.Average();
  }

  /** How many there were. */
  public static Accumulator count() {
    return new SumAccumulators.Count();
  }

  /** The standard deviation of the numbers as the whole population, or as a sample of it. */
  public static Accumulator deviation(boolean sample) {
    return new SumAccumulators.Deviation(sample);
  }

  /** The least in the order; reverse the order for the greatest. */
  public static Accumulator least(Comparator<Value> order) {
    return new PickAccumulators.Least(order);
  }

  /** The least so many in the order. */
  public static Accumulator least(Comparator<Value> order, Value count) {
    return new ListAccumulators.Leasts(order, Extremes.count(count));
  }

  public static Accumulator first() {
    return new PickAccumulators.Edge(false);
  }

  public static Accumulator last() {
    return new PickAccumulators.Edge(true);
  }

  /** The first so many. */
  public static Accumulator first(Value count) {
    return new ListAccumulators.Edges(false, Extremes.count(count));
  }

  /** The last so many. */
  public static Accumulator last(Value count) {
    return new ListAccumulators.Edges(true, Extremes.count(count));
  }

  /** All of them. */
  public static Accumulator all() {
    return new ListAccumulators.All();
  }

  /** All that differ in the order. */
  public static Accumulator distinct(Comparator<Value> order) {
    return new ListAccumulators.Distinct(order);
  }

  /** All objects merged into one. */
  public static Accumulator merged() {
    return new PickAccumulators.Merged();
  }

  /** What {@link #lowest} and {@link #highest} take in: the output, by the keys of its document. */
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

  /** The number at or below which half of the numbers lie. */
  public static Accumulator median() {
    return new ListAccumulators.Percentiles(new double[] {0.5}, true);
  }

  /** The numbers at or below which these parts, from 0 to 1, of the numbers lie. */
  public static Accumulator percentiles(double... parts) {
    return new ListAccumulators.Percentiles(parts, false);
  }
}
