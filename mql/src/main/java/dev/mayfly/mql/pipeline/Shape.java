package dev.mayfly.mql.pipeline;

import static java.util.Collections.unmodifiableMap;

import dev.mayfly.mql.expression.Expression;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a reshaped document has at one of its fields. */
public sealed interface Shape {
  /** What was there. */
  record Keep() implements Shape {}

  /** Nothing. */
  record Drop() implements Shape {}

  /** What an expression gives; nothing when that is missing. */
  record Compute(Expression expression) implements Shape {}

  /** An object whose fields are told apart; in an array, each of its elements. */
  record Nested(Map<String, Shape> fields) implements Shape {
    public Nested {
      fields = unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** True when something is computed at any depth. */
    boolean computes() {
      return fields.values().stream()
          .anyMatch(
              shape -> shape instanceof Compute || (shape instanceof Nested in && in.computes()));
    }
  }

  /** What becomes of fields that a shape does not speak of. */
  enum Others {
    /** They are left out: the shape tells what is included. */
    LEFT_OUT,
    /** They stay: the shape tells what is added or excluded. */
    KEPT
  }
}
