package dev.mayfly.query;

import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * What a computed condition demands of the one value at a path: that it compares so, in the total
 * order of all values, with one of several constants.
 *
 * <p>Unlike in a {@link Filter}, values of different types compare, arrays are values like others,
 * and no array is looked into on the way.
 */
public record IndexablePredicate(FieldPath path, Operator operator, List<Value> values) {
  public IndexablePredicate {
    values = List.copyOf(values);
  }
}
