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

/** What an accumulator makes of the values of operands, or of the elements of the only one. */
public record AccumulatorExpression(
    String operation, Supplier<Accumulator> accumulator, List<Expression> operands)
    implements Expression {
  public AccumulatorExpression {
    operands = List.copyOf(operands);
  }

  @Override
  public Value evaluate(Scope scope) {
    Accumulator gathered = accumulator.get();
    try {
      if (operands.size() == 1) {
        addAll(operands.getFirst().evaluate(scope), gathered);
      } else {
        for (Expression operand : operands) {
          gathered.add(operand.evaluate(scope));
        }
      }
      return gathered.result();
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

  private static void addAll(Value value, Accumulator gathered) {
    if (!value.isArray()) {
      gathered.add(value);
      return;
    }
    Fields each = Elements.cursor(value);
    while (each.next()) {
      gathered.add(each.value());
    }
  }
}
