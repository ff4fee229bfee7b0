package dev.mayfly.query.pipeline;

import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.expression.Expression;
import dev.mayfly.query.expression.Scope;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.Set;

/** Puts the object that an expression gives in place of the document. */
public final class NewRoot implements Stage.Step {
  private static final int NO_OBJECT = 40228;

  private final Expression expression;

  private NewRoot(Expression expression) {
    this.expression = expression;
  }

  /** The stage that does so. */
  public static Stage.Reshape stage(Expression expression) {
    return new Stage.Reshape(new NewRoot(expression), Untouched.only(Set.of()));
  }

  @Override
  public Document apply(Document document, Scope scope) {
    Value value = expression.evaluate(scope);
    if (!value.isDocument()) {
      throw new QueryException(
          Reason.WRONG_TYPE,
          NO_OBJECT,
          "'newRoot' expression must evaluate to an object, but resulting value was: "
              + value
              + ". Type of resulting value: '"
              + value.type()
              + "'. Input document: "
              + document);
    }
    return value.asDocument();
  }
}
