package dev.mayfly.mql.parser;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.mql.function.IndexablePredicates;
import dev.mayfly.query.DocumentPredicate;
import dev.mayfly.query.IndexablePredicate;
import dev.mayfly.value.Document;
import java.util.List;
import java.util.function.Predicate;

/** The predicate of {@code $expr}, with the variables of its operation. */
record ExpressionPredicate(Expression expression, Variables variables)
    implements DocumentPredicate {
  @Override
  public Predicate<Document> predicate() {
    Scope scope = variables.scope();
    return document -> Truthiness.truthy(expression.evaluate(scope.root(document)));
  }

  @Override
  public List<IndexablePredicate> demands() {
    return IndexablePredicates.of(expression, variables.scope());
  }
}
