package dev.mayfly.mql.expression;

import dev.mayfly.query.RootFields;
import dev.mayfly.value.Value;
import java.util.concurrent.ThreadLocalRandom;

/** {@code $rand}: a number from 0, inclusive, to 1, exclusive; a new one at each evaluation. */
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
