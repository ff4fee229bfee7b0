package dev.mayfly.mql.rows;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Documents of an array that an expression returns. */
public final class ArrayRows {
  private static final int NO_ARRAY = 5858203;
  private static final int NO_OBJECT = 40228;

  private ArrayRows() {}

  public static Rows of(Expression array, Scope scope) {
    Value value = array.evaluate(scope.root(Document.EMPTY));
    if (!value.isArray()) {
      throw new QueryException(
          Reason.WRONG_TYPE, NO_ARRAY, "an array is expected, but found " + value);
    }
    List<Document> documents = new ArrayList<>();
    Fields elements = value.asDocument().fields();
    while (elements.next()) {
      documents.add(document(elements.value()));
    }
    return Rows.of(documents);
  }

  private static Document document(Value element) {
    if (!element.isDocument()) {
      throw new QueryException(
          Reason.WRONG_TYPE, NO_OBJECT, "an object is expected, but found " + element);
    }
    return element.asDocument();
  }
}
