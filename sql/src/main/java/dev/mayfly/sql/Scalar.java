package dev.mayfly.sql;

import dev.mayfly.value.Value;

/** Computes a value from a row; {@link Value#MISSING} is undefined. Immutable. */
@FunctionalInterface
public interface Scalar {
  Value evaluate(Row row);
}
