package dev.mayfly.mql.accumulator;

import dev.mayfly.mql.expression.Elements;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.function.Supplier;

/** Accumulator used as an expression: over its operands, or the elements of its only operand. */
public record AccumulatorExpression(
    String operation, Supplier<Accumulator> accumulator, List<Expression> operands)
    implements Expression {
  public AccumulatorExpression {
    operands = List.copyOf(operands);
  }

  @Override
  public Value evaluate(Scope scope) {
    Accumulator accumulated = accumulator.get();
    try {
      if (operands.size() == 1) {
        addAll(operands.getFirst().evaluate(scope), accumulated);
      } else {
        for (Expression operand : operands) {
          accumulated.add(operand.evaluate(scope));
        }
      }
      return accumulated.result();
    } catch (QueryException failure) {
      throw failure.of(operation);
    }
  }

  @Override
  public RootFields reads() {
    return Expression.readsOf(operands);
  }

  @Override
  public boolean constant() {
    return operands.stream().allMatch(Expression::constant);
  }

  private static void addAll(Value value, Accumulator accumulated) {
    if (!value.isArray()) {
      accumulated.add(value);
      return;
    }
    Fields each = Elements.cursor(value);
    while (each.next()) {
      accumulated.add(each.value());
    }
  }
}
