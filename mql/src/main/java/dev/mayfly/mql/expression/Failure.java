package dev.mayfly.mql.expression;

import dev.mayfly.query.QueryException;
import dev.mayfly.value.Value;

/** Expression that fails when it is evaluated. */
public record Failure(QueryException.Reason reason, int number, String message)
    implements Expression {
  @Override
  public Value evaluate(Scope scope) {
    throw new QueryException(reason, number, message);
  }
}
