package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.accumulator.Accumulation;
import dev.mayfly.mql.accumulator.Accumulator;
import dev.mayfly.mql.accumulator.Accumulators;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Parser of accumulators in {@code $group} and window stages: {@code {$sum: "$price"}}. */
public final class AccumulatorParser {
  private static final Arguments.Numbers TOP_NUMBERS =
      new Arguments.Numbers(
          ArgumentErrors.TOP,
          5788001,
          5788002,
          5788003,
          Map.of("output", 5788004, "sortBy", 5788005));

  /** Parses the argument of one accumulator. */
  private interface Syntax {
    Accumulation parse(String operator, Value argument, Variables variables);
  }

  private static final Map<String, Syntax> ACCUMULATORS =
      Map.ofEntries(
          Map.entry("$sum", plain(Accumulators::sum)),
          Map.entry("$avg", plain(Accumulators::average)),
          Map.entry("$min", ordered(Accumulators::least)),
          Map.entry("$max", ordered(order -> Accumulators.least(order.reversed()))),
          Map.entry("$first", plain(Accumulators::first)),
          Map.entry("$last", plain(Accumulators::last)),
          Map.entry("$push", plain(Accumulators::all)),
          Map.entry("$addToSet", ordered(Accumulators::distinct)),
          Map.entry("$count", AccumulatorParser::count),
          Map.entry("$mergeObjects", plain(Accumulators::merged)),
          Map.entry("$stdDevPop", plain(() -> Accumulators.deviation(false))),
          Map.entry("$stdDevSamp", plain(() -> Accumulators.deviation(true))),
          Map.entry("$firstN", several((n, _) -> Accumulators.first(n))),
          Map.entry("$lastN", several((n, _) -> Accumulators.last(n))),
          Map.entry("$minN", several((n, order) -> Accumulators.least(order, n))),
          Map.entry("$maxN", several((n, order) -> Accumulators.least(order.reversed(), n))),
          Map.entry("$top", sorted(Accumulators::lowest)),
          Map.entry("$bottom", sorted(Accumulators::highest)),
          Map.entry("$topN", sortedSeveral(Accumulators::lowest)),
          Map.entry("$bottomN", sortedSeveral(Accumulators::highest)),
          Map.entry("$median", AccumulatorParser::percentiles),
          Map.entry("$percentile", AccumulatorParser::percentiles),
          Map.entry("$accumulator", AccumulatorParser::script));

  private AccumulatorParser() {}

  /** Returns whether an accumulator with this name exists. */
  public static boolean knows(String operator) {
    return ACCUMULATORS.containsKey(operator);
  }

  /**
   * Parses the accumulator of one output field: an object with exactly one accumulator.
   *
   * @throws CommandException if the syntax is invalid
   */
  public static Accumulation parse(String field, Value syntax, Variables variables) {
    if (!syntax.isDocument()) {
      throw new CommandException(
          ErrorCode.location(40234), "The field '" + field + "' must be an accumulator object");
    }
    Fields only = syntax.asDocument().fields();
    if (!only.next()) {
      throw new CommandException(
          ErrorCode.location(40234), "The field '" + field + "' must be an accumulator object");
    }
    String operator = only.name();
    Value argument = only.value();
    if (only.next()) {
      throw new CommandException(
          ErrorCode.location(40238), "The field '" + field + "' must specify one accumulator");
    }
    Syntax kind = ACCUMULATORS.get(operator);
    if (kind == null) {
      throw new CommandException(
          ErrorCode.location(15952), "unknown group operator '" + operator + "'");
    }
    return kind.parse(operator, argument, variables);
  }

  private static Syntax plain(Supplier<Accumulator> start) {
    return (operator, argument, variables) ->
        Accumulation.of(operand(operator, argument, variables), start);
  }

  private static Syntax ordered(Function<Comparator<Value>, Accumulator> start) {
    return (operator, argument, variables) ->
        Accumulation.of(
            operand(operator, argument, variables), () -> start.apply(variables.order()));
  }

  /** Parses the only operand: an array is rejected unless it has exactly one element. */
  private static Expression operand(String operator, Value argument, Variables variables) {
    if (argument.isArray()) {
      List<Expression> operands = OperatorSyntax.operands(argument, variables);
      if (operands.size() != 1) {
        throw new CommandException(
            ErrorCode.location(40237), "The " + operator + " accumulator is a unary operator");
      }
      return operands.getFirst();
    }
    return ExpressionParser.parse(argument, variables);
  }

  private static Accumulation count(String operator, Value argument, Variables variables) {
    if (!argument.isDocument() || !argument.asDocument().isEmpty()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "$count takes no arguments, i.e. $count:{}");
    }
    return Accumulation.of(Literal.NULL, Accumulators::count);
  }

  /** Creates an accumulator that keeps several values, from their number and order. */
  private interface Several {
    Accumulator start(Value n, Comparator<Value> order);
  }

  /** Error numbers of accumulators that keep several values; comparing ones have other numbers. */
  static Arguments.Numbers severalNumbers(String operator) {
    boolean compares = operator.equals("$minN") || operator.equals("$maxN");
    return new Arguments.Numbers(
        ArgumentErrors.SEVERAL,
        compares ? 5787900 : 5787801,
        5787901,
        5787906,
        Map.of("input", 5787907));
  }

  private static Syntax several(Several kind) {
    return (operator, argument, variables) -> {
      Arguments given =
          Arguments.of(
              operator, argument, variables, severalNumbers(operator), Set.of("n", "input"));
      Expression n = given.required("n");
      return new Accumulation(
          given.required("input"),
          group -> kind.start(n.evaluate(group), variables.order()),
          n.constant());
    };
  }

  private static Syntax sorted(Supplier<Accumulator> start) {
    return (operator, argument, variables) -> {
      Arguments given =
          Arguments.of(operator, argument, variables, TOP_NUMBERS, Set.of("sortBy", "output"));
      return Accumulation.of(sortedInput(given, variables), start);
    };
  }

  private static Syntax sortedSeveral(Function<Value, Accumulator> start) {
    return (operator, argument, variables) -> {
      Arguments given =
          Arguments.of(operator, argument, variables, TOP_NUMBERS, Set.of("n", "sortBy", "output"));
      Expression n = given.required("n");
      return new Accumulation(
          sortedInput(given, variables), group -> start.apply(n.evaluate(group)), n.constant());
    };
  }

  private static Expression sortedInput(Arguments given, Variables variables) {
    Expression output = given.required("output");
    given.require("sortBy");
    Value by = given.syntax("sortBy");
    if (!by.isDocument()) {
      throw new CommandException(
          ErrorCode.location(5788604), "expected 'sortBy' to already be an object");
    }
    List<Sort> keys = SortParser.parse(by.asDocument());
    return Accumulators.sorted(keys, variables.collation(), output);
  }

  private static Accumulation percentiles(String operator, Value argument, Variables variables) {
    PercentileSyntax syntax = PercentileSyntax.of(operator, argument, variables);
    return Accumulation.of(syntax.input(), syntax.start());
  }

  private static Accumulation script(String operator, Value argument, Variables variables) {
    throw new CommandException(
        ErrorCode.location(31264), operator + " is not supported: server-side JavaScript is off");
  }
}
