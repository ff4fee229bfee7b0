package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.expression.Comparison;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.Logic;
import dev.mayfly.mql.expression.RootPath;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.expression.VariablePath;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Binds the {@code $expr} conditions of a pipeline to the variables of one run.
 *
 * <p>If a condition compares a field with a variable or a constant, the binder adds a plain
 * comparison, which an index can serve. For simple values, every document that matches the
 * expression also matches the plain comparison; the reverse does not hold.
 */
final class Binder {
  private final Scope scope;
  private final Collation collation;

  Binder(Scope scope, Collation collation) {
    this.scope = scope;
    this.collation = collation;
  }

  /** Returns the stages with the conditions of this pipeline bound, but not of nested pipelines. */
  List<Stage> bind(List<Stage> stages) {
    List<Stage> bound = new ArrayList<>(stages.size());
    for (Stage stage : stages) {
      bound.add(
          stage instanceof Stage.Match(Filter filter) ? new Stage.Match(bind(filter)) : stage);
    }
    return bound;
  }

  Filter bind(Filter filter) {
    return switch (filter) {
      case Filter.And(List<Filter> members) ->
          Filter.and(members.stream().map(this::bind).toList());
      case Filter.Or(List<Filter> members) ->
          new Filter.Or(members.stream().map(this::bind).toList());
      case Filter.Not(Filter member) -> new Filter.Not(bind(member));
      case Filter.Expr(ScopedPredicate test) -> bound(test);
      case Filter other -> other;
    };
  }

  private Filter bound(ScopedPredicate test) {
    List<Filter> all = new ArrayList<>();
    addImplied(test.expression(), all);
    all.add(new Filter.Expr(test.in(scope)));
    return Filter.and(all);
  }

  private void addImplied(Expression expression, List<Filter> all) {
    switch (expression) {
      case Logic.And(List<Expression> members) ->
          members.forEach(member -> addImplied(member, all));
      case Comparison(Operator operator, RootPath(FieldPath path), Expression other, _)
          when operator == Operator.EQ ->
          addEqual(path, other, all);
      case Comparison(Operator operator, Expression other, RootPath(FieldPath path), _)
          when operator == Operator.EQ ->
          addEqual(path, other, all);
      default -> {}
    }
  }

  private void addEqual(FieldPath path, Expression other, List<Filter> all) {
    boolean fixed = other instanceof Literal || other instanceof VariablePath;
    if (fixed && path.length() > 0) {
      Value value = other.evaluate(scope);
      if (isSimple(value)) {
        all.add(Filter.equal(path, value));
      }
    }
  }

  private boolean isSimple(Value value) {
    return switch (value.type()) {
      case INT32, INT64, DOUBLE, DECIMAL128 -> !value.isNaN();
      case OBJECT_ID, BOOLEAN, DATE, TIMESTAMP, BINARY -> true;
      case STRING -> collation.simple();
      default -> false;
    };
  }
}
