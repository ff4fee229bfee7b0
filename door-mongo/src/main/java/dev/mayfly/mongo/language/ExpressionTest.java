package dev.mayfly.mongo.language;

import dev.mayfly.query.Demand;
import dev.mayfly.query.DocumentTest;
import dev.mayfly.query.expression.Demands;
import dev.mayfly.query.expression.Expression;
import dev.mayfly.query.expression.Scope;
import dev.mayfly.query.expression.Truthiness;
import dev.mayfly.value.Document;
import java.util.List;
import java.util.function.Predicate;

/** What {@code $expr} asks of a document, with the variables of the operation it is part of. */
record ExpressionTest(Expression expression, Variables variables) implements DocumentTest {
  @Override
  public Predicate<Document> asker() {
    Scope scope = variables.scope();
    return document -> Truthiness.truthy(expression.evaluate(scope.root(document)));
  }

  @Override
  public List<Demand> demands() {
    return Demands.of(expression, variables.scope());
  }
}
