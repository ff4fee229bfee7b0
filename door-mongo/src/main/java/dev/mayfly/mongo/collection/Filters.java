package dev.mayfly.mongo.collection;

import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.language.ExpressionParser;
import dev.mayfly.mongo.language.FilterParser;
import dev.mayfly.mongo.language.Variables;
import dev.mayfly.query.Collation;
import dev.mayfly.query.DocumentTest;
import dev.mayfly.query.Filter;
import dev.mayfly.query.expression.Expression;
import dev.mayfly.query.expression.Scope;
import dev.mayfly.query.expression.Truthiness;
import dev.mayfly.value.Document;
import java.util.function.Predicate;

/** Queries that are kept with a collection or asked about descriptions of one. */
public final class Filters {
  private Filters() {}

  /** An expression asked about documents. */
  private record Computed(Expression expression, Variables variables) implements DocumentTest {
    @Override
    public Predicate<Document> asker() {
      Scope scope = variables.scope();
      return document -> Truthiness.truthy(expression.evaluate(scope.root(document)));
    }
  }

  /**
   * The filter that a query means.
   *
   * @throws CommandException when it means nothing
   */
  public static Filter parse(Document syntax) {
    return parse(syntax, Collation.SIMPLE);
  }

  /** As {@link #parse(Document)}, with texts that compare as the collation says. */
  public static Filter parse(Document syntax, Collation collation) {
    return FilterParser.parse(
        syntax,
        expression -> {
          Variables variables = Variables.none(0);
          return new Computed(ExpressionParser.parse(expression, variables), variables);
        },
        collation);
  }
}
