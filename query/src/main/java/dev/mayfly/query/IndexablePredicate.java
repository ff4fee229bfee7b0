package dev.mayfly.query;

import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Necessary condition of a computed predicate on the value at a path: it compares, in the total
 * order of all values, with one of several constants.
 *
 * <p>Unlike in a {@link Filter}, values of different types compare, arrays are plain values, and
 * the path does not traverse arrays.
 */
public record IndexablePredicate(FieldPath path, Operator operator, List<Value> values) {
  public IndexablePredicate {
    values = List.copyOf(values);
  }
}
