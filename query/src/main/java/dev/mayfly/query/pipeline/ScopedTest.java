package dev.mayfly.query.pipeline;

import dev.mayfly.query.Demand;
import dev.mayfly.query.DocumentTest;
import dev.mayfly.query.expression.Demands;
import dev.mayfly.query.expression.Expression;
import dev.mayfly.query.expression.Scope;
import dev.mayfly.query.expression.Truthiness;
import dev.mayfly.value.Document;
import java.util.List;
import java.util.function.Predicate;

/**
 * A condition of a pipeline that is computed, possibly from variables.
 *
 * <p>A pipeline that runs {@linkplain #in binds} it to its own variables first; unbound, it can
 * only be asked when it uses none.
 */
public record ScopedTest(Expression expression) implements DocumentTest {
  @Override
  public Predicate<Document> asker() {
    return new Bound(expression, Scope.of(0), List.of()).asker();
  }

  /**
   * This with the variables of a run, as they are when it is asked; its demands as they are now.
   */
  DocumentTest in(Scope scope) {
    return new Bound(expression, scope, Demands.of(expression, scope));
  }

  private record Bound(Expression expression, Scope scope, List<Demand> demands)
      implements DocumentTest {
    @Override
    public Predicate<Document> asker() {
      return document -> Truthiness.truthy(expression.evaluate(scope.root(document)));
    }
  }
}
