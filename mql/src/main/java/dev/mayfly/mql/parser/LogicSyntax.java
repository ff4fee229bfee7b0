package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Choice;
import dev.mayfly.mql.expression.Comparison;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Failure;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.Logic;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.Operator;
import dev.mayfly.query.QueryException;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Syntax of comparison, boolean and conditional operators. */
final class LogicSyntax {
  private LogicSyntax() {}

  static void addTo(Map<String, OperatorSyntax> operators) {
    operators.put("$eq", comparison(Operator.EQ));
    operators.put("$ne", comparison(Operator.NE));
    operators.put("$lt", comparison(Operator.LT));
    operators.put("$lte", comparison(Operator.LTE));
    operators.put("$gt", comparison(Operator.GT));
    operators.put("$gte", comparison(Operator.GTE));
    operators.put("$cmp", OperatorSyntax.ordered(2, 2, LogicSyntax::compare));
    operators.put(
        "$and",
        (_, argument, variables) ->
            Literal.folded(new Logic.And(OperatorSyntax.operands(argument, variables))));
    operators.put(
        "$or",
        (_, argument, variables) ->
            Literal.folded(new Logic.Or(OperatorSyntax.operands(argument, variables))));
    operators.put(
        "$not",
        (operator, argument, variables) ->
            Literal.folded(
                new Logic.Not(
                    OperatorSyntax.exactly(1, operator, argument, variables).getFirst())));
    operators.put("$cond", LogicSyntax::cond);
    operators.put("$ifNull", LogicSyntax::ifNull);
    operators.put("$switch", LogicSyntax::choose);
  }

  private static OperatorSyntax comparison(Operator operator) {
    return (name, argument, variables) -> {
      List<Expression> sides = OperatorSyntax.exactly(2, name, argument, variables);
      return Literal.folded(
          new Comparison(operator, sides.getFirst(), sides.getLast(), variables.order()));
    };
  }

  private static Value compare(Value[] operands, Comparator<Value> order) {
    return Value.of(Integer.signum(order.compare(operands[0], operands[1])));
  }

  private static Expression cond(String operator, Value argument, Variables variables) {
    if (!argument.isDocument()) {
      List<Expression> parts = OperatorSyntax.exactly(3, operator, argument, variables);
      return Literal.folded(new Choice.Cond(parts.get(0), parts.get(1), parts.get(2)));
    }
    Document parts = argument.asDocument();
    Fields each = parts.fields();
    while (each.next()) {
      if (!each.named("if") && !each.named("then") && !each.named("else")) {
        throw new CommandException(
            ErrorCode.location(17083), "Unrecognized parameter to $cond: " + each.name());
      }
    }
    return Literal.folded(
        new Choice.Cond(
            condPart(parts, "if", 17080, variables),
            condPart(parts, "then", 17081, variables),
            condPart(parts, "else", 17082, variables)));
  }

  private static Expression condPart(Document parts, String name, int number, Variables variables) {
    Value part = parts.field(name);
    if (part.isMissing()) {
      throw new CommandException(
          ErrorCode.location(number), "Missing '" + name + "' parameter to $cond");
    }
    return ExpressionParser.parse(part, variables);
  }

  private static Expression ifNull(String operator, Value argument, Variables variables) {
    List<Expression> members = OperatorSyntax.operands(argument, variables);
    if (members.size() < 2) {
      throw new CommandException(
          ErrorCode.location(1257300),
          "$ifNull needs at least two arguments, had: " + members.size());
    }
    return Literal.folded(new Choice.Coalesce(members));
  }

  private static Expression choose(String operator, Value argument, Variables variables) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.location(40060),
          "$switch requires an object as an argument, found: " + TypeNames.of(argument.type()));
    }
    List<Choice.Branch> branches = new ArrayList<>();
    Expression otherwise =
        new Failure(
            QueryException.Reason.BAD_VALUE,
            40066,
            "$switch could not find a matching branch for an input, and no default was specified.");
    Fields each = argument.asDocument().fields();
    while (each.next()) {
      switch (each.name()) {
        case "branches" -> branches.addAll(branches(each.value(), variables));
        case "default" -> otherwise = ExpressionParser.parse(each.value(), variables);
        default ->
            throw new CommandException(
                ErrorCode.location(40067), "$switch found an unknown argument: " + each.name());
      }
    }
    if (branches.isEmpty()) {
      throw new CommandException(
          ErrorCode.location(40068), "$switch requires at least one branch.");
    }
    return Literal.folded(new Choice.Switch(branches, otherwise));
  }

  private static List<Choice.Branch> branches(Value syntax, Variables variables) {
    if (!syntax.isArray()) {
      throw new CommandException(
          ErrorCode.location(40061),
          "$switch expected an array for 'branches', found: " + TypeNames.of(syntax.type()));
    }
    List<Choice.Branch> branches = new ArrayList<>();
    Fields each = syntax.asDocument().fields();
    while (each.next()) {
      branches.add(branch(each.value(), variables));
    }
    return branches;
  }

  private static Choice.Branch branch(Value syntax, Variables variables) {
    if (!syntax.isDocument()) {
      throw new CommandException(
          ErrorCode.location(40062),
          "$switch expected each branch to be an object, found: " + TypeNames.of(syntax.type()));
    }
    Fields each = syntax.asDocument().fields();
    while (each.next()) {
      if (!each.named("case") && !each.named("then")) {
        throw new CommandException(
            ErrorCode.location(40063),
            "$switch found an unknown argument to a branch: " + each.name());
      }
    }
    Document branch = syntax.asDocument();
    return new Choice.Branch(
        branchPart(branch, "case", 40064, variables), branchPart(branch, "then", 40065, variables));
  }

  private static Expression branchPart(
      Document branch, String name, int number, Variables variables) {
    Value part = branch.field(name);
    if (part.isMissing()) {
      throw new CommandException(
          ErrorCode.location(number),
          "$switch requires each branch have a '" + name + "' expression");
    }
    return ExpressionParser.parse(part, variables);
  }
}
