package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Named arguments of one operator. */
final class Arguments {
  private final String operator;
  private final Document given;
  private final Variables variables;
  private final Numbers numbers;

  private Arguments(String operator, Document given, Variables variables, Numbers numbers) {
    this.operator = operator;
    this.given = given;
    this.variables = variables;
    this.numbers = numbers;
  }

  /**
   * Error numbers for the arguments of an operator.
   *
   * @param argumentErrors the messages
   * @param missing number for a missing required argument without a number of its own
   * @param own numbers of required arguments, by name
   */
  record Numbers(
      ArgumentErrors argumentErrors,
      int notAnObject,
      int unknown,
      int missing,
      Map<String, Integer> own) {
    Numbers(ArgumentErrors argumentErrors, int notAnObject, int unknown, int missing) {
      this(argumentErrors, notAnObject, unknown, missing, Map.of());
    }

    int missing(String name) {
      return own.getOrDefault(name, missing);
    }
  }

  /** Returns the arguments; fails if there are others than these names. */
  static Arguments of(
      String operator, Value argument, Variables variables, Numbers numbers, Set<String> names) {
    if (!argument.isDocument()) {
      throw new CommandException(
          code(numbers.notAnObject()), numbers.argumentErrors().notAnObject(operator, argument));
    }
    Fields each = argument.asDocument().fields();
    while (each.next()) {
      if (!names.contains(each.name())) {
        throw new CommandException(
            code(numbers.unknown()), numbers.argumentErrors().unknown(operator, each.name()));
      }
    }
    return new Arguments(operator, argument.asDocument(), variables, numbers);
  }

  /** Returns the syntax of an argument, or missing. */
  Value syntax(String name) {
    return given.field(name);
  }

  boolean has(String name) {
    return !given.field(name).isMissing();
  }

  Optional<Expression> optional(String name) {
    return has(name) ? Optional.of(expression(name, variables)) : Optional.empty();
  }

  Expression or(String name, Value otherwise) {
    return has(name) ? expression(name, variables) : new Literal(otherwise);
  }

  Expression required(String name) {
    return required(name, variables);
  }

  /** Parses a required argument with variables of its own. */
  Expression required(String name, Variables seen) {
    require(name);
    return expression(name, seen);
  }

  void require(String name) {
    if (!has(name)) {
      throw new CommandException(
          code(numbers.missing(name)), numbers.argumentErrors().missing(operator, name, given));
    }
  }

  private Expression expression(String name, Variables seen) {
    return ExpressionParser.parse(given.field(name), seen);
  }

  private static ErrorCode code(int number) {
    return number == ErrorCode.FAILED_TO_PARSE.number()
        ? ErrorCode.FAILED_TO_PARSE
        : ErrorCode.location(number);
  }
}
