package dev.mayfly.mql.expression;

import dev.mayfly.query.QueryException;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.Value;
import java.util.Collection;
import java.util.List;

/**
 * Aggregation expression: computes a value from a document and variables.
 *
 * <p>An immutable tree; evaluation is by one thread at a time per {@link Scope}.
 */
@FunctionalInterface
public interface Expression {
  /**
   * Returns the value in this scope; {@link Value#MISSING} for no value.
   *
   * @throws QueryException if the operation is not defined for an operand
   */
  Value evaluate(Scope scope);

  /** Returns the fields of the current document that the value may depend on. */
  default RootFields reads() {
    return RootFields.ALL;
  }

  /** Returns the fields that any of these may depend on. */
  static RootFields readsOf(Collection<Expression> expressions) {
    return expressions.stream().map(Expression::reads).reduce(RootFields.NONE, RootFields::and);
  }

  /** Returns the fields that any of these may depend on. */
  static RootFields readsOf(Expression... expressions) {
    return readsOf(List.of(expressions));
  }

  /** Returns whether the value is the same in every scope, so that it can be computed once. */
  default boolean constant() {
    return false;
  }
}
