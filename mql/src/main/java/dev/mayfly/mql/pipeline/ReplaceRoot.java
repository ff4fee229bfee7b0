package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.Set;

/** Stage step of {@code $replaceRoot}: replaces the document by the object of an expression. */
public final class ReplaceRoot implements Stage.Step {
  private static final int NO_OBJECT = 40228;

  private final Expression expression;
  private final String subject;

  private ReplaceRoot(Expression expression, String subject) {
    this.expression = expression;
    this.subject = subject;
  }

  /**
   * Returns the stage with this step.
   *
   * @param subject names the value in the error message if it is not an object
   */
  public static Stage.Reshape stage(Expression expression, String subject) {
    return new Stage.Reshape(new ReplaceRoot(expression, subject), PreservedFields.only(Set.of()));
  }

  @Override
  public Document apply(Document document, Scope scope) {
    Value value = expression.evaluate(scope);
    if (!value.isDocument()) {
      throw new QueryException(
          Reason.WRONG_TYPE,
          NO_OBJECT,
          subject
              + " must evaluate to an object, but resulting value was: "
              + (value.isMissing() ? "MISSING" : ShellText.of(value))
              + ". Type of resulting value: '"
              + TypeNames.of(value.type())
              + "'. Input document: "
              + ShellText.of(document));
    }
    return value.asDocument();
  }
}
