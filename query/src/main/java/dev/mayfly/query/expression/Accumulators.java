package dev.mayfly.query.expression;

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
    return new Sums.Sum();
  }

  /** The mean of the numbers. */
  public static Accumulator average() {
    return new Sums.Average();
  }

  /** How many there were. */
  public static Accumulator count() {
    return new Sums.Count();
  }

  /** The standard deviation of the numbers as the whole population, or as a sample of it. */
  public static Accumulator deviation(boolean sample) {
    return new Sums.Deviation(sample);
  }

  /** The least in the order; reverse the order for the greatest. */
  public static Accumulator least(Comparator<Value> order) {
    return new Picks.Least(order);
  }

  /** The least so many in the order. */
  public static Accumulator least(Comparator<Value> order, Value count) {
    return new Gatherings.Leasts(order, Extremes.count(count));
  }

  public static Accumulator first() {
    return new Picks.Edge(false);
  }

  public static Accumulator last() {
    return new Picks.Edge(true);
  }

  /** The first so many. */
  public static Accumulator first(Value count) {
    return new Gatherings.Edges(false, Extremes.count(count));
  }

  /** The last so many. */
  public static Accumulator last(Value count) {
    return new Gatherings.Edges(true, Extremes.count(count));
  }

  /** All of them. */
  public static Accumulator all() {
    return new Gatherings.All();
  }

  /** All that differ in the order. */
  public static Accumulator distinct(Comparator<Value> order) {
    return new Gatherings.Distinct(order);
  }

  /** All objects merged into one. */
  public static Accumulator merged() {
    return new Picks.Merged();
  }

  /** What {@link #lowest} and {@link #highest} take in: the output, by the keys of its document. */
  public static Expression sorted(List<Sort> keys, Collation collation, Expression output) {
    return new SortedInput(keys, collation, output);
  }

  /** The one output whose document sorts first, from {@link #sorted}. */
  public static Accumulator lowest() {
    return new Gatherings.Ranked(false, 1, true);
  }

  /** The one output whose document sorts last, from {@link #sorted}. */
  public static Accumulator highest() {
    return new Gatherings.Ranked(true, 1, true);
  }

  /** The outputs whose documents sort first, from {@link #sorted}. */
  public static Accumulator lowest(Value count) {
    return new Gatherings.Ranked(false, Extremes.count(count), false);
  }

  /** The outputs whose documents sort last, from {@link #sorted}. */
  public static Accumulator highest(Value count) {
    return new Gatherings.Ranked(true, Extremes.count(count), false);
  }

  /** The number at or below which half of the numbers lie. */
  public static Accumulator median() {
    return new Gatherings.Percentiles(new double[] {0.5}, true);
  }

  /** The numbers at or below which these parts, from 0 to 1, of the numbers lie. */
  public static Accumulator percentiles(double... parts) {
    return new Gatherings.Percentiles(parts, false);
  }
}
