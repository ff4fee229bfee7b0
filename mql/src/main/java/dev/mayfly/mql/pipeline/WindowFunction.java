package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.accumulator.Accumulation;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.value.Value;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** What is computed for a document from its neighbours in an order. */
public sealed interface WindowFunction {
  /** What is gathered from the documents around. */
  record Gathered(Accumulation accumulation, Bounds bounds) implements WindowFunction {}

  /** The place among all, equal ones at the same; dense when no place is left out after them. */
  record Rank(boolean dense) implements WindowFunction {}

  /** The place among all. */
  record Position() implements WindowFunction {}

  /** The value of the document so many further on, or the other when there is none. */
  record Shift(Expression value, int by, Value otherwise) implements WindowFunction {}

  /** How much the value changes, from the first to the last around, per unit of the order. */
  record Derivative(Expression value, Optional<ChronoUnit> unit, Bounds bounds)
      implements WindowFunction {}

  /** The area below the values around, as lines between them bound it. */
  record Integral(Expression value, Optional<ChronoUnit> unit, Bounds bounds)
      implements WindowFunction {}

  /** The average in which the latest value weighs so much and all earlier ones the rest. */
  record MovingAverage(Expression value, Value weight) implements WindowFunction {}

  /** How two values around vary together. */
  record Covariance(Expression first, Expression second, boolean sample, Bounds bounds)
      implements WindowFunction {}

  /** The value, or where it is null what lies on the line between those before and after. */
  record LinearFill(Expression value) implements WindowFunction {}

  /** The value, or where it is null the last one before it. */
  record CarriedForward(Expression value) implements WindowFunction {}

  /** Which documents are around one. */
  sealed interface Bounds {
    /** No bound in this direction. */
    long ALL_BEFORE = Long.MIN_VALUE;

    long ALL_AFTER = Long.MAX_VALUE;

    /** All of them. */
    Bounds ALL = new Places(ALL_BEFORE, ALL_AFTER);

    /** Those from so many places further on to so many; negative for places before. */
    record Places(long lower, long upper) implements Bounds {}

    /**
     * Those whose value in the order is so much greater at least and so much at most.
     *
     * @param lower how much greater, negative for smaller; infinite for all
     * @param unit for dates: of what there is so much
     */
    record Distance(double lower, double upper, Optional<ChronoUnit> unit) implements Bounds {}
  }
}
