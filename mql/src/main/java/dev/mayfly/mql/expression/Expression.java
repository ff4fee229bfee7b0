package dev.mayfly.mql.expression;

import dev.mayfly.query.QueryException;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.Value;
import java.util.Collection;
import java.util.List;

/**
 * Computes a value from a document and variables.
 *
 * <p>An immutable tree; evaluation is by one thread at a time per {@link Scope}.
 */
@FunctionalInterface
public interface Expression {
  /**
   * The value in this scope; {@link Value#MISSING} for nothing.
   *
   * @throws QueryException when an operand is none that the computation is defined for
   */
  Value evaluate(Scope scope);

  /** The fields of the document at hand that the value may depend on. */
  default RootFields reads() {
    return RootFields.ALL;
  }

  /** The fields that any of these may depend on. */
  static RootFields readsOf(Collection<Expression> expressions) {
    return expressions.stream().map(Expression::reads).reduce(RootFields.NONE, RootFields::and);
  }

  /** The fields that any of these may depend on. */
  static RootFields readsOf(Expression... expressions) {
    return readsOf(List.of(expressions));
  }

  /** True when the value is the same in every scope, so that it may be computed once. */
  default boolean constant() {
    return false;
  }
}
