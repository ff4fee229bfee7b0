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
 * A condition of a pipeline that is computed, possibly from variables.
 *
 * <p>A pipeline that runs {@linkplain #in binds} it to its own variables first; unbound, it can
 * only be asked when it uses none.
 */
public record ScopedPredicate(Expression expression) implements DocumentPredicate {
  @Override
  public Predicate<Document> asker() {
    return new Bound(expression, Scope.of(0), List.of()).asker();
  }

  /**
   * This with the variables of a run, as they are when it is asked; its demands as they are now.
   */
  DocumentPredicate in(Scope scope) {
    return new Bound(expression, scope, IndexablePredicates.of(expression, scope));
  }

  private record Bound(Expression expression, Scope scope, List<IndexablePredicate> demands)
      implements DocumentPredicate {
    @Override
    public Predicate<Document> asker() {
      return document -> Truthiness.truthy(expression.evaluate(scope.root(document)));
    }
  }
}
