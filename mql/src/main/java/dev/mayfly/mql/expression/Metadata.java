package dev.mayfly.mql.expression;

import dev.mayfly.value.Value;

/** {@code $meta}: metadata of the current document, by name. */
public record Metadata(String name) implements Expression {
  @Override
  public Value evaluate(Scope scope) {
    return scope.metadata().field(name);
  }
}
