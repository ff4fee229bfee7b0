package dev.mayfly.mongo.command;

import dev.mayfly.value.Type;

/** The names by which the protocol knows types of values. */
public final class TypeNames {
  private TypeNames() {}

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
}
