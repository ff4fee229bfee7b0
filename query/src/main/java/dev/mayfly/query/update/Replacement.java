package dev.mayfly.query.update;

import dev.mayfly.query.expression.Scope;
import dev.mayfly.value.Document;

/** Puts one document in place of another, keeping only its id. */
public record Replacement(Document document) implements Update {
  @Override
  public Document apply(Document before, Scope scope, UpdateContext context) {
    Document after = Ids.kept(before, document);
    return after.equals(before) ? before : after;
  }
}
