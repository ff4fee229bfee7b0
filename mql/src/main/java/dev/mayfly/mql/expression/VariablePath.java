package dev.mayfly.mql.expression;

import dev.mayfly.query.RootFields;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;

/** Value at a path of a variable; the variable itself if the path is empty. */
public record VariablePath(int slot, FieldPath path) implements Expression {
  @Override
  public Value evaluate(Scope scope) {
    return Paths.walk(scope.variable(slot), path);
  }

  @Override
  public RootFields reads() {
    return RootFields.NONE;
  }
}
