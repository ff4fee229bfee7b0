package dev.mayfly.mql.update;

import dev.mayfly.query.Matcher;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.Map;

/**
 * One application of update operators to one document.
 *
 * @param filters matchers of the array filters, by identifier
 */
record UpdateApplication(Document before, UpdateContext context, Map<String, Matcher> filters) {
  /** Returns whether the array filter with this identifier matches the element. */
  boolean means(String identifier, Value element) {
    Matcher matcher = filters.get(identifier);
    return matcher != null && matcher.matches(Document.writer().put(identifier, element).build());
  }

  /** Returns the id of the document as messages show it. */
  String id() {
    Value id = before.field(IdField.ID);
    return "{" + (id.isMissing() ? "" : ShellText.field(IdField.ID, id)) + "}";
  }

  static QueryException failure(Reason reason, String message) {
    return new QueryException(reason, 0, message);
  }
}
