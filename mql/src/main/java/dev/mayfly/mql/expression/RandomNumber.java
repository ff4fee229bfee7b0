package dev.mayfly.mql.expression;

import dev.mayfly.query.RootFields;
import dev.mayfly.value.Value;
import java.util.concurrent.ThreadLocalRandom;

/** A number from 0 up to but without 1, another one at each evaluation. */
public record RandomNumber() implements Expression {
  @Override
  public Value evaluate(Scope scope) {
    scope.draw();
    return Value.of(ThreadLocalRandom.current().nextDouble());
  }

  @Override
  public RootFields reads() {
    return RootFields.NONE;
  }
}
