package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.accumulator.Accumulation;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.value.Value;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Function of {@code $setWindowFields}: a value computed from the neighbours of a document. */
public sealed interface WindowFunction {
  /** An accumulator over the documents of the window. */
  record Gathered(Accumulation accumulation, Bounds bounds) implements WindowFunction {}

  /** {@code $rank}, or {@code $denseRank}, which leaves no gaps after equal documents. */
  record Rank(boolean dense) implements WindowFunction {}

  /** {@code $documentNumber}: the position in the partition. */
  record Position() implements WindowFunction {}

  /** {@code $shift}: the value of the document at an offset, or a default outside the partition. */
  record Shift(Expression value, int by, Value otherwise) implements WindowFunction {}

  /** {@code $derivative}: change of the value over the window per unit of the order. */
  record Derivative(Expression value, Optional<ChronoUnit> unit, Bounds bounds)
      implements WindowFunction {}

  /** {@code $integral}: area below the values of the window, by the trapezoidal rule. */
  record Integral(Expression value, Optional<ChronoUnit> unit, Bounds bounds)
      implements WindowFunction {}

  /** {@code $expMovingAvg}: the current value has the given weight, all earlier ones the rest. */
  record MovingAverage(Expression value, Value weight) implements WindowFunction {}

  /** Covariance of two values in the window. */
  record Covariance(Expression first, Expression second, boolean sample, Bounds bounds)
      implements WindowFunction {}

  /** {@code $linearFill}: replaces null by interpolation between the neighbouring values. */
  record LinearFill(Expression value) implements WindowFunction {}

  /** {@code $locf}: replaces null by the last value before it. */
  record CarriedForward(Expression value) implements WindowFunction {}

  /** Bounds of a window around the current document. */
  sealed interface Bounds {
    /** No bound in this direction. */
    long ALL_BEFORE = Long.MIN_VALUE;

    long ALL_AFTER = Long.MAX_VALUE;

    /** The whole partition. */
    Bounds ALL = new Places(ALL_BEFORE, ALL_AFTER);

    /** {@code documents}: offsets in positions; negative for documents before. */
    record Places(long lower, long upper) implements Bounds {}

    /**
     * {@code range}: offsets from the value of the sort key.
     *
     * @param lower smallest difference; negative for smaller values, infinite for no bound
     * @param unit of the offsets for dates
     */
    record Distance(double lower, double upper, Optional<ChronoUnit> unit) implements Bounds {}
  }
}
