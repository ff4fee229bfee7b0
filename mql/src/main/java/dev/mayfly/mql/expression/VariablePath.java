package dev.mayfly.mql.expression;

import dev.mayfly.query.RootFields;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;

/** What a path leads to in a variable; the variable itself when the path is empty. */
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
