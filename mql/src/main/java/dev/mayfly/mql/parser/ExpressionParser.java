package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Construction;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Parser of aggregation expressions.
 *
 * <p>A string that starts with {@code $} is a field path, with {@code $$} a variable. An object
 * whose only field starts with {@code $} is an operator. Other objects and arrays contain
 * expressions. Everything else is a literal. Constant expressions are evaluated while parsing.
 */
public final class ExpressionParser {
  private static final Map<String, OperatorSyntax> OPERATORS = operators();

  private ExpressionParser() {}

  /**
   * Parses an expression.
   *
   * @throws CommandException if the syntax is invalid
   */
  public static Expression parse(Value syntax, Variables variables) {
    Interrupt.steps(1);
    return switch (syntax.type()) {
      case STRING -> text(syntax, variables);
      case OBJECT -> object(syntax, variables);
      case ARRAY -> array(syntax, variables);
      default -> new Literal(syntax);
    };
  }

  /** Returns whether an operator with this name exists. */
  static boolean knows(String operator) {
    return OPERATORS.containsKey(operator);
  }

  /** Parses the path after the dollar sign. */
  static FieldPath path(String dotted) {
    if (dotted.isEmpty()) {
      throw new CommandException(
          ErrorCode.location(16872), "'$' by itself is not a valid FieldPath");
    }
    if (dotted.endsWith(".")) {
      throw new CommandException(ErrorCode.location(40353), "FieldPath must not end with a '.'.");
    }
    FieldPath path = FieldPath.of(dotted);
    for (int i = 0; i < path.length(); i++) {
      requireStep(path.step(i));
    }
    return path;
  }

  private static void requireStep(String step) {
    if (step.isEmpty()) {
      throw new CommandException(
          ErrorCode.location(15998), "FieldPath field names may not be empty strings.");
    }
    if (step.startsWith("$")) {
      throw new CommandException(
          ErrorCode.location(16410),
          "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
    }
    if (step.indexOf('\0') >= 0) {
      throw new CommandException(
          ErrorCode.location(16411), "FieldPath field names may not contain '\\0'.");
    }
  }

  private static Expression text(Value syntax, Variables variables) {
    String text = syntax.asString();
    if (text.startsWith("$$")) {
      return variable(text.substring(2), variables);
    }
    return text.startsWith("$") ? variables.field(path(text.substring(1))) : new Literal(syntax);
  }

  private static Expression variable(String reference, Variables variables) {
    int dot = reference.indexOf('.');
    String name = dot < 0 ? reference : reference.substring(0, dot);
    if (name.isEmpty()) {
      throw new CommandException(ErrorCode.FAILED_TO_PARSE, "empty variable names are not allowed");
    }
    FieldPath rest = dot < 0 ? FieldPath.of(List.of()) : path(reference.substring(dot + 1));
    return variables.expression(name, rest);
  }

  private static Expression array(Value syntax, Variables variables) {
    List<Expression> elements = new ArrayList<>();
    Fields each = syntax.asDocument().fields();
    while (each.next()) {
      elements.add(parse(each.value(), variables));
    }
    return Literal.folded(new Construction.NewArray(elements));
  }

  private static Expression object(Value syntax, Variables variables) {
    Document document = syntax.asDocument();
    Fields first = document.fields();
    if (!first.next()) {
      return new Literal(syntax);
    }
    String name = first.name();
    if (!name.startsWith("$")) {
      return newObject(document, variables);
    }
    Value argument = first.value();
    if (first.next()) {
      throw new CommandException(
          ErrorCode.location(15983),
          "an object representing an expression must have exactly one field: " + document);
    }
    return operator(name, argument, variables);
  }

  private static Expression newObject(Document document, Variables variables) {
    List<Construction.Member> members = new ArrayList<>();
    Fields each = document.fields();
    while (each.next()) {
      requireStep(each.name());
      if (each.name().indexOf('.') >= 0) {
        throw new CommandException(
            ErrorCode.location(16412),
            "FieldPath field names may not contain '.'. Consider using $getField or $setField.");
      }
      members.add(new Construction.Member(each.name(), parse(each.value(), variables)));
    }
    return Literal.folded(new Construction.NewObject(members));
  }

  private static Expression operator(String name, Value argument, Variables variables) {
    OperatorSyntax syntax = OPERATORS.get(name);
    if (syntax == null) {
      throw new CommandException(
          ErrorCode.INVALID_PIPELINE_OPERATOR, "Unrecognized expression '" + name + "'");
    }
    return syntax.parse(name, argument, variables);
  }

  /** Returns whether an object looks like an operator, but no operator has this name. */
  static boolean isUnknown(Value syntax) {
    if (!syntax.isDocument()) {
      return false;
    }
    Fields first = syntax.asDocument().fields();
    return first.next() && first.name().startsWith("$") && !OPERATORS.containsKey(first.name());
  }

  private static Map<String, OperatorSyntax> operators() {
    Map<String, OperatorSyntax> operators = new HashMap<>();
    LogicSyntax.addTo(operators);
    NumberSyntax.addTo(operators);
    TextSyntax.addTo(operators);
    ArraySyntax.addTo(operators);
    LoopSyntax.addTo(operators);
    ObjectSyntax.addTo(operators);
    TypeSyntax.addTo(operators);
    DateSyntax.addTo(operators);
    AccumulatorSyntax.addTo(operators);
    return Map.copyOf(operators);
  }
}
