package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Call;
import dev.mayfly.mql.expression.Call.Policy;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;

/** Parser of the argument of one operator. */
@FunctionalInterface
interface OperatorSyntax {
  Expression parse(String operator, Value argument, Variables variables);

  /** One operand; null if it is nullish. */
  static OperatorSyntax one(Call.One function) {
    return one(Policy.NULL_FOR_NULLISH, function);
  }

  static OperatorSyntax one(Policy policy, Call.One function) {
    return (operator, argument, variables) ->
        Call.of(operator, policy, function, exactly(1, operator, argument, variables).getFirst());
  }

  /** Two operands; null if one is nullish. */
  static OperatorSyntax two(Call.Two function) {
    return two(Policy.NULL_FOR_NULLISH, function);
  }

  static OperatorSyntax two(Policy policy, Call.Two function) {
    return (operator, argument, variables) -> {
      List<Expression> operands = exactly(2, operator, argument, variables);
      return Call.of(operator, policy, function, operands.getFirst(), operands.getLast());
    };
  }

  /** From {@code least} to {@code most} operands; the function handles nulls. */
  static OperatorSyntax many(int least, int most, Call.Many function) {
    return many(Policy.AS_IS, least, most, function);
  }

  static OperatorSyntax many(Policy policy, int least, int most, Call.Many function) {
    return (operator, argument, variables) ->
        Call.of(operator, policy, function, between(least, most, operator, argument, variables));
  }

  /** Like {@link #many}, for functions that compare values. */
  static OperatorSyntax ordered(
      int least, int most, BiFunction<Value[], Comparator<Value>, Value> function) {
    return (operator, argument, variables) -> {
      Comparator<Value> order = variables.order();
      return Call.of(
          operator,
          Policy.AS_IS,
          operands -> function.apply(operands, order),
          between(least, most, operator, argument, variables));
    };
  }

  /** Parses the operands of an operator: the elements of an array, or the one argument. */
  static List<Expression> operands(Value argument, Variables variables) {
    if (!argument.isArray()) {
      return List.of(ExpressionParser.parse(argument, variables));
    }
    List<Expression> operands = new ArrayList<>();
    Fields each = argument.asDocument().fields();
    while (each.next()) {
      operands.add(ExpressionParser.parse(each.value(), variables));
    }
    return operands;
  }

  static List<Expression> exactly(int count, String operator, Value argument, Variables variables) {
    List<Expression> operands = operands(argument, variables);
    if (operands.size() != count) {
      throw new CommandException(
          ErrorCode.location(16020),
          "Expression "
              + operator
              + " takes exactly "
              + count
              + " arguments. "
              + operands.size()
              + " were passed in.");
    }
    return operands;
  }

  static List<Expression> between(
      int least, int most, String operator, Value argument, Variables variables) {
    if (least == most) {
      return exactly(least, operator, argument, variables);
    }
    List<Expression> operands = operands(argument, variables);
    if (operands.size() < least || operands.size() > most) {
      throw new CommandException(
          ErrorCode.location(28667),
          "Expression "
              + operator
              + " takes at least "
              + least
              + " arguments, and at most "
              + most
              + ", but "
              + operands.size()
              + " were passed in.");
    }
    return operands;
  }
}
