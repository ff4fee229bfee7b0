package dev.mayfly.mql.parser;

import dev.mayfly.mql.accumulator.Accumulator;
import dev.mayfly.mql.accumulator.AccumulatorExpression;
import dev.mayfly.mql.accumulator.Accumulators;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Syntax of accumulators used as expressions on the values of one document. */
final class AccumulatorSyntax {
  private AccumulatorSyntax() {}

  static void addTo(Map<String, OperatorSyntax> operators) {
    operators.put("$sum", gathered(_ -> Accumulators::sum));
    operators.put("$avg", gathered(_ -> Accumulators::average));
    operators.put("$min", gathered(seen -> () -> Accumulators.least(seen.order())));
    operators.put("$max", gathered(seen -> () -> Accumulators.least(seen.order().reversed())));
    operators.put("$stdDevPop", gathered(_ -> () -> Accumulators.deviation(false)));
    operators.put("$stdDevSamp", gathered(_ -> () -> Accumulators.deviation(true)));
    operators.put("$median", AccumulatorSyntax::percentiles);
    operators.put("$percentile", AccumulatorSyntax::percentiles);
  }

  private static OperatorSyntax gathered(Function<Variables, Supplier<Accumulator>> kind) {
    return (operator, argument, variables) ->
        Literal.folded(
            new AccumulatorExpression(
                operator, kind.apply(variables), OperatorSyntax.operands(argument, variables)));
  }

  private static Expression percentiles(String operator, Value argument, Variables variables) {
    PercentileSyntax syntax = PercentileSyntax.of(operator, argument, variables);
    return new AccumulatorExpression(operator, syntax.start(), List.of(syntax.input()));
  }
}
