package dev.mayfly.query.pipeline;

import dev.mayfly.query.DocumentTest;
import dev.mayfly.query.expression.Expression;
import dev.mayfly.query.expression.Scope;
import dev.mayfly.query.expression.Truthiness;
import dev.mayfly.value.Document;
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
    return asker(Scope.of(0));
  }

  /** This with the variables of a run, as they are when it is asked. */
  DocumentTest in(Scope scope) {
    return () -> asker(scope);
  }

  private Predicate<Document> asker(Scope scope) {
    return document -> Truthiness.truthy(expression.evaluate(scope.root(document)));
  }
}
