package dev.mayfly.mql.expression;

import dev.mayfly.value.Value;

/** What is known by this name about the document at hand, beside its fields. */
public record Metadata(String name) implements Expression {
  @Override
  public Value evaluate(Scope scope) {
    return scope.metadata().field(name);
  }
}
