package dev.mayfly.sql.compiler;

import java.util.ArrayList;
import java.util.List;

/** Direct subexpressions of an expression, except those in subqueries. */
final class Children {
  private Children() {}

  static List<Expression> of(Expression expression) {
    return switch (expression) {
      case Expression.Literal _, Expression.Parameter _, Expression.Name _, Expression.Subquery _ ->
          List.of();
      case Expression.Member(Expression of, _, _) -> List.of(of);
      case Expression.Element(Expression of, Expression index, _) -> List.of(of, index);
      case Expression.Unary(_, Expression operand, _) -> List.of(operand);
      case Expression.Binary(_, Expression left, Expression right, _) -> List.of(left, right);
      case Expression.Compare(_, Expression left, Expression right, _) -> List.of(left, right);
      case Expression.Logical(_, List<Expression> members, _) -> members;
      case Expression.In(Expression value, List<Expression> others, _) -> and(value, others);
      case Expression.Between(Expression value, Expression low, Expression high, _) ->
          List.of(value, low, high);
      case Expression.Like(Expression value, Expression pattern, Expression escape, _) ->
          escape == null ? List.of(value, pattern) : List.of(value, pattern, escape);
      case Expression.Coalesce(Expression first, Expression second, _) -> List.of(first, second);
      case Expression.Choice(Expression condition, Expression then, Expression otherwise, _) ->
          List.of(condition, then, otherwise);
      case Expression.Call(_, _, List<Expression> arguments, _) -> arguments;
      case Expression.NewArray(List<Expression> elements, _) -> elements;
      case Expression.NewObject object -> object.values();
    };
  }

  private static List<Expression> and(Expression first, List<Expression> rest) {
    List<Expression> all = new ArrayList<>(List.of(first));
    all.addAll(rest);
    return all;
  }
}
