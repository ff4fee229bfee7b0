package dev.mayfly.mql.expression;

import dev.mayfly.value.Type;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Names of BSON types, as in {@code $type}. */
public final class TypeNames {
  private static final Map<String, Type> BY_NAME =
      Arrays.stream(Type.values()).collect(Collectors.toMap(TypeNames::of, Function.identity()));

  private TypeNames() {}

  /** Returns the name of the type. */
  public static String of(Type type) {
    return switch (type) {
      case MISSING -> "missing";
      case DOUBLE -> "double";
      case STRING -> "string";
      case OBJECT -> "object";
      case ARRAY -> "array";
      case BINARY -> "binData";
      case UNDEFINED -> "undefined";
      case OBJECT_ID -> "objectId";
      case BOOLEAN -> "bool";
      case DATE -> "date";
      case NULL -> "null";
      case REGEX -> "regex";
      case DB_POINTER -> "dbPointer";
      case CODE -> "javascript";
      case SYMBOL -> "symbol";
      case CODE_WITH_SCOPE -> "javascriptWithScope";
      case INT32 -> "int";
      case TIMESTAMP -> "timestamp";
      case INT64 -> "long";
      case DECIMAL128 -> "decimal";
      case MIN_KEY -> "minKey";
      case MAX_KEY -> "maxKey";
    };
  }

  /** Returns the type with this name. */
  public static Optional<Type> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }
}
