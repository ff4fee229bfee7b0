package dev.mayfly.mql.expression;

import dev.mayfly.query.RootFields;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;

/** Value at a path of the current document; the document itself if the path is empty. */
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
