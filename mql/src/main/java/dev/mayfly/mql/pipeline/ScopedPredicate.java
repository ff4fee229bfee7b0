package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.mql.function.IndexablePredicates;
import dev.mayfly.query.DocumentPredicate;
import dev.mayfly.query.IndexablePredicate;
import dev.mayfly.value.Document;
import java.util.List;
import java.util.function.Predicate;

/**
 * {@code $expr} condition of a pipeline, possibly with variables.
 *
 * <p>A run of the pipeline {@linkplain #in binds} it to its variables first; unbound, it can be
 * evaluated only if it uses none.
 */
public record ScopedPredicate(Expression expression) implements DocumentPredicate {
  @Override
  public Predicate<Document> predicate() {
    return new Bound(expression, Scope.of(0), List.of()).predicate();
  }

  /**
   * Returns this predicate bound to the variables of a run. It reads their values at evaluation;
   * its index conditions use the current values.
   */
  DocumentPredicate in(Scope scope) {
    return new Bound(expression, scope, IndexablePredicates.of(expression, scope));
  }

  private record Bound(Expression expression, Scope scope, List<IndexablePredicate> demands)
      implements DocumentPredicate {
    @Override
    public Predicate<Document> predicate() {
      return document -> Truthiness.truthy(expression.evaluate(scope.root(document)));
    }
  }
}
