package dev.mayfly.mql.expression;

import dev.mayfly.query.Operator;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.Value;
import java.util.Comparator;

/**
 * Comparison in a total order: values of different types are comparable, and missing is a value of
 * its own.
 */
public record Comparison(
    Operator operator, Expression left, Expression right, Comparator<Value> order)
    implements Expression {
  @Override
  public Value evaluate(Scope scope) {
    int sign = order.compare(left.evaluate(scope), right.evaluate(scope));
    return Value.of(operator.holds(Integer.signum(sign)));
  }

  @Override
  public RootFields reads() {
    return Expression.readsOf(left, right);
  }

  @Override
  public boolean constant() {
    return left.constant() && right.constant();
  }
}
