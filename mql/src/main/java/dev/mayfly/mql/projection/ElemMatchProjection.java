package dev.mayfly.mql.projection;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * {@code $elemMatch} projection: an array of the first element that matches a filter; missing if
 * none does.
 *
 * <p>Keeps a matcher: for one thread at a time.
 */
public final class ElemMatchProjection implements Expression {
  private final FieldPath path;
  private final Matcher matcher;

  /**
   * Creates the projection of the array at the path; the filter applies to its elements as in a
   * query.
   */
  public ElemMatchProjection(Filter.ElementMatch filter) {
    this.path = filter.path();
    this.matcher = filter.matcher(Mode.MATCH);
  }

  @Override
  public Value evaluate(Scope scope) {
    Value root = scope.root();
    if (!root.isDocument() || !matcher.matches(root.asDocument())) {
      return Value.MISSING;
    }
    Value array = root.asDocument().at(path);
    return Value.array(List.of(PositionalProjection.at(array, matcher.place())));
  }
}
