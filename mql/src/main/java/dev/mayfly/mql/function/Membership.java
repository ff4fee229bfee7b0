package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.Value;
import java.util.Comparator;

/**
 * {@code $in}: whether an array contains a value.
 *
 * @param operation name in error messages
 */
public record Membership(
    String operation, Expression value, Expression array, Comparator<Value> order)
    implements Expression {
  @Override
  public Value evaluate(Scope scope) {
    try {
      return ArrayFunctions.contains(value.evaluate(scope), array.evaluate(scope), order);
    } catch (QueryException failure) {
      throw failure.of(operation);
    }
  }

  @Override
  public RootFields reads() {
    return Expression.readsOf(value, array);
  }

  @Override
  public boolean constant() {
    return value.constant() && array.constant();
  }
}
