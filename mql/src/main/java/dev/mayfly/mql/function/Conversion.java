package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code $convert}: conversion of a value to a type that an expression names.
 *
 * @param operation name in error messages
 * @param to the type: its name, its number, or an object with {@code type} and {@code subtype}
 * @param format of binaries as strings; missing if not given
 * @param onError value if the conversion fails; if empty, the expression fails
 * @param onNull value for null and missing
 */
public record Conversion(
    String operation,
    Expression input,
    Expression to,
    Expression format,
    Optional<Expression> onError,
    Expression onNull)
    implements Expression {
  /** The last binary subtype with a meaning: vectors. */
  private static final int LAST_SUBTYPE = 9;

  private static final int USER = 128;
  private static final int LAST_USER_SUBTYPE = 255;

  @Override
  public Value evaluate(Scope scope) {
    Value target = to.evaluate(scope);
    Value value = input.evaluate(scope);
    if (Truthiness.nullish(value)) {
      return onNull.evaluate(scope);
    }
    if (Truthiness.nullish(target)) {
      return Value.NULL;
    }
    Type type = type(target);
    try {
      return convert(value, type, target, format.evaluate(scope));
    } catch (QueryException failure) {
      if (onError.isPresent() && failure.reason() == Reason.CONVERSION_FAILURE) {
        return onError.get().evaluate(scope);
      }
      throw failure.of(operation);
    }
  }

  @Override
  public RootFields reads() {
    return Expression.readsOf(input, to, format, onNull)
        .and(onError.map(Expression::reads).orElse(RootFields.NONE));
  }

  @Override
  public boolean constant() {
    return input.constant()
        && to.constant()
        && format.constant()
        && onNull.constant()
        && onError.map(Expression::constant).orElse(true);
  }

  private static Value convert(Value value, Type type, Value target, Value format) {
    if (type == Type.BINARY && value.type() == Type.STRING) {
      return texts(format, value, type).read(value.asString(), subtype(target));
    }
    if (type == Type.STRING && value.type() == Type.BINARY) {
      return Value.of(texts(format, value, type).write(value));
    }
    if (type == Type.BINARY
        && value.type() == Type.BINARY
        && value.binarySubtype() != subtype(target)) {
      throw Conversions.failure("Conversions between different binData subtypes are not supported");
    }
    return Conversions.to(type, value);
  }

  private static BinaryStrings texts(Value format, Value value, Type target) {
    if (Truthiness.nullish(format)) {
      throw Operands.badValue(
          4341115,
          "Format must be speficied when converting from '"
              + Operands.typeName(value)
              + "' to '"
              + TypeNames.of(target)
              + "'");
    }
    try {
      return BinaryStrings.valueOf(format.asString().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException _) {
      throw Operands.badValue(
          4341125, "{} found an unknown 'format' argument: " + format.asString());
    }
  }

  private static byte subtype(Value target) {
    Value subtype = target.isDocument() ? target.asDocument().field("subtype") : Value.MISSING;
    if (Truthiness.nullish(subtype)) {
      return 0;
    }
    if (!Operands.integral(subtype)) {
      throw Operands.badValue(
          4341108,
          "{}'s 'subtype' argument must be a number, but is " + Operands.typeName(subtype));
    }
    int number = subtype.asInt();
    if (number < 0 || number > LAST_USER_SUBTYPE || (number > LAST_SUBTYPE && number < USER)) {
      throw Operands.badValue(
          4341107,
          "In {}, numeric value for 'subtype' does not correspond to a BinData type: " + number);
    }
    return (byte) number;
  }

  private Type type(Value target) {
    Value named = target.isDocument() ? target.asDocument().field("type") : target;
    if (named.type() == Type.STRING) {
      return TypeNames.named(named.asString())
          .orElseThrow(() -> Operands.badValue(2, "Unknown type name: " + named.asString()));
    }
    if (!named.isNumber()) {
      throw new QueryException(
          Reason.BAD_VALUE,
          9,
          operation
              + "'s 'to' argument must be a string or number, but is "
              + Operands.typeName(named));
    }
    if (!Operands.integral(named)) {
      throw new QueryException(
          Reason.BAD_VALUE, 9, "In " + operation + ", numeric 'to' argument is not an integer");
    }
    for (Type type : Type.values()) {
      if (type != Type.MISSING && type.code() == named.asInt()) {
        return type;
      }
    }
    throw new QueryException(
        Reason.BAD_VALUE,
        9,
        "In "
            + operation
            + ", numeric value for 'to' does not correspond to a BSON type: "
            + named);
  }
}
