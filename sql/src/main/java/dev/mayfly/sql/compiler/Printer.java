package dev.mayfly.sql.compiler;

import dev.mayfly.query.Operator;
import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prints trees as text that parses to the same tree: operations in parentheses, fields in brackets.
 * Two expressions are equal if their texts are.
 */
final class Printer {
  private final StringBuilder out = new StringBuilder();

  static String print(Expression expression) {
    return new Printer().write(expression).out.toString();
  }

  static String print(Select query) {
    return new Printer().write(query).out.toString();
  }

  private Printer write(String text) {
    out.append(text);
    return this;
  }

  private Printer write(Expression expression) {
    return switch (expression) {
      case Expression.Literal(Value value, _) -> write(literal(value));
      case Expression.Parameter(String name, _) -> write(name);
      case Expression.Name(String name, _) -> write(name);
      case Expression.Member(Expression of, String name, _) ->
          write(of).write("[").write(quoted(name)).write("]");
      case Expression.Element(Expression of, Expression index, _) ->
          write(of).write("[").write(index).write("]");
      case Expression.Unary(Expression.Sign sign, Expression operand, _) ->
          write("(").write(sign.symbol()).write(operand).write(")");
      case Expression.Binary binary ->
          infix(binary.left(), binary.operator().symbol(), binary.right());
      case Expression.Compare compare ->
          infix(compare.left(), symbol(compare.operator()), compare.right());
      case Expression.Logical(boolean all, List<Expression> members, _) ->
          write("(").list(members, all ? " AND " : " OR ").write(")");
      case Expression.In(Expression value, List<Expression> others, _) ->
          write("(").write(value).write(" IN (").list(others, ", ").write("))");
      case Expression.Between(Expression value, Expression low, Expression high, _) ->
          write("(")
              .write(value)
              .write(" BETWEEN ")
              .write(low)
              .write(" AND ")
              .write(high)
              .write(")");
      case Expression.Like like -> like(like);
      case Expression.Coalesce(Expression first, Expression second, _) ->
          infix(first, "??", second);
      case Expression.Choice(Expression condition, Expression then, Expression otherwise, _) ->
          write("(")
              .write(condition)
              .write(" ? ")
              .write(then)
              .write(" : ")
              .write(otherwise)
              .write(")");
      case Expression.Call(String name, boolean custom, List<Expression> arguments, _) ->
          write(custom ? "udf." : "").write(name).write("(").list(arguments, ", ").write(")");
      case Expression.NewArray(List<Expression> elements, _) ->
          write("[").list(elements, ", ").write("]");
      case Expression.NewObject object -> object(object);
      case Expression.Subquery(Expression.Use use, Select query, _) ->
          write(use.word()).write("(").write(query).write(")");
    };
  }

  private Printer infix(Expression left, String symbol, Expression right) {
    return write("(").write(left).write(" " + symbol + " ").write(right).write(")");
  }

  private Printer list(List<Expression> members, String separator) {
    for (int i = 0; i < members.size(); i++) {
      write(i == 0 ? "" : separator).write(members.get(i));
    }
    return this;
  }

  private Printer like(Expression.Like like) {
    write("(").write(like.value()).write(" LIKE ").write(like.pattern());
    Expression escape = like.escape();
    if (escape != null) {
      write(" ESCAPE ").write(escape);
    }
    return write(")");
  }

  private Printer object(Expression.NewObject object) {
    write("{");
    for (int i = 0; i < object.names().size(); i++) {
      write(i == 0 ? "" : ", ").write(quoted(object.names().get(i))).write(": ");
      write(object.values().get(i));
    }
    return write("}");
  }

  private Printer write(Select query) {
    write("SELECT ").write(query.distinct() ? "DISTINCT " : "");
    amount("TOP ", query.top(), " ");
    projection(query.projection());
    for (int i = 0; i < query.from().size(); i++) {
      write(i == 0 ? " FROM " : " JOIN ").from(query.from().get(i));
    }
    amount(" WHERE ", query.where(), "");
    write(query.groupBy().isEmpty() ? "" : " GROUP BY ").list(query.groupBy(), ", ");
    for (int i = 0; i < query.orderBy().size(); i++) {
      Select.Key key = query.orderBy().get(i);
      write(i == 0 ? " ORDER BY " : ", ").write(key.value()).write(key.descending() ? " DESC" : "");
    }
    amount(" OFFSET ", query.offset(), "");
    amount(" LIMIT ", query.limit(), "");
    return this;
  }

  private void amount(String before, @Nullable Expression amount, String after) {
    if (amount != null) {
      write(before).write(amount).write(after);
    }
  }

  private void projection(Select.Projection projection) {
    switch (projection) {
      case Select.Projection.Everything _ -> write("*");
      case Select.Projection.Single(Expression value) -> write("VALUE ").write(value);
      case Select.Projection.Listed(List<Select.Item> items) -> {
        for (int i = 0; i < items.size(); i++) {
          write(i == 0 ? "" : ", ").write(items.get(i).value());
          String alias = items.get(i).alias();
          write(alias == null ? "" : " AS " + alias);
        }
      }
    }
  }

  private void from(Select.From from) {
    switch (from) {
      case Select.From.Value(Expression path, String alias, _) ->
          write(path).write(alias == null ? "" : " AS " + alias);
      case Select.From.Elements(String variable, Expression path, _) ->
          write(variable).write(" IN ").write(path);
      case Select.From.Spread(String variable, Select query, _) ->
          write(variable).write(" IN (").write(query).write(")");
      case Select.From.Results(Select query, String variable, _) ->
          write("(").write(query).write(")").write(variable == null ? "" : " AS " + variable);
    }
  }

  private static String literal(Value value) {
    return switch (value.type()) {
      case MISSING -> "undefined";
      case STRING -> quoted(value.asString());
      default -> Json.write(value);
    };
  }

  private static String quoted(String text) {
    return Json.write(Value.of(text));
  }

  private static String symbol(Operator operator) {
    return switch (operator) {
      case EQ -> "=";
      case NE -> "!=";
      case LT -> "<";
      case LTE -> "<=";
      case GT -> ">";
      case GTE -> ">=";
    };
  }
}
