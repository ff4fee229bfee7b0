package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Call.Policy;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.mql.function.Conversion;
import dev.mayfly.mql.function.HashedKeys;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Syntax of type and conversion operators. */
final class TypeSyntax {
  private static final String CONVERT = "$convert";
  private static final int UUID_SUBTYPE = 4;

  private TypeSyntax() {}

  static void addTo(Map<String, OperatorSyntax> operators) {
    operators.put(
        "$type", OperatorSyntax.one(Policy.AS_IS, value -> Value.of(TypeNames.of(value.type()))));
    operators.put(
        "$isNumber", OperatorSyntax.one(Policy.AS_IS, value -> Value.of(value.isNumber())));
    operators.put(CONVERT, TypeSyntax::convert);
    operators.put("$toString", to(Type.STRING));
    operators.put("$toInt", to(Type.INT32));
    operators.put("$toLong", to(Type.INT64));
    operators.put("$toDouble", to(Type.DOUBLE));
    operators.put("$toDecimal", to(Type.DECIMAL128));
    operators.put("$toBool", to(Type.BOOLEAN));
    operators.put("$toDate", to(Type.DATE));
    operators.put("$toObjectId", to(Type.OBJECT_ID));
    operators.put("$toUUID", TypeSyntax::toUuid);
    operators.put("$toHashedIndexKey", OperatorSyntax.one(Policy.AS_IS, HashedKeys::of));
  }

  private static Expression convert(String operator, Value argument, Variables variables) {
    Arguments given =
        Arguments.of(
            operator,
            argument,
            variables,
            new Arguments.Numbers(ArgumentErrors.CONVERT, 9, 9, 9),
            Set.of("input", "to", "format", "onError", "onNull"));
    return Literal.folded(
        new Conversion(
            operator,
            given.required("input"),
            given.required("to"),
            given.or("format", Value.MISSING),
            given.optional("onError"),
            given.or("onNull", Value.NULL)));
  }

  private static OperatorSyntax to(Type type) {
    // $toString converts binaries, too, in a format of its own.
    Value format = type == Type.STRING ? Value.of("auto") : Value.MISSING;
    return (operator, argument, variables) ->
        conversion(only(operator, argument, variables), Value.of(TypeNames.of(type)), format);
  }

  private static Expression toUuid(String operator, Value argument, Variables variables) {
    Document target = Document.writer().put("type", "binData").put("subtype", UUID_SUBTYPE).build();
    return conversion(only(operator, argument, variables), Value.of(target), Value.of("uuid"));
  }

  private static Expression only(String operator, Value argument, Variables variables) {
    List<Expression> operands = OperatorSyntax.operands(argument, variables);
    if (operands.size() != 1) {
      throw new CommandException(
          ErrorCode.location(50723),
          operator + " requires a single argument, got " + operands.size());
    }
    return operands.getFirst();
  }

  private static Expression conversion(Expression input, Value to, Value format) {
    return Literal.folded(
        new Conversion(
            CONVERT, input, new Literal(to), new Literal(format), Optional.empty(), Literal.NULL));
  }
}
