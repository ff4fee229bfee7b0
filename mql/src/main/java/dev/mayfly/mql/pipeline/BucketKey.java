package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Value;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Group key of {@code $bucket}: the lower boundary of the bucket that contains a value.
 *
 * @param boundaries ascending; each but the last begins a bucket that ends before the next
 * @param otherwise the key of values in no bucket; without it they are an error
 */
public record BucketKey(
    Expression value, List<Value> boundaries, Optional<Value> otherwise, Comparator<Value> order)
    implements Expression {
  private static final int NO_BRANCH = 40066;

  public BucketKey {
    boundaries = List.copyOf(boundaries);
  }

  @Override
  public Value evaluate(Scope scope) {
    Value at = value.evaluate(scope);
    int low = 0;
    int high = boundaries.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (order.compare(at, boundaries.get(middle)) < 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    boolean inside = low > 0 && low < boundaries.size();
    return inside ? boundaries.get(low - 1) : otherwise.orElseThrow(BucketKey::noBranch);
  }

  private static QueryException noBranch() {
    return new QueryException(
        Reason.BAD_VALUE,
        NO_BRANCH,
        "$switch could not find a matching branch for an input, and no default was specified.");
  }
}
