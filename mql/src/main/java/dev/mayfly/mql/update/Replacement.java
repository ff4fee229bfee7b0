package dev.mayfly.mql.update;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.value.Document;

/** Replacement of a document, which keeps only its id. */
public record Replacement(Document document) implements Update {
  @Override
  public Document apply(Document before, Scope scope, UpdateContext context) {
    Document after = IdField.kept(before, document);
    return after.equals(before) ? before : after;
  }
}
