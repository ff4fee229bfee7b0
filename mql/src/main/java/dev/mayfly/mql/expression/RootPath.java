package dev.mayfly.mql.expression;

import dev.mayfly.query.RootFields;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;

/** What a path leads to in the document at hand; the document itself when the path is empty. */
public record RootPath(FieldPath path) implements Expression {
  @Override
  public Value evaluate(Scope scope) {
    return Paths.walk(scope.root(), path);
  }

  @Override
  public RootFields reads() {
    return RootFields.of(path);
  }
}
