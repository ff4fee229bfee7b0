package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.function.Loops;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Syntax of operators that declare variables: {@code $let}, {@code $map}, {@code $filter} and
 * others.
 */
final class LoopSyntax {
  private LoopSyntax() {}

  static void addTo(Map<String, OperatorSyntax> operators) {
    operators.put("$let", LoopSyntax::let);
    operators.put("$map", LoopSyntax::map);
    operators.put("$filter", LoopSyntax::filter);
    operators.put("$reduce", LoopSyntax::reduce);
  }

  private static Expression let(String operator, Value argument, Variables variables) {
    Arguments given =
        Arguments.of(
            operator,
            argument,
            variables,
            new Arguments.Numbers(ArgumentErrors.LOOP, 16874, 16875, 16876, Map.of("in", 16877)),
            Set.of("vars", "in"));
    given.require("vars");
    if (!given.syntax("vars").isDocument()) {
      throw new CommandException(
          ErrorCode.location(10065), "invalid parameter: expected an object (vars)");
    }
    List<Loops.Binding> bindings = new ArrayList<>();
    Variables inner = variables;
    Fields each = given.syntax("vars").asDocument().fields();
    while (each.next()) {
      Variables.requireUserName(each.name());
      // Bindings see outer variables, not one another.
      Expression value = ExpressionParser.parse(each.value(), variables);
      inner =
          value instanceof Literal(Value constant)
              ? inner.constant(each.name(), constant)
              : bound(inner.child(each.name()), each.name(), value, bindings);
    }
    Expression in = given.required("in", inner);
    return bindings.isEmpty() ? in : new Loops.Let(bindings, in);
  }

  private static Variables bound(
      Variables inner, String name, Expression value, List<Loops.Binding> bindings) {
    bindings.add(new Loops.Binding(inner.slot(name), value));
    return inner;
  }

  private static Expression map(String operator, Value argument, Variables variables) {
    Arguments given =
        Arguments.of(
            operator,
            argument,
            variables,
            new Arguments.Numbers(ArgumentErrors.LOOP, 16878, 16879, 16880, Map.of("in", 16882)),
            Set.of("input", "as", "in"));
    String name = as(given);
    Variables inner = variables.child(name);
    return new Loops.MapElements(
        operator, given.required("input"), inner.slot(name), given.required("in", inner));
  }

  private static Expression filter(String operator, Value argument, Variables variables) {
    Arguments given =
        Arguments.of(
            operator,
            argument,
            variables,
            new Arguments.Numbers(ArgumentErrors.LOOP, 28646, 28647, 28648, Map.of("cond", 28650)),
            Set.of("input", "as", "cond", "limit"));
    String name = as(given);
    Variables inner = variables.child(name);
    return new Loops.FilterElements(
        operator,
        given.required("input"),
        inner.slot(name),
        given.required("cond", inner),
        given.or("limit", Value.NULL));
  }

  private static Expression reduce(String operator, Value argument, Variables variables) {
    Arguments given =
        Arguments.of(
            operator,
            argument,
            variables,
            new Arguments.Numbers(
                ArgumentErrors.SPECIFIED,
                40075,
                40076,
                40077,
                Map.of("initialValue", 40078, "in", 40079)),
            Set.of("input", "initialValue", "in"));
    Variables inner = variables.child("this").child("value");
    return new Loops.Reduce(
        operator,
        given.required("input"),
        given.required("initialValue"),
        inner.slot("value"),
        inner.slot("this"),
        given.required("in", inner));
  }

  private static String as(Arguments given) {
    Value as = given.syntax("as");
    if (as.isMissing()) {
      return "this";
    }
    if (as.type() != Type.STRING) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "the name of a variable must be a string, found: " + as);
    }
    Variables.requireUserName(as.asString());
    return as.asString();
  }
}
