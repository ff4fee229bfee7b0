package dev.mayfly.mql.expression;

import dev.mayfly.query.QueryException;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;

/** Constant value. */
public record Literal(Value value) implements Expression {
  public static final Literal MISSING = new Literal(Value.MISSING);
  public static final Literal NULL = new Literal(Value.NULL);

  @Override
  public Value evaluate(Scope scope) {
    return value;
  }

  @Override
  public RootFields reads() {
    return RootFields.NONE;
  }

  @Override
  public boolean constant() {
    return true;
  }

  /**
   * Folds a constant expression to its value; returns other expressions unchanged.
   *
   * <p>A constant expression that fails stays unchanged: it fails only if it is evaluated.
   */
  public static Expression folded(Expression expression) {
    if (!expression.constant() || expression instanceof Literal) {
      return expression;
    }
    try {
      return new Literal(expression.evaluate(Scope.of(0)));
    } catch (QueryException | ValueException _) {
      return expression;
    }
  }
}
