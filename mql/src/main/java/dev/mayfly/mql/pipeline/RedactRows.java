package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Intermediate;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.Optional;

/**
 * Rows of {@code $redact}: documents without the parts that an expression prunes.
 *
 * <p>The expression is evaluated for the document and, if it returns {@code $$DESCEND}, for each
 * embedded object, at any depth and in arrays.
 */
final class RedactRows implements Rows {
  private static final int NO_DECISION = 17053;

  private final Rows input;
  private final Stage.Redact stage;
  private final Scope scope;
  private Document current = Document.EMPTY;

  RedactRows(Rows input, Stage.Redact stage, Scope scope) {
    this.input = input;
    this.stage = stage;
    this.scope = scope;
  }

  @Override
  public boolean next() {
    while (input.next()) {
      scope.root(input.current());
      Optional<Document> rest = redact(input.current());
      if (rest.isPresent()) {
        current = rest.get();
        return true;
      }
    }
    return false;
  }

  private Optional<Document> redact(Document document) {
    scope.variable(stage.slot(), Value.of(document));
    Value decision = stage.decision().evaluate(scope);
    if (decision.equals(Stage.Redact.KEEP)) {
      return Optional.of(document);
    }
    if (decision.equals(Stage.Redact.PRUNE)) {
      return Optional.empty();
    }
    if (decision.equals(Stage.Redact.DESCEND)) {
      return Optional.of(descend(document));
    }
    throw new QueryException(
        Reason.BAD_VALUE,
        NO_DECISION,
        "$redact's expression should not return anything aside from the variables"
            + " $$KEEP, $$DESCEND, and $$PRUNE, but returned "
            + decision);
  }

  private Document descend(Document document) {
    DocumentWriter writer = Intermediate.writer();
    Fields fields = document.fields();
    while (fields.next()) {
      switch (fields.type()) {
        case OBJECT, ARRAY -> writer.put(fields.name(), part(fields.value()));
        default -> writer.put(fields);
      }
    }
    return writer.build();
  }

  /** Returns what is left of an object or array; missing if nothing is. */
  private Value part(Value value) {
    if (value.isDocument()) {
      return redact(value.asDocument()).map(Value::of).orElse(Value.MISSING);
    }
    if (!value.isArray()) {
      return value;
    }
    DocumentWriter writer = Intermediate.writer();
    Fields elements = value.asDocument().fields();
    while (elements.next()) {
      writer.add(part(elements.value()));
    }
    return Value.array(writer.build());
  }

  @Override
  public Document current() {
    return current;
  }

  @Override
  public void close() {
    input.close();
  }
}
