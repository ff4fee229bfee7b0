package dev.mayfly.mql.update;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.value.Document;

/** Puts one document in place of another, keeping only its id. */
public record Replacement(Document document) implements Update {
  @Override
  public Document apply(Document before, Scope scope, UpdateContext context) {
    Document after = IdField.kept(before, document);
    return after.equals(before) ? before : after;
  }
}
