package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Comparison;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.Logic;
import dev.mayfly.mql.expression.RootPath;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.expression.VariablePath;
import dev.mayfly.query.IndexablePredicate;
import dev.mayfly.query.Operator;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Extracts from an expression the comparisons of single fields with constants that an index can
 * serve.
 */
public final class IndexablePredicates {
  private final Scope scope;
  private final List<IndexablePredicate> found = new ArrayList<>();

  private IndexablePredicates(Scope scope) {
    this.scope = scope;
  }

  /**
   * Returns predicates that hold for every document for which the expression is true, but possibly
   * for others, too.
   *
   * @param scope has the variables of the expression
   */
  public static List<IndexablePredicate> of(Expression expression, Scope scope) {
    IndexablePredicates indexablePredicates = new IndexablePredicates(scope);
    indexablePredicates.add(expression);
    return indexablePredicates.found;
  }

  private void add(Expression expression) {
    switch (expression) {
      case Logic.And(List<Expression> members) -> members.forEach(this::add);
      case Comparison(
              Operator operator,
              RootPath(FieldPath path),
              Expression other,
              Comparator<Value> order)
          when isPlain(order) && isFixed(other) ->
          add(path, operator, other);
      case Comparison(
              Operator operator,
              Expression other,
              RootPath(FieldPath path),
              Comparator<Value> order)
          when isPlain(order) && isFixed(other) ->
          add(path, operator.mirrored(), other);
      case Membership(_, RootPath(FieldPath path), Expression array, Comparator<Value> order)
          when isPlain(order) && isFixed(array) ->
          addOneOf(path, array.evaluate(scope));
      default -> {}
    }
  }

  private void add(FieldPath path, Operator operator, Expression other) {
    add(new IndexablePredicate(path, operator, List.of(other.evaluate(scope))));
  }

  private void addOneOf(FieldPath path, Value array) {
    if (array.isArray()) {
      List<Value> values = new ArrayList<>();
      Fields each = array.asDocument().fields();
      while (each.next()) {
        values.add(each.value());
      }
      add(new IndexablePredicate(path, Operator.EQ, values));
    }
  }

  private void add(IndexablePredicate indexablePredicate) {
    boolean simple = indexablePredicate.values().stream().allMatch(IndexablePredicates::isSimple);
    if (simple
        && indexablePredicate.operator() != Operator.NE
        && indexablePredicate.path().length() > 0) {
      found.add(indexablePredicate);
    }
  }

  /** Returns whether strings compare by their characters alone. */
  private static boolean isPlain(Comparator<Value> order) {
    return order.equals(Order.MONGO);
  }

  private static boolean isFixed(Expression expression) {
    return expression instanceof Literal || expression instanceof VariablePath;
  }

  /** Returns whether filters and expressions compare a value in the same way. */
  private static boolean isSimple(Value value) {
    return switch (value.type()) {
      case INT32, INT64, DOUBLE, DECIMAL128 -> !value.isNaN();
      case STRING, OBJECT_ID, BOOLEAN, DATE, TIMESTAMP, BINARY -> true;
      default -> false;
    };
  }
}
