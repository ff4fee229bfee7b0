package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.accumulator.Accumulator;
import dev.mayfly.mql.accumulator.Accumulators;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Arguments of {@code $median} and {@code $percentile}. */
record PercentileSyntax(Expression input, Supplier<Accumulator> start) {
  static PercentileSyntax of(String operator, Value argument, Variables variables) {
    boolean median = operator.equals("$median");
    Arguments given =
        Arguments.of(
            operator,
            argument,
            variables,
            new Arguments.Numbers(ArgumentErrors.DATES, median ? 7436100 : 7429703, 40415, 40414),
            median ? Set.of("input", "method") : Set.of("input", "method", "p"));
    requireMethod(given);
    Expression input = given.required("input");
    if (median) {
      return new PercentileSyntax(input, Accumulators::median);
    }
    double[] parts = parts(given.required("p"));
    return new PercentileSyntax(input, () -> Accumulators.percentiles(parts));
  }

  private static void requireMethod(Arguments given) {
    given.require("method");
    Value method = given.syntax("method");
    if (method.type() != Type.STRING || !method.asString().equals("approximate")) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Currently only 'approximate' can be used as percentile 'method'.");
    }
  }

  private static double[] parts(Expression syntax) {
    Value parts = syntax.constant() ? syntax.evaluate(Scope.of(0)) : Value.NULL;
    if (!parts.isArray() || parts.asDocument().isEmpty()) {
      throw new CommandException(
          ErrorCode.location(7750301),
          "The $percentile 'p' field must be an array of numbers from [0.0, 1.0]");
    }
    List<Double> numbers = new ArrayList<>();
    Fields each = parts.asDocument().fields();
    while (each.next()) {
      numbers.add(part(each.value()));
    }
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static double part(Value part) {
    if (!part.isNumber() || !(part.asDouble() >= 0 && part.asDouble() <= 1)) {
      throw new CommandException(
          ErrorCode.location(7750303),
          "The $percentile 'p' field must be an array of numbers from [0.0, 1.0], found: " + part);
    }
    return part.asDouble();
  }
}
