package dev.mayfly.mql.pipeline;

import static java.util.Collections.unmodifiableMap;

import dev.mayfly.mql.expression.Expression;
import java.util.LinkedHashMap;
import java.util.Map;

/** Content of one field of a reshaped document. */
public sealed interface Shape {
  /** The existing value. */
  record Keep() implements Shape {}

  /** Nothing. */
  record Drop() implements Shape {}

  /** The value of an expression; nothing if that is missing. */
  record Compute(Expression expression) implements Shape {}

  /** An object with a shape for each field; in an array, each of its elements. */
  record Nested(Map<String, Shape> fields) implements Shape {
    public Nested {
      fields = unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** Returns whether anything is computed, at any depth. */
    boolean computes() {
      return fields.values().stream()
          .anyMatch(
              shape -> shape instanceof Compute || (shape instanceof Nested in && in.computes()));
    }
  }

  /** What happens to fields that a shape does not mention. */
  enum Others {
    /** They are removed: the shape lists what is included. */
    LEFT_OUT,
    /** They stay: the shape lists what is added or excluded. */
    KEPT
  }
}
