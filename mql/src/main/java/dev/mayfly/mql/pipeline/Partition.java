package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.accumulator.Accumulation;
import dev.mayfly.mql.accumulator.Accumulator;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.mql.function.Arithmetic;
import dev.mayfly.mql.function.MovingAverage;
import dev.mayfly.mql.rows.CountRows;
import dev.mayfly.query.DocumentComparator;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** One partition of {@code $setWindowFields}: sorted documents, and window functions over them. */
final class Partition {
  private static final int NO_NUMBER = 5429414;

  /** Errors for a sort order that does not fit the unit. */
  private record Misfit(int noDate, String dateWanted, int noUnit, String unitWanted) {
    static final Misfit OF_RANGE =
        new Misfit(
            5429513,
            "Invalid range: Expected the sortBy field to be a Date",
            5429413,
            "Invalid range: For windows that involve date or time ranges, a unit must be"
                + " provided.");
    static final Misfit OF_DERIVATIVE =
        new Misfit(
            5624900,
            "$derivative with 'unit' expects the sortBy field to be a Date",
            5624901,
            "$derivative where the sortBy is a Date requires an 'unit'");
    static final Misfit OF_INTEGRAL =
        new Misfit(
            5423901,
            "$integral with 'unit' expects the sortBy field to be a Date",
            5423902,
            "$integral (with no 'unit') expects the sortBy field to be numeric");
  }

  private static final int REPEATED = 6050106;
  private static final int VALUE_BYTES = 32;

  /** Pairs of numbers per step of an {@link Interrupt}. */
  private static final int PAIRS_OF_STEP = 16;

  private final List<Document> documents;
  private final Optional<FieldPath> axis;
  private final DocumentComparator comparator;
  private final Scope scope;
  private final LongConsumer memory;

  /**
   * @param memory receives the growth in bytes, and throws if the limit is exceeded
   */
  Partition(
      List<Document> documents,
      Optional<FieldPath> axis,
      DocumentComparator comparator,
      Scope scope,
      LongConsumer memory) {
    this.documents = documents;
    this.axis = axis;
    this.comparator = comparator;
    this.scope = scope;
    this.memory = memory;
  }

  /** Bounds of a window; empty if the end is before the beginning. */
  private record Frame(int from, int to) {
    boolean isEmpty() {
      return to < from;
    }
  }

  /** Returns the value of the function for each document. */
  Value[] compute(WindowFunction function) {
    return switch (function) {
      case WindowFunction.Gathered(Accumulation accumulation, WindowFunction.Bounds bounds) ->
          gathered(accumulation, bounds);
      case WindowFunction.Rank(boolean dense) -> ranks(dense);
      case WindowFunction.Position _ -> numbers();
      case WindowFunction.Shift(Expression value, int by, Value otherwise) ->
          shifted(values(value), by, otherwise);
      case WindowFunction.Derivative(Expression value, Optional<ChronoUnit> unit, var bounds) ->
          derivatives(values(value), unit, bounds);
      case WindowFunction.Integral(Expression value, Optional<ChronoUnit> unit, var bounds) ->
          integrals(values(value), unit, bounds);
      case WindowFunction.MovingAverage(Expression value, Value weight) ->
          movingAverages(values(value), weight);
      case WindowFunction.Covariance(Expression x, Expression y, boolean sample, var bounds) ->
          covariances(values(x), values(y), sample, bounds);
      case WindowFunction.LinearFill(Expression value) -> linear(values(value));
      case WindowFunction.CarriedForward(Expression value) -> carried(values(value));
    };
  }

  /**
   * A window that only grows is accumulated once; another is accumulated anew for each document.
   */
  private Value[] gathered(Accumulation accumulation, WindowFunction.Bounds bounds) {
    Frame[] frames = frames(bounds);
    Value[] results = nulls();
    Accumulator gathered = start(accumulation);
    int from = 0;
    int to = -1;
    for (int i = 0; i < results.length; i++) {
      Frame frame = frames[i];
      if (frame.from() != from || frame.to() < to) {
        gathered = start(accumulation);
        from = frame.from();
        to = from - 1;
      }
      for (; to < frame.to(); to++) {
        Interrupt.steps(1);
        accumulation.add(gathered, scope.root(documents.get(to + 1)));
      }
      results[i] = gathered.result();
      memory.accept(VALUE_BYTES + results[i].length());
    }
    return results;
  }

  private Accumulator start(Accumulation accumulation) {
    return accumulation.start(scope.root(Document.EMPTY));
  }

  private Value[] ranks(boolean dense) {
    Value[] results = nulls();
    byte[] last = new byte[0];
    long rank = 0;
    for (int i = 0; i < results.length; i++) {
      Interrupt.steps(1);
      byte[] key = comparator.key(documents.get(i));
      if (i == 0 || !Arrays.equals(key, last)) {
        rank = dense ? rank + 1 : i + 1;
      }
      results[i] = CountRows.number(rank);
      last = key;
    }
    return results;
  }

  private Value[] numbers() {
    Value[] results = nulls();
    Arrays.setAll(results, i -> CountRows.number(i + 1L));
    return results;
  }

  private static Value[] shifted(Value[] values, int by, Value otherwise) {
    Value[] results = new Value[values.length];
    for (int i = 0; i < values.length; i++) {
      long from = (long) i + by;
      results[i] =
          from >= 0 && from < values.length ? orNull(values[(int) from]) : orNull(otherwise);
    }
    return results;
  }

  private Value[] derivatives(
      Value[] values, Optional<ChronoUnit> unit, WindowFunction.Bounds bounds) {
    double[] places = axis(unit.isPresent(), Misfit.OF_DERIVATIVE);
    double perUnit = length(unit);
    Frame[] frames = frames(bounds);
    Value[] results = nulls();
    for (int i = 0; i < values.length; i++) {
      Frame frame = frames[i];
      if (frame.isEmpty() || frame.from() == frame.to()) {
        continue;
      }
      double run = places[frame.to()] - places[frame.from()];
      if (run != 0) {
        double rise = number(values[frame.to()]) - number(values[frame.from()]);
        results[i] = Value.of(rise / run * perUnit);
      }
    }
    return results;
  }

  private Value[] integrals(
      Value[] values, Optional<ChronoUnit> unit, WindowFunction.Bounds bounds) {
    double[] places = axis(unit.isPresent(), Misfit.OF_INTEGRAL);
    double perUnit = length(unit);
    Frame[] frames = frames(bounds);
    Value[] results = nulls();
    for (int i = 0; i < values.length; i++) {
      if (frames[i].isEmpty()) {
        continue;
      }
      double area = 0;
      Interrupt.steps(1 + (frames[i].to() - frames[i].from()) / PAIRS_OF_STEP);
      for (int j = frames[i].from(); j < frames[i].to(); j++) {
        area += (number(values[j]) + number(values[j + 1])) / 2 * (places[j + 1] - places[j]);
      }
      results[i] = Value.of(area / perUnit);
    }
    return results;
  }

  private static Value[] movingAverages(Value[] values, Value weight) {
    Value[] results = new Value[values.length];
    MovingAverage average = new MovingAverage(weight);
    for (int i = 0; i < values.length; i++) {
      Interrupt.steps(1);
      average.add(values[i]);
      results[i] = average.result();
    }
    return results;
  }

  private Value[] covariances(
      Value[] first, Value[] second, boolean sample, WindowFunction.Bounds bounds) {
    Frame[] frames = frames(bounds);
    Value[] results = nulls();
    for (int i = 0; i < first.length; i++) {
      Interrupt.steps(1 + (frames[i].to() - frames[i].from()) / PAIRS_OF_STEP);
      results[i] = covariance(first, second, sample, frames[i]);
    }
    return results;
  }

  /** Pairs with a value that is not a number are ignored. */
  private static Value covariance(Value[] first, Value[] second, boolean sample, Frame frame) {
    double meanX = 0;
    double meanY = 0;
    double products = 0;
    long count = 0;
    for (int j = frame.from(); j <= frame.to(); j++) {
      if (first[j].isNumber() && second[j].isNumber()) {
        count++;
        double deltaX = first[j].asDouble() - meanX;
        meanX += deltaX / count;
        meanY += (second[j].asDouble() - meanY) / count;
        products += deltaX * (second[j].asDouble() - meanY);
      }
    }
    long divisor = sample ? count - 1 : count;
    return divisor < 1 ? Value.NULL : Value.of(products / divisor);
  }

  private Value[] linear(Value[] values) {
    double[] places = axis(hasDates(), Misfit.OF_RANGE);
    for (int i = 1; i < places.length; i++) {
      if (places[i] == places[i - 1]) {
        throw new QueryException(
            Reason.BAD_VALUE,
            REPEATED,
            "There can be no repeated values in the sort field when using $linearFill");
      }
    }
    Value[] line = axisValues();
    Value[] results = new Value[values.length];
    int before = -1;
    for (int i = 0; i < values.length; i++) {
      results[i] = orNull(values[i]);
      if (!results[i].isNull()) {
        fill(results, line, before, i);
        before = i;
      }
    }
    return results;
  }

  /**
   * Interpolates between two values, in MongoDB's order of operations, so that all digits agree.
   */
  private static void fill(Value[] results, Value[] line, int before, int after) {
    if (before < 0 || before + 1 == after) {
      return;
    }
    Value low = requireNumber(results[before]);
    Value rise = Arithmetic.subtract(requireNumber(results[after]), low);
    Value slope = Arithmetic.divide(rise, Arithmetic.subtract(line[after], line[before]));
    for (int i = before + 1; i < after; i++) {
      Value run = Arithmetic.subtract(line[i], line[before]);
      results[i] = Arithmetic.add(low, Arithmetic.multiply(new Value[] {run, slope}));
    }
  }

  private static Value[] carried(Value[] values) {
    Value[] results = new Value[values.length];
    Value last = Value.NULL;
    for (int i = 0; i < values.length; i++) {
      last = orNull(values[i]).isNull() ? last : values[i];
      results[i] = last;
    }
    return results;
  }

  private Frame[] frames(WindowFunction.Bounds bounds) {
    return switch (bounds) {
      case WindowFunction.Bounds.Places places -> placeFrames(places);
      case WindowFunction.Bounds.Distance distance -> distanceFrames(distance);
    };
  }

  private Frame[] placeFrames(WindowFunction.Bounds.Places places) {
    Frame[] frames = new Frame[documents.size()];
    int last = frames.length - 1;
    for (int i = 0; i <= last; i++) {
      frames[i] =
          new Frame(
              Math.clamp(i + bounded(places.lower()), 0, last + 1),
              Math.clamp(i + bounded(places.upper()), -1, last));
    }
    return frames;
  }

  /** Limits an offset to avoid overflow; still more than any number of documents. */
  private static long bounded(long places) {
    return Math.clamp(places, -(1L << 40), 1L << 40);
  }

  private Frame[] distanceFrames(WindowFunction.Bounds.Distance distance) {
    Frame[] frames = new Frame[documents.size()];
    double[] places = axis(distance.unit().isPresent(), Misfit.OF_RANGE);
    int from = 0;
    int to = -1;
    for (int i = 0; i < frames.length; i++) {
      double low = moved(places[i], distance.lower(), distance.unit());
      double high = moved(places[i], distance.upper(), distance.unit());
      while (from < places.length && places[from] < low) {
        from++;
      }
      while (to + 1 < places.length && places[to + 1] <= high) {
        to++;
      }
      frames[i] = new Frame(from, to);
    }
    return frames;
  }

  private static double moved(double place, double by, Optional<ChronoUnit> unit) {
    if (unit.isEmpty() || Double.isInfinite(by)) {
      return place + by;
    }
    LocalDateTime date =
        LocalDateTime.ofInstant(Instant.ofEpochMilli((long) place), ZoneOffset.UTC);
    return date.plus((long) by, unit.get()).toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  private static double length(Optional<ChronoUnit> unit) {
    return unit.map(known -> (double) known.getDuration().toMillis()).orElse(1.0);
  }

  /**
   * Returns the position of each document in the order: a number, or milliseconds for dates,
   * because hours since 1970 would leave few digits for the difference of two dates.
   */
  private double[] axis(boolean dates, Misfit misfit) {
    Value[] values = axisValues();
    double[] places = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      places[i] = dates ? millis(values[i], misfit) : number(values[i], misfit);
    }
    return places;
  }

  private Value[] axisValues() {
    FieldPath path = axis.orElse(FieldPath.of(""));
    return documents.stream().map(document -> document.at(path)).toArray(Value[]::new);
  }

  private boolean hasDates() {
    return Arrays.stream(axisValues()).anyMatch(value -> value.type() == Type.DATE);
  }

  private static double millis(Value value, Misfit misfit) {
    if (value.type() != Type.DATE) {
      throw new QueryException(
          Reason.WRONG_TYPE,
          misfit.noDate(),
          misfit.dateWanted() + ", but it was " + TypeNames.of(value.type()));
    }
    return value.asDate();
  }

  private static double number(Value value, Misfit misfit) {
    if (value.type() == Type.DATE) {
      throw new QueryException(Reason.WRONG_TYPE, misfit.noUnit(), misfit.unitWanted());
    }
    if (!value.isNumber()) {
      throw new QueryException(
          Reason.WRONG_TYPE,
          NO_NUMBER,
          "Invalid range: Expected the sortBy field to be a number, but it was "
              + TypeNames.of(value.type()));
    }
    return value.asDouble();
  }

  private static double number(Value value) {
    return requireNumber(value).asDouble();
  }

  private static Value requireNumber(Value value) {
    if (!value.isNumber()) {
      throw new QueryException(
          Reason.WRONG_TYPE,
          NO_NUMBER,
          "expected a number, but it was " + TypeNames.of(value.type()));
    }
    return value;
  }

  private Value[] values(Expression expression) {
    return documents.stream()
        .map(
            document -> {
              Interrupt.steps(1);
              return expression.evaluate(scope.root(document));
            })
        .toArray(Value[]::new);
  }

  private Value[] nulls() {
    Value[] values = new Value[documents.size()];
    Arrays.fill(values, Value.NULL);
    return values;
  }

  private static Value orNull(Value value) {
    return value.isMissing() || value.type() == Type.UNDEFINED ? Value.NULL : value;
  }
}
