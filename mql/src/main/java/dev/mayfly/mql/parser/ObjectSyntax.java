package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Call;
import dev.mayfly.mql.expression.Call.Policy;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.Metadata;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.mql.function.ObjectFunctions;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Syntax of object operators, literals and metadata. */
final class ObjectSyntax {
  private static final int ANY = Integer.MAX_VALUE;
  private static final Set<String> METADATA =
      Set.of(
          "textScore",
          "randVal",
          "searchScore",
          "searchHighlights",
          "searchScoreDetails",
          "vectorSearchScore",
          "geoNearDistance",
          "geoNearPoint",
          "recordId",
          "indexKey",
          "sortKey",
          "score",
          "scoreDetails");

  private static final Arguments.Numbers SET_FIELD =
      new Arguments.Numbers(
          ArgumentErrors.SET_FIELD,
          4161100,
          4161101,
          4161102,
          Map.of("value", 4161103, "input", 4161109));

  private ObjectSyntax() {}

  static void addTo(Map<String, OperatorSyntax> operators) {
    operators.put("$literal", (_, argument, _) -> new Literal(argument));
    operators.put("$const", (_, argument, _) -> new Literal(argument));
    operators.put("$expr", (_, argument, seen) -> ExpressionParser.parse(argument, seen));
    operators.put("$mergeObjects", OperatorSyntax.many(0, ANY, ObjectSyntax::merge));
    operators.put("$objectToArray", OperatorSyntax.one(ObjectFunctions::toArray));
    operators.put("$arrayToObject", OperatorSyntax.one(ObjectFunctions::fromArray));
    operators.put("$getField", ObjectSyntax::field);
    operators.put("$setField", ObjectSyntax::withField);
    operators.put("$unsetField", ObjectSyntax::withoutField);
    operators.put("$bsonSize", OperatorSyntax.one(ObjectFunctions::size));
    operators.put("$binarySize", OperatorSyntax.one(ObjectFunctions::binarySize));
    operators.put("$meta", ObjectSyntax::metadata);
    operators.put("$function", ObjectSyntax::script);
    operators.put("$where", ObjectSyntax::script);
    operators.put("$accumulator", ObjectSyntax::script);
  }

  /** Merges the operands; a single array operand stands for its elements. */
  private static Value merge(Value[] operands) {
    return operands.length == 1 && operands[0].isArray()
        ? ObjectFunctions.mergeAll(operands[0])
        : ObjectFunctions.merge(operands);
  }

  private static Expression field(String operator, Value argument, Variables variables) {
    if (!argument.isDocument() || isOperator(argument)) {
      Expression name = ExpressionParser.parse(argument, variables);
      return Call.of(
          operator,
          Policy.AS_IS,
          ObjectFunctions::field,
          requireName(name, operator),
          variables.current());
    }
    Arguments given =
        Arguments.of(
            operator,
            argument,
            variables,
            new Arguments.Numbers(
                ArgumentErrors.SET_FIELD, 3041701, 3041701, 3041702, Map.of("input", 3041703)),
            Set.of("field", "input"));
    Expression name = requireName(given.required("field"), operator);
    return Call.of(operator, Policy.AS_IS, ObjectFunctions::field, name, given.required("input"));
  }

  private static boolean isOperator(Value argument) {
    var first = argument.asDocument().fields();
    return first.next() && first.name().startsWith("$");
  }

  private static Expression withField(String operator, Value argument, Variables variables) {
    Arguments given =
        Arguments.of(operator, argument, variables, SET_FIELD, Set.of("field", "input", "value"));
    given.require("field");
    return setField(operator, given, given.required("value"));
  }

  private static Expression withoutField(String operator, Value argument, Variables variables) {
    Arguments given =
        Arguments.of(operator, argument, variables, SET_FIELD, Set.of("field", "input"));
    return setField(operator, given, Literal.MISSING);
  }

  private static Expression setField(String operator, Arguments given, Expression value) {
    Expression name = given.required("field");
    given.require("input");
    requirePlainName(operator, given.syntax("field"), name);
    return Call.of(
        operator,
        Policy.AS_IS,
        (Call.Many) operands -> ObjectFunctions.withField(operands[0], operands[1], operands[2]),
        List.of(name, given.required("input"), value));
  }

  private static void requirePlainName(String operator, Value syntax, Expression name) {
    if (syntax.type() == Type.STRING && syntax.asString().startsWith("$")) {
      throw new CommandException(
          ErrorCode.location(4161108),
          "'"
              + syntax.asString()
              + "' is a field path reference which is not allowed in this context. Did you mean"
              + " {$literal: '"
              + syntax.asString()
              + "'}?");
    }
    if (!name.constant()) {
      throw new CommandException(
          ErrorCode.location(4161106),
          operator
              + " requires 'field' to evaluate to a constant, but got a non-constant argument");
    }
    Value text = name.evaluate(Scope.of(0));
    if (text.type() != Type.STRING) {
      throw new CommandException(
          ErrorCode.location(4161107),
          operator
              + " requires 'field' to evaluate to type String, but got "
              + TypeNames.of(text.type()));
    }
  }

  /** Rejects a name written as a path: almost always a literal was meant. */
  private static Expression requireName(Expression name, String operator) {
    boolean text = name instanceof Literal(Value value) && value.type() == Type.STRING;
    if (!text && name.constant()) {
      throw new CommandException(
          ErrorCode.location(5654602),
          operator
              + " requires 'field' to evaluate to type String, but got "
              + TypeNames.of(name.evaluate(Scope.of(0)).type()));
    }
    return name;
  }

  private static Expression metadata(String operator, Value argument, Variables variables) {
    if (argument.type() != Type.STRING) {
      throw new CommandException(ErrorCode.location(17307), "$meta only supports string arguments");
    }
    if (!METADATA.contains(argument.asString())) {
      throw new CommandException(
          ErrorCode.location(17308), "Unsupported argument to $meta: " + argument.asString());
    }
    variables.readsMetadata(argument.asString());
    return new Metadata(argument.asString());
  }

  private static Expression script(String operator, Value argument, Variables variables) {
    throw new CommandException(
        ErrorCode.location(31264), operator + " is not supported: server-side JavaScript is off");
  }
}
