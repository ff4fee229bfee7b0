package dev.mayfly.mql.parser.pipeline;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.function.MovingAverage;
import dev.mayfly.mql.parser.AccumulatorParser;
import dev.mayfly.mql.parser.Syntax;
import dev.mayfly.mql.pipeline.WindowFunction;
import dev.mayfly.mql.pipeline.WindowFunction.Bounds;
import dev.mayfly.query.ShellText;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parser of the window functions of {@code $setWindowFields} and their windows. */
final class WindowFunctionParser {
  private static final Set<String> RANKS = Set.of("$rank", "$denseRank", "$documentNumber");
  private static final Set<String> WINDOW = Set.of("documents", "range", "unit");

  private final Syntax syntax;
  private final List<Sort> order;

  WindowFunctionParser(Syntax syntax, List<Sort> order) {
    this.syntax = syntax;
    this.order = order;
  }

  /** Parses the function of one output field. */
  WindowFunction parse(String field, Value specification) {
    Document options =
        Syntax.object(
            specification, 9, "The field '" + field + "' must be an object, but found type ");
    String function = "";
    Value argument = Value.MISSING;
    Fields each = options.fields();
    while (each.next()) {
      if (each.name().startsWith("$")) {
        if (!function.isEmpty()) {
          throw Syntax.failure(9, "Cannot specify two functions in window function spec");
        }
        function = each.name();
        argument = each.value();
      } else if (!each.named("window")) {
        throw Syntax.failure(9, "Window function found an unknown argument: " + each.name());
      }
    }
    if (function.isEmpty()) {
      throw Syntax.failure(9, "Expected a $-prefixed window function");
    }
    return function(function, argument, options.field("window"));
  }

  private WindowFunction function(String name, Value argument, Value window) {
    if (RANKS.contains(name)) {
      return rank(name, argument, window);
    }
    return switch (name) {
      case "$shift" -> shift(argument);
      case "$derivative" -> {
        Document options = options(name, argument);
        if (window.isMissing()) {
          throw Syntax.failure(9, "$derivative requires explicit window bounds");
        }
        yield new WindowFunction.Derivative(input(name, options), unit(options), bounds(window));
      }
      case "$integral" -> {
        Document options = options(name, argument);
        yield new WindowFunction.Integral(input(name, options), unit(options), bounds(window));
      }
      case "$expMovingAvg" -> movingAverage(argument);
      case "$covariancePop" -> covariance(argument, false, window);
      case "$covarianceSamp" -> covariance(argument, true, window);
      case "$linearFill" -> {
        refuseWindow(name, window);
        requireLine(order);
        yield new WindowFunction.LinearFill(syntax.expression(argument));
      }
      case "$locf" -> {
        refuseWindow(name, window);
        yield new WindowFunction.CarriedForward(syntax.expression(argument));
      }
      default -> gathered(name, argument, window);
    };
  }

  private static void refuseWindow(String name, Value window) {
    if (!window.isMissing()) {
      throw Syntax.failure(9, "'window' field is not allowed in " + name);
    }
  }

  private WindowFunction gathered(String name, Value argument, Value window) {
    if (!AccumulatorParser.knows(name)) {
      throw Syntax.failure(9, "Unrecognized window function, " + name);
    }
    Value alone = Value.of(Document.writer().put(name, argument).build());
    return new WindowFunction.Gathered(
        AccumulatorParser.parse(name, alone, syntax.variables()), bounds(window));
  }

  private WindowFunction rank(String name, Value argument, Value window) {
    if (!window.isMissing()) {
      throw Syntax.failure(5371601, "Rank style window functions take no other arguments");
    }
    if (!argument.isDocument() || !argument.asDocument().isEmpty()) {
      throw Syntax.failure(5371603, name + " must be specified with '{}' as the value");
    }
    boolean numbers = name.equals("$documentNumber");
    if (numbers ? order.isEmpty() : order.size() != 1) {
      throw Syntax.failure(
          5371602,
          name + " must be specified with a top level sortBy expression with exactly one element");
    }
    return numbers
        ? new WindowFunction.Position()
        : new WindowFunction.Rank(name.equals("$denseRank"));
  }

  private WindowFunction shift(Value argument) {
    Document options = options("$shift", argument);
    if (order.isEmpty()) {
      throw Syntax.failure(9, "'$shift' requires a sortBy");
    }
    Value output = required("$shift", options, "output");
    Value by = required("$shift", options, "by");
    if (!by.isNumber() || by.asDouble() != by.asInt()) {
      throw Syntax.failure(
          9, "'$shift:by' field must be an integer, but found by: " + ShellText.of(by));
    }
    Value otherwise = options.field("default");
    Expression constant = otherwise.isMissing() ? Literal.NULL : syntax.expression(otherwise);
    if (!(constant instanceof Literal(Value value))) {
      throw Syntax.failure(9, "'$shift:default' expression must yield a constant value.");
    }
    return new WindowFunction.Shift(syntax.expression(output), by.asInt(), value);
  }

  private WindowFunction movingAverage(Value argument) {
    Document options = options("$expMovingAvg", argument);
    if (order.isEmpty()) {
      throw Syntax.failure(9, "$expMovingAvg requires an explicit 'sortBy'");
    }
    Value n = options.field("N");
    Value alpha = options.field("alpha");
    if (n.isMissing() == alpha.isMissing()) {
      throw Syntax.failure(9, "$expMovingAvg must have exactly one of 'N' and 'alpha' specified");
    }
    return new WindowFunction.MovingAverage(
        input("$expMovingAvg", options), n.isMissing() ? weight(alpha) : weightOf(n));
  }

  private static Value weight(Value alpha) {
    if (!alpha.isNumber() || !(alpha.asDouble() > 0 && alpha.asDouble() < 1)) {
      throw Syntax.failure(
          9, "'alpha' must be between 0 and 1 (exclusive), found alpha: " + ShellText.of(alpha));
    }
    return alpha;
  }

  private static Value weightOf(Value n) {
    if (!n.isNumber() || n.asDouble() != n.asLong() || n.asLong() <= 0) {
      throw Syntax.failure(
          9, "'N' must be an integer greater than zero, found N: " + ShellText.of(n));
    }
    return MovingAverage.weightOf(n.asLong());
  }

  private WindowFunction covariance(Value argument, boolean sample, Value window) {
    List<Value> operands = argument.isArray() ? Syntax.elements(argument) : List.of();
    if (operands.size() != 2) {
      // Anything but an array of two operands has the result null; it is parsed for its errors.
      syntax.expression(argument);
      operands = List.of(Value.NULL, Value.NULL);
    }
    return new WindowFunction.Covariance(
        syntax.expression(operands.getFirst()),
        syntax.expression(operands.getLast()),
        sample,
        bounds(window));
  }

  private Expression input(String name, Document options) {
    if (!name.equals("$expMovingAvg")) {
      requireOneKey(name);
    }
    return syntax.expression(required(name, options, "input"));
  }

  /** Interpolation needs exactly one sort key. */
  static void requireLine(List<Sort> order) {
    if (order.size() != 1) {
      throw Syntax.failure(
          605001,
          "$linearFill must be specified with a top level sortBy expression with exactly one"
              + " element");
    }
  }

  private void requireOneKey(String name) {
    if (order.size() != 1) {
      throw Syntax.failure(9, name + " requires a sortBy with exactly one element");
    }
  }

  private static Document options(String name, Value argument) {
    return Syntax.object(argument, 9, "Argument to " + name + " must be an object, but found ");
  }

  private static Value required(String name, Document options, String field) {
    Value value = options.field(field);
    if (value.isMissing()) {
      throw Syntax.failure(9, name + " requires an '" + field + "' expression");
    }
    return value;
  }

  private static Optional<ChronoUnit> unit(Document options) {
    Value unit = options.field("unit");
    if (unit.isMissing()) {
      return Optional.empty();
    }
    ChronoUnit found = unit(unit);
    if (found.compareTo(ChronoUnit.WEEKS) > 0) {
      throw Syntax.failure(5490710, "unit must be 'week' or smaller");
    }
    return Optional.of(found);
  }

  private static ChronoUnit unit(Value unit) {
    return switch (Syntax.text(unit, 9, "'unit' must be a string, but found ")) {
      case "year" -> ChronoUnit.YEARS;
      case "quarter", "month" -> ChronoUnit.MONTHS;
      case "week" -> ChronoUnit.WEEKS;
      case "day" -> ChronoUnit.DAYS;
      case "hour" -> ChronoUnit.HOURS;
      case "minute" -> ChronoUnit.MINUTES;
      case "second" -> ChronoUnit.SECONDS;
      case "millisecond" -> ChronoUnit.MILLIS;
      default -> throw Syntax.failure(9, "unknown time unit value: " + unit.asString());
    };
  }

  private Bounds bounds(Value window) {
    if (window.isMissing()) {
      return Bounds.ALL;
    }
    Document options = Syntax.object(window, 9, "'window' field must be an object, but found ");
    Value documents = options.field("documents");
    Value range = options.field("range");
    if (!documents.isMissing() && !range.isMissing()) {
      throw Syntax.failure(9, "Window bounds can specify either 'documents' or 'unit', not both.");
    }
    refuseOthers(options);
    if (!range.isMissing()) {
      return distance(pair(range), options.field("unit"));
    }
    if (!options.field("unit").isMissing()) {
      throw Syntax.failure(9, "Window bounds can only specify 'unit' with range-based bounds.");
    }
    return documents.isMissing() ? Bounds.ALL : places(pair(documents));
  }

  private static void refuseOthers(Document window) {
    Fields fields = window.fields();
    while (fields.next()) {
      if (!WINDOW.contains(fields.name())) {
        throw Syntax.failure(
            9, "'window' field can only have 'documents', 'range' and 'unit': " + fields.name());
      }
    }
  }

  private static List<Value> pair(Value bounds) {
    List<Value> pair = bounds.isArray() ? Syntax.elements(bounds) : List.of();
    if (pair.size() != 2) {
      throw Syntax.failure(9, "Window bounds must be a 2-element array: " + ShellText.of(bounds));
    }
    return pair;
  }

  private Bounds places(List<Value> pair) {
    long lower = place(pair.getFirst(), Bounds.ALL_BEFORE);
    long upper = place(pair.getLast(), Bounds.ALL_AFTER);
    if (lower > upper) {
      throw Syntax.failure(
          5339900, "Lower bound must not exceed upper bound: [" + lower + ", " + upper + "]");
    }
    boolean all = lower == Bounds.ALL_BEFORE && upper == Bounds.ALL_AFTER;
    if (!all && order.isEmpty()) {
      throw Syntax.failure(5339901, "Document-based bounds require a sortBy");
    }
    return new Bounds.Places(lower, upper);
  }

  private static long place(Value bound, long unbounded) {
    if (bound.type() == Type.STRING) {
      return word(bound.asString()) ? unbounded : 0;
    }
    if (!bound.isNumber() || bound.asDouble() != bound.asLong()) {
      throw Syntax.failure(
          9, "Numeric document-based bounds must be an integer: " + ShellText.of(bound));
    }
    return bound.asLong();
  }

  private Bounds distance(List<Value> pair, Value unit) {
    if (order.size() != 1 || order.getFirst().descending()) {
      throw Syntax.failure(5339902, "Range-based bounds require sortBy a single field");
    }
    int times = unit.type() == Type.STRING && unit.asString().equals("quarter") ? 3 : 1;
    return new Bounds.Distance(
        times * distance(pair.getFirst(), Double.NEGATIVE_INFINITY),
        times * distance(pair.getLast(), Double.POSITIVE_INFINITY),
        unit.isMissing() ? Optional.empty() : Optional.of(unit(unit)));
  }

  private static double distance(Value bound, double unbounded) {
    if (bound.type() == Type.STRING) {
      return word(bound.asString()) ? unbounded : 0;
    }
    if (!bound.isNumber()) {
      throw Syntax.failure(
          9, "Range-based bounds expression must be a number: " + ShellText.of(bound));
    }
    return bound.asDouble();
  }

  /** Returns true for {@code unbounded}, false for {@code current}. */
  private static boolean word(String word) {
    return switch (word) {
      case "unbounded" -> true;
      case "current" -> false;
      default ->
          throw Syntax.failure(
              9, "Window bounds must be 'unbounded', 'current', or a number: " + word);
    };
  }
}
