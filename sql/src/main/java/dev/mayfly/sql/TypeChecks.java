package dev.mayfly.sql;

import static dev.mayfly.sql.BuiltIn.named;
import static dev.mayfly.sql.Kind.ANYTHING;

import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.function.Predicate;

/** Type checking functions: true or false, never undefined. */
final class TypeChecks {
  static final List<Function> ALL =
      List.of(
          check("IS_ARRAY", Value::isArray),
          check("IS_BOOL", Kind.BOOLEAN::admits),
          check("IS_BOOLEAN", Kind.BOOLEAN::admits),
          check("IS_DATETIME", TypeChecks::isDateTime),
          check("IS_DEFINED", value -> !value.isMissing()),
          check("IS_FINITE_NUMBER", value -> value.isNumber() && value.isFinite()),
          check("IS_INTEGER", SqlNumbers::integral),
          check("IS_NULL", Value::isNull),
          check("IS_NUMBER", Value::isNumber),
          check("IS_OBJECT", Value::isDocument),
          check("IS_PRIMITIVE", TypeChecks::isPrimitive),
          check("IS_STRING", Kind.TEXT::admits));

  private TypeChecks() {}

  /** Whether a value is neither an array nor an object. */
  static boolean isPrimitive(Value value) {
    return switch (value.type()) {
      case NULL, BOOLEAN, STRING, INT32, INT64, DOUBLE, DECIMAL128 -> true;
      default -> false;
    };
  }

  private static Function check(String name, Predicate<Value> predicate) {
    return named(name, ANYTHING).is(arguments -> Value.of(predicate.test(arguments[0])));
  }

  private static boolean isDateTime(Value value) {
    return value.type() == Type.STRING && Ticks.parse(value.asString()).isPresent();
  }
}
